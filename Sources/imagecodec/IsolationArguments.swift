// The options of `batch` that isolate workers in child processes.

internal import ArgumentParser
internal import ImageCodecs

/// Whether and how workers are isolated.
struct IsolationArguments: ParsableArguments {
  @Flag(
    help: """
      Run each worker as a child process with limits on memory and processor time. A job whose worker ends is an error; \
      the others continue with a new worker.
      """)
  var isolate = false

  @Option(
    help: ArgumentHelp(
      """
      With --isolate: the memory that a worker may allocate. Default: twice that of the limits, for files and what is \
      not part of decoding, and 256 MiB; none if the limits are unlimited. Linux only; other systems do not enforce it.
      """, valueName: "MiB"))
  var memory: Int?

  @Option(
    help: ArgumentHelp(
      """
      With --isolate: the processor time of a job, in whole seconds. Default: 60, or twice --deadline if that is more. \
      Its result is awaited ten times as long, and at least two minutes. Linux and macOS only.
      """, valueName: "seconds"))
  var processorTime: Int?

  func validate() throws {
    if !isolate {
      if memory != nil { throw ValidationError("--memory requires --isolate") }
      if processorTime != nil { throw ValidationError("--processor-time requires --isolate") }
    }
    try Self.check(memory: memory, processorTime: processorTime)
  }

  /// Throws if an option is out of range.
  static func check(memory: Int?, processorTime: Int?) throws {
    if let memory, !(64...1 << 20).contains(memory) {
      throw ValidationError("--memory must be between 64 and \(1 << 20), not \(memory)")
    }
    if let processorTime, !(1...1_000_000).contains(processorTime) {
      throw ValidationError("--processor-time must be between 1 and 1000000, not \(processorTime)")
    }
  }

  /// Returns how workers are isolated; `nil` if they are threads of this process.
  func isolation(limits: DecodingArguments.Limits, deadline: Double?) -> Isolation? {
    guard isolate else { return nil }
    let processorTime = processorTime ?? max(60, Int((2 * (deadline ?? 0)).rounded(.up)))
    var arguments = ["batch-worker", "--limits", limits.rawValue, "--processor-time", String(processorTime)]
    if let deadline { arguments += ["--deadline", String(deadline)] }
    if let memory = memory ?? Self.defaultMemory(limits.value) { arguments += ["--memory", String(memory)] }
    return Isolation(arguments: arguments, patience: .seconds(max(120, 10 * processorTime)))
  }

  /// The memory of a worker in MiB. The limits apply to a decode; a worker also holds the file, which may be as large, and
  /// the output, kept buffers and the program.
  private static func defaultMemory(_ limits: DecodingLimits) -> Int? {
    limits.maximumByteCount == .max ? nil : 2 * (limits.maximumByteCount >> 20) + 256
  }
}
