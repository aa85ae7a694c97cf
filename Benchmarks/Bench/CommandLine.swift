// The command line: inputs, operations, repetitions and peers.

import ArgumentParser
import CodecPeers
import Foundation
import ImageCoding

/// Measures the codecs.
@main
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures decoding and encoding of generated images or of files.",
    discussion: """
      Times are the processor time of one thread: the median of all rounds, with the median deviation in percent. \
      A ratio below 1 means that we are faster. Pixels are compared before the measurement. Build with -c release. \
      Failures are reported and skipped, and the exit code is 1. A file that a peer does not decode is reported and \
      measured without it.
      """)

  @Option(help: ArgumentHelp("A folder of files to measure, searched recursively.", valueName: "dir"))
  var inputs: [String] = []

  @Option(help: "Select inputs whose name contains this text.")
  var filter: String?

  @Option(help: "Select a format, such as png.")
  var format: [String] = []

  @Option(
    help:
      "Select an operation: \(Operation.allCases.map(\.rawValue).joined(separator: ", "))."
  )
  var operation: [Operation] = []

  @Option(help: "The number of measured rounds.")
  var rounds = 15

  @Option(help: "The number of warm-up rounds.")
  var warmUp = 3

  @Option(help: "The zlib level of lossless encoders, 0…9.")
  var effort = 6

  @Option(help: "The quality of lossy encoders, 1…100.")
  var quality = 85

  @Option(help: "The number of threads of decode-threads, which is measured in wall time and only on request.")
  var threads = 2

  @Flag(help: "Decode into newly allocated memory each time instead of reusing it.")
  var fresh = false

  @Flag(help: "Compare with the libraries installed on this system.")
  var peers = false

  @Option(help: "Fail if decode-rgba8 or decode-frames takes more than this number of seconds per megapixel.")
  var atMost: Double?

  @Flag(help: "Print the table in Markdown.")
  var markdown = false

  @Option(
    help: ArgumentHelp(
      "Measure thumbnails of files instead: all, or \(Scenario.allCases.map(\.rawValue).joined(separator: ", ")). "
        + "--inputs is the folder of the files a.jpg to g.png; missing ones are generated. throughput: a thousand mixed "
        + "uploads in one process.", valueName: "name"))
  var scenario: [String] = []

  @Option(help: "The Python whose Pillow is measured by --scenario and --peers.")
  var python = "python3"

  @Flag(help: "Measure instead how time and memory grow with the size, and throughput with decodes at once.")
  var scaling = false

  @Option(help: ArgumentHelp("Write the results as JSON.", valueName: "file"))
  var json: String?

  @Option(help: ArgumentHelp("Draw the ratios as an SVG.", valueName: "file.svg"))
  var chart: String?

  @Option(help: ArgumentHelp("Read results that --json wrote instead of measuring, for --chart.", valueName: "file"))
  var from: String?

  @Option(help: "Make this number of thumbnails instead, and fail if the memory of the process grows.")
  var memory: Int?

  @Option(help: "Load this number of images of each kind instead, and fail if that adds too much or cancels too late.")
  var pipeline: Int?

  @Option(
    help: ArgumentHelp(
      "Compare with an older executable of this tool instead: both run alternately, and a difference counts only if it "
        + "exceeds that of the old one from itself.", valueName: "old-bench"))
  var compare: String?

  @Option(help: "Keep buffers of up to this number of megabytes between the thumbnails of --memory.")
  var pool: Int?

  @Option(help: .hidden)
  var child: String?

  func validate() throws {
    guard threads > 0 else { throw ValidationError("--threads must be positive") }
    if let pool, !(0...4096).contains(pool) { throw ValidationError("--pool must be between 0 and 4096") }
    guard rounds > 0, warmUp >= 0 else { throw ValidationError("--rounds must be positive") }
    guard (0...9).contains(effort) else { throw ValidationError("--effort must be between 0 and 9") }
    guard (1...100).contains(quality) else { throw ValidationError("--quality must be between 1 and 100") }
  }

  func run() throws {
    if let from { return try deliver(BenchReport(contentsOfFile: from)) }
    if scaling {
      var report = BenchReport()
      report.scaling = try ScalingRun(rounds: rounds, formats: format).run()
      return try deliver(report)
    }
    if let pipeline { return try PipelineRun(count: pipeline).run() }
    let bufferPool = pool.map { BufferPool(maximumByteCount: $0 << 20) }
    if let memory { return try MemoryRun(count: memory, bufferPool: bufferPool).run() }
    if !scenario.isEmpty { return try runScenarios() }
    if let compare { return try compareExecutables(compare) }
    let chosen = try chosenInputs()
    guard !chosen.isEmpty else { throw ValidationError("no input is selected") }
    let peersByFormat = peers ? findPeers() : [:]
    let framePeer = peers && chosen.contains { $0.format == "gif" } ? findFramePeer() : nil
    let drawingPeer = peers && chosen.contains { $0.format == "svg" } ? findDrawingPeer() : nil
    let planePeers = peers ? findPlanePeers(Set(chosen.map(\.format))) : [:]
    let colorPeer = peers ? findColorPeer() : nil
    let sensorPeer = peers && chosen.contains { $0.format == "dng" } ? findSensorPeer() : nil
    let operations = operation.isEmpty ? Operation.allCases.filter { !$0.isOnRequest } : operation
    let table = ResultTable(
      inputs: chosen.map(\.name), hasPeers: peers || operations.contains(where: \.isOnRequest),
      hasSizes: operations.contains { $0.rawValue.hasPrefix("encode") }, isMarkdown: markdown)
    table.head.forEach(show)
    var results: [JobResult] = []
    var report = BenchReport()
    var failureCount = 0
    for input in chosen {
      for operation in operations {
        showProgress("\(input.name) \(operation.rawValue)")
        let job = Job(
          input: input, operation: operation, peer: peersByFormat[input.format], framePeer: framePeer,
          drawingPeer: drawingPeer, planePeer: planePeers[input.format], colorPeer: colorPeer,
          sensorPeer: sensorPeer, python: peers ? python : nil,
          measurement: Measurement(rounds: rounds, warmUpRounds: warmUp),
          settings: PeerSettings(effort: effort, quality: quality, isProgressive: false), isFresh: fresh,
          threadCount: threads)
        do {
          guard let result = try job.run() else { continue }
          results.append(result)
          report.add(result, format: input.format)
          show(table.line(result))
          if let rejection = result.rejection { show("\(input.name) \(operation.rawValue): \(rejection)") }
          try check(result)
        } catch {
          failureCount += 1
          show("\(input.name) \(operation.rawValue): \(error)")
        }
      }
    }
    showProgress("")
    ResultTable.medians(of: results).forEach(show)
    try deliver(report)
    guard failureCount == 0 else {
      show("\(failureCount) of \(results.count + failureCount) jobs failed")
      throw ExitCode.failure
    }
  }

  /// Writes the report and its chart to the files that are asked for.
  private func deliver(_ report: BenchReport) throws {
    if let json { try report.write(toFile: json) }
    guard let path = chart else { return }
    guard let chart = report.chart else { throw BenchError(description: "there is no ratio to draw: use --peers") }
    try Data(chart.svg.utf8).write(to: URL(fileURLWithPath: path))
  }

  private func runScenarios() throws {
    if scenario == [ThroughputRun.name] { return try runThroughput() }
    let names = Scenario.allCases.map(\.rawValue)
    if let unknown = scenario.first(where: { $0 != "all" && !names.contains($0) }) {
      throw ValidationError("there is no scenario \(unknown)")
    }
    let chosen = Scenario.allCases.filter { scenario.contains("all") || scenario.contains($0.rawValue) }
    let folder = inputs.first ?? NSTemporaryDirectory() + "/bench-scenarios"
    let run = ScenarioRun(folder: folder, scenarios: chosen, rounds: rounds, comparesWithPeers: peers, python: python)
    guard let child else { return try deliver(run.run()) }
    guard let child = ScenarioRun.Child(rawValue: child) else { throw ValidationError("there is no child \(child)") }
    try run.runChild(child)
  }

  private func runThroughput() throws {
    let folder = inputs.first ?? NSTemporaryDirectory() + "/bench-throughput"
    let run = ThroughputRun(folder: folder, rounds: rounds, comparesWithPeers: peers, python: python)
    guard let child else { return try deliver(run.run()) }
    guard let child = ThroughputRun.Child(rawValue: child) else { throw ValidationError("there is no child \(child)") }
    try run.runChild(child)
  }

  /// Compares this executable with an older one on the selected inputs and operations.
  private func compareExecutables(_ old: String) throws {
    let operations = operation.flatMap { ["--operation", $0.rawValue] }
    let settings = [
      "--rounds", "3", "--warm-up", "1", "--effort", "\(effort)", "--quality", "\(quality)", "--threads", "\(threads)",
    ]
    let comparison = ExecutableComparison(
      old: old, new: CommandLine.arguments[0], arguments: settings + operations + (fresh ? ["--fresh"] : []),
      rounds: rounds)
    ExecutableComparison.head.forEach(show)
    var ratios: [Double] = []
    for input in try chosenInputs() {
      let rows = try comparison.rows(for: input, inFolders: inputs)
      rows.map(\.line).forEach(show)
      ratios += rows.map(\.ratio)
    }
    guard !ratios.isEmpty else { throw ValidationError("no input is selected") }
    show("the median of \(ratios.count) rows is \(ResultTable.decimal(ratios.median, digits: 3)) of the old time")
  }

  /// Checks a decode against the required speed.
  private func check(_ result: JobResult) throws {
    guard let atMost, result.operation == .rgba8 || result.operation == .frames else { return }
    let seconds = result.ours.median / max(Double(result.pixelCount) / 1e6, 1e-12)
    guard seconds <= atMost else {
      throw BenchError(
        description: "\(ResultTable.decimal(seconds, digits: 3)) s per megapixel, the maximum is \(atMost)")
    }
  }

  /// Prints a line on standard output immediately, so that a later crash does not lose it.
  private func show(_ line: String) {
    showProgress("")
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  private func chosenInputs() throws -> [BenchInput] {
    let selects = { (name: String, inputFormat: String) in
      (format.isEmpty || format.contains(inputFormat)) && filter.map { name.contains($0) } ?? true
    }
    if inputs.isEmpty { return try BenchInput.generated(selects: selects) }
    return inputs.flatMap(BenchInput.files).filter { selects($0.name, $0.format) }
  }

  private func findPeers() -> [String: any Peer] {
    var found: [String: any Peer] = [:]
    for finding in Peers.find(formats: Codecs.formats) {
      switch finding {
      case .found(let peer): found[peer.format] = peer
      case .missing(let name, let package): showMissing(name, package)
      }
    }
    return found
  }

  private func showMissing(_ library: String, _ package: String) {
    show("\(library) is not installed: no comparison with it (Debian's package \(package))")
  }

  private func findFramePeer() -> (any FramePeer)? {
    guard let peer = GIFLib() else {
      showMissing("giflib", "libgif7")
      return nil
    }
    return peer
  }

  /// Returns the peers that decode the coded pictures of formats.
  private func findPlanePeers(_ formats: Set<String>) -> [String: any PlanePeer] {
    var peers: [String: any PlanePeer] = [:]
    if formats.contains("heic") { peers["heic"] = LibDE265() }
    if formats.contains("avif") { peers["avif"] = LibDAV1D() }
    if formats.contains("avci") { peers["avci"] = LibAVCodec() }
    let packages = [
      ("heic", "libde265", "libde265-0"), ("avif", "libdav1d", "libdav1d6"), ("avci", "libavcodec", "libavcodec59"),
    ]
    for (format, library, package) in packages where formats.contains(format) && peers[format] == nil {
      showMissing(library, package)
    }
    return peers
  }

  private func findColorPeer() -> LittleCMS? {
    guard let peer = LittleCMS() else {
      showMissing("lcms2", "liblcms2-2")
      return nil
    }
    return peer
  }

  private func findSensorPeer() -> LibRaw? {
    guard let peer = LibRaw() else {
      showMissing("libraw", "libraw20")
      return nil
    }
    return peer
  }

  private func findDrawingPeer() -> (any DrawingPeer)? {
    guard let peer = LibRSVG() else {
      showMissing("librsvg", "librsvg2-2")
      return nil
    }
    return peer
  }

  /// Prints a line on standard error if that is a terminal.
  private func showProgress(_ text: String) {
    guard isatty(2) == 1 else { return }
    FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
  }
}

extension Operation: ExpressibleByArgument {}
