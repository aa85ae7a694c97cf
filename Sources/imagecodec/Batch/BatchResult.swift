// The outcome of a job of `imagecodec batch`, as a line of JSON. The article CommandLineTool lists the members.

internal import ImageCodecs

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The outcome of a line of the input, as a line of the output.
struct BatchResult {
  let isSuccess: Bool
  let text: String

  /// A result that another process has made.
  init(isSuccess: Bool, text: String) {
    self.isSuccess = isSuccess
    self.text = text
  }

  /// Runs the job of a line.
  init(line: InputLines.Line, options: DecodingOptions) {
    self.init(line: line) { (job, result) throws in
      let start = ContinuousClock.now
      let made = try Self.run(job, options)
      result.add("status", "ok")
      result.add("width", made.size.width)
      result.add("height", made.size.height)
      result.add("frames", made.frameCount)
      result.add("bytes", made.bytes.count)
      result.add("warnings", made.details.diagnostics.count)
      result.add("milliseconds", start.duration(to: .now).milliseconds)
    }
  }

  /// The result of a line whose worker has ended.
  init(line: InputLines.Line, workerFailure: WorkerFailure) {
    self.init(line: line) { (_, _) throws in throw workerFailure }
  }

  private init(line: InputLines.Line, _ run: (BatchJob, inout JSONLine) throws -> Void) {
    var result = JSONLine()
    result.add("line", line.number)
    do {
      guard let bytes = line.bytes else {
        throw BatchJobError(reason: "the line exceeds \(InputLines.maximumByteCount) bytes")
      }
      let job = try BatchJob(line: bytes)
      if let id = job.id { result.add("id", literal: id) }
      result.add("input", name: job.input)
      result.add("output", name: job.output)
      try run(job, &result)
      isSuccess = true
    } catch {
      result.add("status", "error")
      Self.describe(error, in: &result)
      isSuccess = false
    }
    text = result.text
  }

  private static func run(_ job: BatchJob, _ options: DecodingOptions) throws -> EncodedThumbnail {
    if !job.overwritesInput, StandardStreams.isSameFile(job.input, job.output) {
      throw BatchJobError(reason: "the output is the same file as the input")
    }
    if StandardStreams.isStandardOutput(job.output) {
      throw BatchJobError(reason: "the output is standard output, which receives the results")
    }
    var options = options
    if let deadline = job.deadline { options.limits.deadline = .seconds(deadline) }
    // Not mapped: another program may truncate the file meanwhile.
    let data = Data(try StandardStreams.readFile(job.input, limits: options.limits))
    let made = try job.format.encodeThumbnail(job.request, of: data, settings: job.settings, options: options)
    try StandardStreams.write(made.bytes, to: job.output)
    return made
  }

  private static func describe(_ error: any Error, in result: inout JSONLine) {
    switch error {
    case let error as BatchJobError:
      result.add("kind", "invalidJob")
      result.add("reason", error.reason)
    case let error as WorkerFailure:
      result.add("kind", "workerFailed")
      result.add("reason", error.reason)
    case let error as CodecError:
      result.add("kind", error.kind.rawValue)
      result.add("reason", error.reason)
      result.add("limit", error.limit?.rawValue)
      if let byteOffset = error.byteOffset { result.add("byteOffset", byteOffset) }
    case let error as ToolFailure:
      result.add("kind", CodecError.Kind.fileAccessFailed.rawValue)
      result.add("reason", error.description)
    default:
      result.add("kind", CodecError.Kind.fileAccessFailed.rawValue)
      result.add("reason", "\(error)")
    }
  }
}
