// Distributes jobs to child processes and collects the results. A child that crashes or hangs fails only its current
// job; a new child continues with the next one.

import ConformanceKit

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
        workers.append(try start(nextJob, jobs, on: ChildProcess(arguments: arguments)))
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

  private func start(_ job: Int, _ jobs: [String], on child: ChildProcess) -> Worker {
    child.send(jobs[job])
    return Worker(child: child, job: job, deadline: .now + patience)
  }

  /// Returns the result of a child's job and whether the child can take another one; `nil` while it is running.
  private func result(of worker: Worker, hasSpoken: Bool) -> (CaseResult, isAlive: Bool)? {
    if hasSpoken {
      switch worker.child.receive() {
      case .line(let line):
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

  private func reason(for ending: ChildProcess.Ending, lastWords: String) -> String {
    let said = lastWords.isEmpty ? "" : ": \(lastWords)"
    switch ending {
    case .exited(let code): return "the child ended with code \(code)\(said)"
    case .signalled(let signal): return "the child was ended by signal \(signal)\(meaning(of: signal))\(said)"
    }
  }

  private func meaning(of signal: Int32) -> String {
    switch signal {
    case 4, 5: " (trap)"
    case 6: " (abort or out of memory)"
    case 8: " (arithmetic)"
    case 9: " (killed)"
    case 11: " (invalid memory access or stack overflow)"
    case 24: " (processor time limit)"
    default: ""
    }
  }
}
