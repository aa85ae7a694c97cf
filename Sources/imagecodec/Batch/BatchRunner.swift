// The workers of `imagecodec batch`: each takes a line, makes the thumbnail and writes the result.

internal import Foundation
internal import ImageCodecs
internal import Threading

/// Runs jobs from standard input on several threads. A job that fails does not affect the others.
final class BatchRunner: Sendable {
  private struct Counts {
    var done = 0
    var failed = 0
    var lastDrawn = ContinuousClock.now
  }

  private let options: DecodingOptions
  private let lines: Mutex<InputLines>
  private let counts = Mutex(Counts())
  private let showsProgress = StandardStreams.isErrorTerminal

  /// The number of bytes that are kept between jobs at most.
  private static let keptByteCount = 64 << 20

  init(limits: DecodingLimits) {
    options = DecodingOptions(limits: limits, bufferPool: BufferPool(maximumByteCount: Self.keptByteCount))
    lines = Mutex(InputLines(descriptor: FileHandle.standardInput.fileDescriptor))
  }

  /// Runs all jobs, and returns the number of those that failed.
  func run(threadCount: Int) -> Int {
    let group = DispatchGroup()
    for _ in 0..<threadCount {
      group.enter()
      let thread = Thread { [self] in
        work()
        group.leave()
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
    group.wait()
    return counts.withLock { counts in
      if showsProgress, counts.done > 0 { StandardStreams.writeError("\r\u{1B}[K") }
      return counts.failed
    }
  }

  private func work() {
    // Objects of Foundation that are released late would accumulate on platforms with reference pools.
    while let line = lines.withLock({ $0.next() }) {
      let result = BatchResult(line: line, options: options)
      counts.withLock { counts in
        StandardStreams.writeOutput(result.text + "\n")
        counts.done += 1
        if !result.isSuccess { counts.failed += 1 }
        guard showsProgress, counts.lastDrawn.duration(to: .now) > .milliseconds(100) else { return }
        counts.lastDrawn = .now
        StandardStreams.writeError("\r\(counts.done) done, \(counts.failed) failed")
      }
    }
  }
}

/// The outcome of a line of the input, as a line of the output.
struct BatchResult {
  let isSuccess: Bool
  let text: String

  /// Runs the job of a line.
  init(line: InputLines.Line, options: DecodingOptions) {
    var result = JSONLine()
    result.add("line", line.number)
    do {
      guard let bytes = line.bytes else {
        throw BatchJobError(reason: "the line exceeds \(InputLines.maximumByteCount) bytes")
      }
      let job = try BatchJob(line: bytes)
      switch job.id {
      case .text(let text)?: result.add("id", text)
      case .number(let number)?: result.add("id", number)
      case nil: break
      }
      result.add("input", job.input)
      result.add("output", job.output)
      let start = ContinuousClock.now
      let made = try Self.run(job, options)
      result.add("status", "ok")
      result.add("width", made.size.width)
      result.add("height", made.size.height)
      result.add("frames", made.frameCount)
      result.add("bytes", made.bytes.count)
      result.add("warnings", made.details.diagnostics.count)
      result.add("milliseconds", start.duration(to: .now).milliseconds)
      isSuccess = true
    } catch {
      result.add("status", "error")
      Self.describe(error, in: &result)
      isSuccess = false
    }
    text = result.text
  }

  private static func run(_ job: BatchJob, _ options: DecodingOptions) throws -> EncodedThumbnail {
    var options = options
    if let deadline = job.deadline { options.limits.deadline = .seconds(deadline) }
    // Not mapped: another program may truncate the file meanwhile.
    let data = try StandardStreams.readFile(job.input, maximumByteCount: options.limits.maximumByteCount)
    let made = try job.format.encodeThumbnail(job.request, of: data, settings: job.settings, options: options)
    try StandardStreams.write(made.bytes, to: job.output)
    return made
  }

  private static func describe(_ error: any Error, in result: inout JSONLine) {
    switch error {
    case let error as BatchJobError:
      result.add("kind", "invalidJob")
      result.add("reason", error.reason)
    case let error as CodecError:
      result.add("kind", error.kind.rawValue)
      result.add("reason", error.reason)
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
