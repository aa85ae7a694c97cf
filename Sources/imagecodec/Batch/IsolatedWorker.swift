// A worker of `imagecodec batch --isolate`: a child process that may crash without effect on other jobs.

internal import Platform

/// The isolation of workers.
struct Isolation: Sendable {
  /// The arguments of the child processes.
  var arguments: [String]
  /// The wall-clock time after which a job without a result fails.
  var patience: Duration
}

/// A worker has ended, or does not answer.
struct WorkerFailure: Error {
  /// The description of the failure, as the reason of a failed job.
  var reason: String
}

/// Runs jobs in a child process. After a failure another child runs the next job.
final class IsolatedWorker {
  private let isolation: Isolation
  private var child: ChildProcess?

  init(_ isolation: Isolation) {
    self.isolation = isolation
  }

  deinit {
    _ = child?.end(killing: true)
  }

  /// Runs the job of a line.
  ///
  /// - Throws: an error of the system if no child can be started.
  func result(of line: InputLines.Line) throws(SystemError) -> BatchResult {
    guard let bytes = line.bytes else { return BatchResult(line: line, workerFailure: WorkerFailure(reason: "")) }
    let child = try readyChild()
    child.send(Array("\(line.number) ".utf8) + bytes)
    do throws(WorkerFailure) {
      return try answer(of: child)
    } catch {
      self.child = nil
      return BatchResult(line: line, workerFailure: error)
    }
  }

  /// Returns a child that waits for a job. One that has ended in the meantime, without a job, is replaced.
  private func readyChild() throws(SystemError) -> ChildProcess {
    if let child, ChildProcess.awaitAny(of: [child], milliseconds: 0).isEmpty { return child }
    child?.end(killing: true)
    child = nil
    let new = try ChildProcess(arguments: isolation.arguments)
    child = new
    return new
  }

  private func answer(of child: ChildProcess) throws(WorkerFailure) -> BatchResult {
    let deadline = ContinuousClock.now + isolation.patience
    while true {
      let rest = ContinuousClock.now.duration(to: deadline).milliseconds
      guard rest > 0 else {
        child.end(killing: true)
        throw WorkerFailure(reason: "the worker did not answer within \(isolation.patience.components.seconds) seconds")
      }
      guard !ChildProcess.awaitAny(of: [child], milliseconds: Int32(clamping: rest)).isEmpty else { continue }
      switch child.receive() {
      case .none: continue
      case .line(let line):
        // The first character states the success.
        return BatchResult(
          isSuccess: line.first == UInt8(ascii: "+"), text: String(decoding: line.dropFirst(), as: UTF8.self))
      case .ended:
        // A child that has ended is not affected; one that has only closed its output would never end.
        let ending = child.end(killing: true)
        let words = child.lastWords()
        throw WorkerFailure(reason: "the worker \(ending)\(words.isEmpty ? "" : ": \(words)")")
      }
    }
  }
}
