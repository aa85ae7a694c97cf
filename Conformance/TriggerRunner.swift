// Runs all triggers of a folder through all entry points, with default limits and with server limits. A crash, a hang
// or excessive time or memory is a failure.

import ConformanceKit

/// Runs the triggers of a folder.
struct TriggerRunner {
  /// How often a run that failed is repeated with no other run beside it. The processor time of a program grows with what
  /// else uses the memory and the caches of the machine, so the least time counts.
  private static let repetitionCount = 2

  /// The folder with the triggers.
  var folder: String
  /// The processor time in seconds that each entry point may take.
  var allowedSeconds: Double
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
    try perform(jobs.indices, of: jobs, childCount: childCount, into: &results)
    for _ in 0..<Self.repetitionCount {
      let failed = jobs.indices.filter { results[$0]?.outcome != .passed }
      if !failed.isEmpty { try perform(failed, of: jobs, childCount: 1, into: &results) }
    }
    return report(zip(jobs, results).map { ($0, $1?.outcome ?? .failed("not run"), $1?.remark ?? "") })
  }

  private func perform(
    _ indices: some Collection<Int>, of jobs: [String], childCount: Int, into results: inout [CaseResult?]
  ) throws {
    let indices = Array(indices)
    var bar = ProgressBar(total: indices.count)
    let pool = WorkerPool(arguments: ["worker", "trigger", folder], childCount: childCount)
    try pool.run(indices.map { "\(allowedSeconds) \(jobs[$0])" }) { place, result in
      let index = indices[place]
      results[index] = result
      if isVerbose { print("\(jobs[index]): \(result.outcome.name) \(result.outcome.reason)\(result.remark)") }
      bar.advance()
    }
    bar.clear()
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
