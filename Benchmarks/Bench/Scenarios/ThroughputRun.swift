// A server's day in short: many mixed uploads become thumbnails in one process, on all processors.

import CodecPeers
import Dispatch
import Foundation
import ImageCodecs
import Synchronization

/// Makes JPEG thumbnails of 320 pixels from a mix of uploads, with each engine in a separate process.
struct ThroughputRun {
  /// The folder of the uploads; missing ones are generated. Other pictures in it, such as HEIC files, join the mix.
  var folder: String
  var rounds: Int
  var comparesWithPeers: Bool
  /// The Python whose Pillow is measured.
  var python: String
  /// The number of uploads.
  var uploadCount = 1000

  /// The name on the command line.
  static let name = "throughput"
  private static let side = 320
  private static let generatedPrefix = "upload-"

  /// The engines that run in child processes.
  enum Child: String, CaseIterable {
    case ours, libvips
  }

  /// The cost of all uploads.
  private struct Cost {
    var processorSeconds: Double
    var wallSeconds: Double
    var peakMegabytes: Double

    init?(_ text: String?) {
      let numbers = text?.split(separator: " ").compactMap { Double($0) } ?? []
      guard numbers.count == 3 else { return nil }
      (processorSeconds, wallSeconds, peakMegabytes) = (numbers[0], numbers[1], numbers[2] / 1e6)
    }
  }

  /// Measures all engines in alternation and prints a table.
  func run() throws -> BenchReport {
    try generateUploads()
    let count = try uploads().count
    ResultTable.show("\(uploadCount) uploads of \(count) files in \(folder)")
    ResultTable.show("| engine | cpu s | wall s | uploads/s | peak MB | our cpu ratio | our memory ratio |")
    ResultTable.show("| ------ | ----: | -----: | --------: | ------: | ------------: | ---------------: |")
    var engines: [(name: String, run: () throws -> Cost?)] = [("ours", { try cost(of: .ours) })]
    if comparesWithPeers {
      if let library = LibVips() { engines.append((library.name, { try cost(of: .libvips) })) }
      engines.append(("Pillow", { Cost(try ProgramOutput.text(of: python, pillowArguments)) }))
    }
    var costs = [[Cost]](repeating: [], count: engines.count)
    for _ in 0..<rounds {
      for (index, engine) in engines.enumerated() {
        if let cost = try engine.run() { costs[index].append(cost) }
      }
    }
    var report = BenchReport()
    for (engine, costs) in zip(engines, costs) where !costs.isEmpty {
      report.scenarios.append(
        BenchReport.ScenarioRow(
          scenario: Self.name, engine: engine.name, processorMilliseconds: costs.map(\.processorSeconds).median * 1000,
          wallMilliseconds: costs.map(\.wallSeconds).median * 1000, ratio: nil,
          megabytes: costs.map(\.peakMegabytes).median))
    }
    guard let ours = report.scenarios.first else { return report }
    for index in report.scenarios.indices {
      let row = report.scenarios[index]
      let cpuRatio = ours.processorMilliseconds / row.processorMilliseconds
      if index > 0 { report.scenarios[index].ratio = cpuRatio }
      let cells = [
        row.engine, ResultTable.decimal(row.processorMilliseconds / 1000, digits: 2),
        ResultTable.decimal(row.wallMilliseconds / 1000, digits: 2),
        ResultTable.decimal(Double(uploadCount) / row.wallMilliseconds * 1000, digits: 0),
        ResultTable.decimal(row.megabytes ?? 0, digits: 1),
        index == 0 ? "" : ResultTable.decimal(cpuRatio, digits: 2),
        index == 0 ? "" : ResultTable.decimal((ours.megabytes ?? 0) / (row.megabytes ?? 1), digits: 2),
      ]
      ResultTable.show("| " + cells.joined(separator: " | ") + " |")
    }
    return report
  }

  /// Runs in a child process: makes all thumbnails, and prints processor and wall seconds, and the peak of memory in bytes.
  func runChild(_ child: Child) throws {
    let files = try uploads()
    let library = child == .libvips ? LibVips() : nil
    let (start, cpuStart) = (ContinuousClock.now, ThreadClock.processNow())
    switch (child, library) {
    case (.libvips, let library?):
      library.setConcurrency(ProcessInfo.processInfo.activeProcessorCount)
      for index in 0..<uploadCount {
        library.makeThumbnail(
          of: files[index % files.count], to: folder + "/child-vips.out", side: Self.side, saver: "jpegsave",
          [("Q", "80"), ("strip", "true"), ("background", "255")])
      }
    default:
      try makeOurs(of: files)
    }
    let wall = start.duration(to: .now) / .seconds(1)
    print(ThreadClock.processNow() - cpuStart, wall, ProcessMemory.peak ?? 0)
  }

  private func makeOurs(of files: [String]) throws {
    let failure = Mutex<(any Error)?>(nil)
    let pool = BufferPool(maximumByteCount: 32 << 20)
    let request = Thumbnail(width: Self.side, height: Self.side, background: .white)
    let next = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { worker in
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < uploadCount else { return }
        do {
          let file = try ImageFile(
            contentsOfFile: files[index % files.count], options: DecodingOptions(limits: .server, bufferPool: pool))
          let made = try file.encodedThumbnail(request, as: .jpeg(.init(quality: 80)))
          try Data(made.bytes).write(to: URL(fileURLWithPath: folder + "/child-\(worker).out"))
        } catch {
          failure.withLock { $0 = error }
        }
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
  }

  private func cost(of child: Child) throws -> Cost? {
    let arguments = ["--scenario", Self.name, "--inputs", folder, "--child", child.rawValue]
    return Cost(try ProgramOutput.text(of: CommandLine.arguments[0], arguments))
  }

  private func uploads() throws -> [String] {
    let kinds: Set = ["jpg", "png", "webp", "gif", "svg", "heic"]
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      .filter { kinds.contains(($0 as NSString).pathExtension) }.map { folder + "/" + $0 }
  }

  /// Sizes as in the wild: many photos of phones and of web pages, some screenshots, few drawings and animations.
  private func generateUploads() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let photos = [
      (4000, 3000), (3264, 2448), (2048, 1536), (1920, 1080), (1600, 1200), (1280, 960), (1024, 768), (800, 600),
    ]
    for (index, (width, height)) in photos.enumerated() {
      var scene = Scene(width: width, height: height)
      let photo = try scene.photo(format: .rgb8)
      let options = JPEGEncoder.Options(quality: 85, isProgressive: index % 3 == 2)
      try write("photo-\(width).jpg") { try JPEGEncoder(options: options).encode(photo) }
      guard width <= 1600 else { continue }
      try write("photo-\(width).webp") { try WebPEncoder().encode(photo) }
      try write("photo-\(width).png") { try PNGEncoder(options: .init(compressionLevel: 6)).encode(photo) }
      try write("screenshot-\(width).png") { try PNGEncoder().encode(try scene.screenshot()) }
      guard width <= 1024 else { continue }
      try write("photo-\(width).gif") { try GIFEncoder().encode(photo) }
    }
    try write("drawing.svg") { Illustration.bytes }
  }

  private func write(_ name: String, _ encode: () throws -> [UInt8]) throws {
    let path = folder + "/" + Self.generatedPrefix + name
    guard !FileManager.default.fileExists(atPath: path) else { return }
    try Data(try encode()).write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  private var pillowArguments: [String] { ["-c", Self.pillowProgram, folder, "\(uploadCount)", "\(Self.side)"] }

  /// Pillow reads no drawings and, without a plug-in, no HEIC: the others of the mix take their place.
  private static let pillowProgram = """
    import io, os, sys, time
    from PIL import Image
    folder, count, side = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    kinds = (".jpg", ".png", ".webp", ".gif")
    files = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(kinds)]
    a, b = time.process_time(), time.monotonic()
    for index in range(count):
        image = Image.open(files[index % len(files)])
        image.thumbnail((side, side), Image.LANCZOS, reducing_gap=2.0)
        image.convert("RGB").save(io.BytesIO(), "jpeg", quality=80)
    lines = [line.split() for line in open("/proc/self/status")]
    peak = next(int(line[1]) for line in lines if line[0] == "VmHWM:") * 1024
    print(time.process_time() - a, time.monotonic() - b, peak)
    """
}
