// Runs the colour-managed references of a folder, and reports the distances by kind of profile.

import ConformanceKit

/// Runs the rows of ICC.tsv and ICC-existing.tsv.
struct ColorRunner {
  /// The folder with the tables.
  var folder: String
  /// The number of concurrent child processes.
  var childCount: Int
  /// Whether each failing row is printed with its reason.
  var showsFailures: Bool
  /// Whether each row is printed with its outcome.
  var isVerbose: Bool

  /// Runs the rows and prints the report. Returns whether there were no failures.
  func run() throws -> Bool {
    let cases = ColorEvaluator.cases(in: folder)
    guard !cases.isEmpty else {
      print("\(folder) contains no rows of \(ColorEvaluator.tables.joined(separator: " or "))")
      return false
    }
    var results = [CaseResult?](repeating: nil, count: cases.count)
    var bar = ProgressBar(total: cases.count)
    let pool = WorkerPool(arguments: ["worker", "color", folder], childCount: childCount)
    try pool.run(cases.indices.map { String($0) }) { position, result in
      results[position] = result
      bar.advance()
    }
    bar.clear()
    return report(zip(cases, results).map { ($0, $1 ?? CaseResult(.failed("not run"))) })
  }

  private func report(_ results: [(case: ColorEvaluator.Case, result: CaseResult)]) -> Bool {
    var report = Report(columns: ["rows", "exact", "passed", "failed", "unsupported", "skipped"])
    var worst: [String: Double] = [:]
    for (test, result) in results {
      let words = result.remark.split(separator: " ")
      let name = "\(words.first ?? "unknown") \(test.depth)"
      report.count(suite: name, column: "rows")
      report.count(suite: name, column: result.outcome.name)
      if words.count == 2, let distance = Double(words[1]) {
        if distance == 0 { report.count(suite: name, column: "exact") }
        worst[name] = max(worst[name] ?? 0, distance)
      }
      let isFailure = result.outcome.name == "failed"
      if isVerbose || (isFailure && showsFailures) {
        print(
          "\(result.outcome.name)  \(test.path) \(test.intent) \(test.depth)  \(result.outcome.reason)\(result.remark)")
      }
    }
    print(report.table)
    for (name, distance) in worst.sorted(by: { $0.key < $1.key }) {
      print("\(name): at most \(distance) of 255 levels from the reference")
    }
    return report.total("failed") == 0
  }
}
