// Runs all triggers of a folder through all entry points, with default limits and with server limits. A crash, a hang
// or excessive time or memory is a failure.

import ConformanceKit

/// Runs the triggers of a folder.
struct TriggerRunner {
  /// The folder with the triggers.
  var folder: String
  /// The number of concurrent child processes.
  var childCount: Int
  /// Whether each run is printed with its time and memory.
  var isVerbose: Bool

  /// Runs the triggers and prints the report. Returns whether there were no failures.
  func run() throws -> Bool {
    let jobs = filesToDecode(in: folder).flatMap { path in
      TriggerLimits.allCases.flatMap { limits in
        TriggerWay.allCases.map { "\(limits.rawValue) \($0.rawValue) \(path)" }
      }
    }
    guard !jobs.isEmpty else {
      print("\(folder) contains no triggers; Conformance/Triggers/generate.py writes them")
      return false
    }
    var results = [CaseResult?](repeating: nil, count: jobs.count)
    var bar = ProgressBar(total: jobs.count)
    let pool = WorkerPool(arguments: ["worker", "trigger", folder], childCount: childCount)
    try pool.run(jobs) { index, result in
      results[index] = result
      if isVerbose { print("\(jobs[index]): \(result.outcome.name) \(result.outcome.reason)\(result.remark)") }
      bar.advance()
    }
    bar.clear()
    return report(zip(jobs, results).map { ($0, $1?.outcome ?? .failed("not run"), $1?.remark ?? "") })
  }

  private func report(_ results: [(job: String, outcome: Outcome, remark: String)]) -> Bool {
    var report = Report(columns: ["runs", "values", "typed errors", "failures"])
    for (job, outcome, remark) in results {
      let words = job.split(separator: " ", maxSplits: 2)
      let format = words.last?.split(separator: "-").first.map { String($0) } ?? ""
      report.count(suite: format, column: "runs")
      let column = outcome != .passed ? "failures" : remark.contains(" MiB: error: ") ? "typed errors" : "values"
      report.count(suite: format, column: column)
    }
    print(report.table)
    for (job, outcome, _) in results {
      if case .failed(let reason) = outcome { print("\(job): \(reason)") }
    }
    return report.total("failures") == 0
  }
}
