// `imagecodec batch-worker`: the child process of `imagecodec batch --isolate`. Not for direct use.

internal import ArgumentParser
internal import ImageCodecs
internal import Platform

/// Runs the jobs that another process of the tool sends. A job is its number, a space and its line; the answer is `+` or `-`
/// for success or failure, and the line of the result.
struct BatchWorker: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch-worker", abstract: "Run the jobs of 'batch --isolate'.", shouldDisplay: false)

  @Option var limits = DecodingArguments.Limits.server
  @Option var deadline: Double?
  @Option var memory: Int?
  @Option var processorTime: Int

  func validate() throws {
    try IsolationArguments.check(memory: memory, processorTime: processorTime)
  }

  func run() throws {
    let byteCount = memory.map { (memory: Int) -> Int in
      let (bytes, overflow) = memory.multipliedReportingOverflow(by: 1 << 20)
      return overflow ? .max : bytes
    }
    let bounds = ResourceBounds(dataByteCount: byteCount, processorSeconds: processorTime)
    bounds.apply()
    var limits = limits.value
    if let deadline { limits.deadline = .seconds(deadline) }
    var options = BatchRunner.options(limits: limits)
    let parent = ParentProcess()
    options.shouldCancel = { parent.hasEnded }
    // A number and a space precede the line.
    var lines = InputLines(maximumByteCount: InputLines.maximumByteCount + 32)
    while let line = lines.next() {
      guard let bytes = line.bytes, let space = bytes.firstIndex(of: UInt8(ascii: " ")),
        let number = Int(String(decoding: bytes[..<space], as: UTF8.self))
      else { throw ToolFailure(file: "-", usage: "the line is not a job with its number") }
      bounds.renewProcessorTime()
      let job = InputLines.Line(number: number, bytes: Array(bytes[(space + 1)...]))
      let result = BatchResult(line: job, options: options)
      try StandardStreams.printLine((result.isSuccess ? "+" : "-") + result.text)
    }
  }
}
