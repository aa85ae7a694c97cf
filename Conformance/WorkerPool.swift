// Distributes jobs to child processes and collects the results. A child that crashes or hangs fails only its current
// job; a new child continues with the next one.

import ConformanceKit
import Platform

/// Runs jobs in concurrent child processes.
struct WorkerPool {
  /// The arguments of the child processes.
  var arguments: [String]
  /// The number of concurrent child processes.
  var childCount: Int
  /// The maximum wall-clock time of a job.
  var patience: Duration = .seconds(30)

  private struct Worker {
    var child: ChildProcess
    var job: Int
    var deadline: ContinuousClock.Instant
  }

  /// Runs all jobs and reports each result with the index of its job, in order of completion.
  func run(_ jobs: [String], report: (Int, CaseResult) -> Void) throws {
    var workers: [Worker] = []
    var nextJob = 0
    while nextJob < jobs.count || !workers.isEmpty {
      while workers.count < childCount, nextJob < jobs.count {
        workers.append(try start(nextJob, jobs, on: makeChild()))
        nextJob += 1
      }
      let ready = ChildProcess.awaitAny(of: workers.map(\.child), milliseconds: 250)
      for index in workers.indices.reversed() {
        guard let result = result(of: workers[index], hasSpoken: ready.contains(index)) else { continue }
        report(workers[index].job, result.0)
        if result.isAlive, nextJob < jobs.count {
          workers[index] = start(nextJob, jobs, on: workers[index].child)
          nextJob += 1
        } else {
          workers.remove(at: index).child.end(killing: true)
        }
      }
    }
  }

  private func makeChild() throws -> ChildProcess {
    // Large blocks are always returned to the system, so that the peak of a file does not hide that of the next one.
    let environment = ["MALLOC_MMAP_THRESHOLD_": "131072", "MALLOC_TRIM_THRESHOLD_": "131072"]
    return try ChildProcess(arguments: arguments, environment: environment)
  }

  private func start(_ job: Int, _ jobs: [String], on child: ChildProcess) -> Worker {
    child.send(Array(jobs[job].utf8))
    return Worker(child: child, job: job, deadline: .now + patience)
  }

  /// Returns the result of a child's job and whether the child can take another one; `nil` while it is running.
  private func result(of worker: Worker, hasSpoken: Bool) -> (CaseResult, isAlive: Bool)? {
    if hasSpoken {
      switch worker.child.receive() {
      case .line(let bytes):
        let line = String(decoding: bytes, as: UTF8.self)
        return (CaseResult(line: line) ?? CaseResult(.failed("malformed answer: \(line)")), true)
      case .ended:
        let ending = worker.child.end(killing: false)
        return (CaseResult(.failed(reason(for: ending, lastWords: worker.child.lastWords()))), false)
      case .none: break
      }
    }
    if worker.deadline < .now {
      worker.child.end(killing: true)
      return (CaseResult(.failed("hangs: no answer within \(patience)")), false)
    }
    return nil
  }

  private func reason(for ending: ChildEnding, lastWords: String) -> String {
    "the child \(ending)\(lastWords.isEmpty ? "" : ": \(lastWords)")"
  }
}
