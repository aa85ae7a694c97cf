// The measurement of scenarios: processor and wall time in one process in alternation, peak memory in child processes.

import CodecPeers
import ConformanceKit
import Foundation
import ImageCodecs

/// Measures thumbnails of files.
struct ScenarioRun {
  /// Files a.jpg to g.png; missing ones are generated.
  var folder: String
  var scenarios: [Scenario]
  var rounds: Int
  var comparesWithPeers: Bool
  /// The Python whose Pillow is measured.
  var python: String

  /// Renderers and JPEG decoders differ. A larger mean difference of all samples means that the images differ.
  private static let acceptableMean = 3.0

  /// The implementations that can run in a child process.
  enum Child: String, CaseIterable {
    case ours, libvips
    case idleOurs = "idle-ours"
    case idleLibvips = "idle-libvips"
  }

  /// Runs in a child process: makes the thumbnail of a small picture, then that of the scenario unless the child is idle,
  /// and prints the peak of its memory.
  func runChild(_ child: Child) throws {
    guard let scenario = scenarios.first else { return }
    var engine = ScenarioEngine.ours
    if child == .libvips || child == .idleLibvips {
      guard let library = LibVips() else { return }
      engine = .libvips(library)
    }
    try engine.run(scenario, from: path(scenario.smallFileName), to: path("child.out"))
    if child == .ours || child == .libvips {
      try engine.run(scenario, from: path(scenario.fileName), to: path("child.out"))
    }
    print(ProcessMemory.peak ?? 0)
  }

  /// Measures all scenarios, prints a table and returns its rows.
  func run() throws -> BenchReport {
    var report = BenchReport()
    try generateInputs()
    var engines = [ScenarioEngine.ours]
    if comparesWithPeers {
      if let library = LibVips() {
        engines.append(.libvips(library))
      } else {
        ResultTable.show("libvips is not installed: no comparison with it (Debian's package libvips42)")
      }
    }
    ResultTable.show("| scenario | engine | cpu ms | ±% | wall ms | cpu ratio | MB above idle | memory ratio |")
    ResultTable.show("| -------- | ------ | -----: | -: | ------: | --------: | ------------: | -----------: |")
    for scenario in scenarios {
      try compare(scenario, engines)
      var samples = [[(cpu: Double, wall: Double)]](repeating: [], count: engines.count)
      for round in 0..<rounds + 1 {
        for (index, engine) in engines.enumerated() {
          let sample = try time { try engine.run(scenario, from: path(scenario.fileName), to: path("bench.out")) }
          if round > 0 { samples[index].append(sample) }
        }
      }
      var peaks: [Double?] = [try peak(scenario, .ours, .idleOurs)]
      if engines.count > 1 { peaks.append(try peak(scenario, .libvips, .idleLibvips)) }
      for (index, engine) in engines.enumerated() {
        let times = Times(samples: samples[index].map(\.cpu))
        let wall = samples[index].map(\.wall).median
        let ratio = zip(samples[0], samples[index]).map { $0.cpu / $1.cpu }.median
        let memory = peaks[index].map { ResultTable.decimal($0 / 1e6, digits: 1) } ?? ""
        var memoryRatio = ""
        if index > 0, let ours = peaks[0], let theirs = peaks[index] {
          memoryRatio = ResultTable.decimal(ours / max(theirs, 1), digits: 2)
        }
        report.scenarios.append(
          BenchReport.ScenarioRow(
            scenario: scenario.rawValue, engine: engine.name, processorMilliseconds: times.median * 1000,
            wallMilliseconds: wall * 1000, ratio: index == 0 ? nil : ratio, megabytes: peaks[index].map { $0 / 1e6 }))
        ResultTable.show(
          "| \(scenario.rawValue) | \(engine.name) | \(ResultTable.decimal(times.median * 1000, digits: 1)) "
            + "| \(ResultTable.decimal(times.spread, digits: 1)) | \(ResultTable.decimal(wall * 1000, digits: 1)) "
            + "| \(index == 0 ? "" : ResultTable.decimal(ratio, digits: 2)) | \(memory) | \(memoryRatio) |")
      }
      if comparesWithPeers, let pillow = pillow(scenario) {
        ResultTable.show("| \(scenario.rawValue) | \(pillow) | |")
      }
    }
    return report
  }

  private func path(_ name: String) -> String { folder + "/" + name }

  private func generateInputs() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for scenario in scenarios where !FileManager.default.fileExists(atPath: path(scenario.fileName)) {
      try Data(try scenario.generate()).write(to: URL(fileURLWithPath: path(scenario.fileName)), options: .atomic)
    }
    for scenario in scenarios {
      try Data(try scenario.generateSmall()).write(to: URL(fileURLWithPath: path(scenario.smallFileName)))
    }
  }

  /// Throws unless all engines make about the same picture of the same size.
  private func compare(_ scenario: Scenario, _ engines: [ScenarioEngine]) throws {
    let pictures = try engines.map { engine in
      try engine.run(scenario, from: path(scenario.fileName), to: path("bench.out"))
      let data = try Data(contentsOf: URL(fileURLWithPath: path("bench.out")))
      return try Bitmap(decoding: data).converted(to: .rgba8)
    }
    for picture in pictures.dropFirst() {
      guard let difference = PerceptualDifference(NormalizedImage(pictures[0]), NormalizedImage(picture)) else {
        throw BenchError(
          description: "\(scenario.rawValue): the sizes differ: \(pictures[0].pixelSize), \(picture.pixelSize)")
      }
      guard difference.mean <= Self.acceptableMean else {
        throw BenchError(description: "\(scenario.rawValue): the pictures differ by \(difference.mean) on average")
      }
    }
  }

  /// Returns the processor time of all threads, and the wall time.
  private func time(_ body: () throws -> Void) rethrows -> (cpu: Double, wall: Double) {
    let (start, cpuStart) = (ContinuousClock.now, ThreadClock.processNow())
    try body()
    let wall = start.duration(to: .now) / .seconds(1)
    return (ThreadClock.processNow() - cpuStart, wall)
  }

  /// Returns the peak of the memory of a child process, in bytes above that of an idle one.
  private func peak(_ scenario: Scenario, _ working: Child, _ idle: Child) throws -> Double? {
    let peaks = try [working, idle].map { child in
      let arguments = ["--scenario", scenario.rawValue, "--inputs", folder, "--child", child.rawValue]
      return try ProgramOutput.text(of: CommandLine.arguments[0], arguments).flatMap { Double($0) }
    }
    guard let peak = peaks[0], let idle = peaks[1] else { return nil }
    return peak - idle
  }

  /// Returns the figures of Pillow as cells of the table; `nil` if it is not installed or does not read the format.
  private func pillow(_ scenario: Scenario) -> String? {
    guard scenario != .drawingTo256 else { return nil }
    let arguments = [
      "-c", Self.pillowProgram, path(scenario.fileName), "\(scenario.side)", scenario.writesPNG ? "png" : "jpeg",
      "\(rounds)",
    ]
    return (try? ProgramOutput.text(of: python, arguments)) ?? nil
  }

  private static let pillowProgram = """
    import io, sys, time
    import PIL
    from PIL import Image
    name, side, format, rounds = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    Image.MAX_IMAGE_PIXELS = None
    Image.init()
    def peak():
        lines = [line.split() for line in open("/proc/self/status")]
        return next(int(line[1]) for line in lines if line[0] == "VmHWM:")
    small = Image.new("RGBA" if format == "png" else "RGB", (16, 16))
    small.thumbnail((8, 8), Image.LANCZOS)
    small.save(io.BytesIO(), format)
    idle = peak()
    def run():
        image = Image.open(name)
        image.thumbnail((side, side), Image.LANCZOS, reducing_gap=2.0)
        image.save(io.BytesIO(), format, **({"quality": 80} if format == "jpeg" else {"compress_level": 6}))
    run()
    used = peak() - idle
    cpu, wall = [], []
    for _ in range(rounds):
        a, b = time.process_time(), time.monotonic()
        run()
        cpu.append(time.process_time() - a)
        wall.append(time.monotonic() - b)
    middle = lambda values: sorted(values)[len(values) // 2] * 1000
    print(f"Pillow {PIL.__version__} | {middle(cpu):.1f} | | {middle(wall):.1f} | | {used * 1.024 / 1e3:.1f}")
    """
}
