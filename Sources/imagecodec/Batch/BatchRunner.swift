// The workers of `imagecodec batch`: each takes a line, makes the thumbnail or has a child process make it, and writes the
// result.

internal import ImageCodecs
internal import Platform
internal import Threading

/// Runs jobs from standard input on several threads. A job that fails does not affect the others.
final class BatchRunner: Sendable {
  private struct State {
    var done = 0
    var failed = 0
    var lastDrawn = ContinuousClock.now
    /// The number of threads that have not ended, and of those that run a job.
    var threads = 0
    var busy = 0
    /// The reason for which no more jobs are taken.
    var error: (any Error)?

    /// Whether no thread is going to write a result. A thread that waits for a line need not end.
    var isOver: Bool { threads == 0 || (error != nil && busy == 0) }
  }

  private let options: DecodingOptions
  private let isolation: Isolation?
  private let lines = Mutex(InputLines())
  private let state = Mutex(State())
  private let change = CountingSemaphore()
  private let showsProgress = StandardStreams.isErrorTerminal

  /// - Parameter isolation: how workers are isolated; `nil` if they are threads of this process.
  init(options: DecodingOptions, isolation: Isolation?) {
    self.options = options
    self.isolation = isolation
  }

  /// The options of jobs with limits. Buffers are kept from one job for the next.
  static func options(limits: DecodingLimits) -> DecodingOptions {
    DecodingOptions(limits: limits, bufferPool: BufferPool(maximumByteCount: 64 << 20))
  }

  /// Runs all jobs, and returns the number of those that failed.
  ///
  /// - Throws: ``LostOutput``; ``ToolFailure`` if jobs cannot be read or no worker can be started.
  func run(threadCount: Int) throws -> Int {
    for _ in 0..<threadCount {
      state.withLock { $0.threads += 1 }
      do throws(SystemError) {
        try SystemThread.start { [self] in
          work()
          leave()
        }
      } catch {
        end(ToolFailure(file: "batch", usage: "a thread cannot be started: \(error.reason)"))
        leave()
        break
      }
    }
    repeat { change.wait() } while !state.withLock({ $0.isOver })
    let (failed, error) = state.withLock { state in
      if showsProgress, state.done > 0 { StandardStreams.writeError("\r\u{1B}[K") }
      return (state.failed, state.error)
    }
    if let error { throw error }
    if let failure = lines.withLock({ $0.failure }) {
      throw ToolFailure(file: "-", usage: "cannot be read: \(failure.reason)")
    }
    return failed
  }

  private func work() {
    let worker = isolation.map { IsolatedWorker($0) }
    // Objects of Foundation that are released late would accumulate on platforms with reference pools.
    while let line = lines.withLock({ $0.next() }) {
      let isEnding = state.withLock { state in
        if state.error == nil { state.busy += 1 }
        return state.error != nil
      }
      if isEnding { return }
      do {
        try report(worker?.result(of: line) ?? BatchResult(line: line, options: options))
      } catch let error as SystemError {
        end(ToolFailure(file: "batch", usage: "a worker cannot be started: \(error.reason)"))
      } catch {
        end(error)
      }
      state.withLock { $0.busy -= 1 }
      change.signal()
    }
  }

  /// Ends a thread.
  private func leave() {
    state.withLock { $0.threads -= 1 }
    change.signal()
  }

  private func end(_ error: any Error) {
    state.withLock { state in
      if state.error == nil { state.error = error }
    }
  }

  private func report(_ result: BatchResult) throws(LostOutput) {
    let outcome = state.withLock { state in
      Result { () throws(LostOutput) in
        try StandardStreams.printLine(result.text)
        state.done += 1
        if !result.isSuccess { state.failed += 1 }
        guard showsProgress, state.lastDrawn.duration(to: .now) > .milliseconds(100) else { return }
        state.lastDrawn = .now
        StandardStreams.writeError("\r\(state.done) done, \(state.failed) failed")
      }
    }
    try outcome.get()
  }
}
