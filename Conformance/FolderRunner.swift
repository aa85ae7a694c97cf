// Examines all files below a folder in child processes and counts the outcomes by folder. A crash, a hang or excessive
// time or memory is a failure, whatever the examination.

import ConformanceKit

/// Runs the files of a folder.
struct FolderRunner {
  /// An examination of a file.
  enum Examination: String {
    /// It is decoded through all entry points.
    case examine
    /// Its metadata is removed, which must not change its pictures.
    case strip

    /// The outcomes that are counted, besides failures.
    var columns: [String] {
      switch self {
      case .examine: ["values", "typed errors", "no decoder"]
      case .strip: ["same pictures", "no picture", "refused", "unsupported"]
      }
    }

    /// Returns the column of an outcome.
    func column(of result: CaseResult) -> String {
      switch (result.outcome, self) {
      case (.passed, .examine): result.remark == "value" ? "values" : "typed errors"
      case (.passed, .strip): columns.first { $0 == result.remark } ?? "refused"
      case (.unsupported, .examine): "no decoder"
      case (.unsupported, .strip): "unsupported"
      case (.failed, _), (.skipped, _): "failures"
      }
    }
  }

  /// The examination that is applied to each file.
  var examination: Examination
  /// The folder, which is searched recursively.
  var folder: String
  /// Returns whether a file is run.
  var selects: (String) -> Bool
  /// The number of concurrent child processes.
  var childCount: Int
  /// Whether each file is printed with its outcome.
  var isVerbose: Bool

  /// Runs the files and prints the report. Returns whether there were no failures.
  func run() throws -> Bool {
    let paths = filesToDecode(in: folder).filter(selects)
    guard !paths.isEmpty else {
      print("no file of \(folder) is selected")
      return false
    }
    var results = [CaseResult?](repeating: nil, count: paths.count)
    var bar = ProgressBar(total: paths.count)
    let start = ContinuousClock.now
    let pool = WorkerPool(arguments: ["worker", examination.rawValue, folder], childCount: childCount)
    try pool.run(paths) { index, result in
      results[index] = result
      bar.advance()
    }
    bar.clear()
    let seconds = (start.duration(to: .now) / .milliseconds(100)).rounded() / 10
    return report(zip(paths, results).map { ($0, $1 ?? CaseResult(.failed("not run"))) }, seconds: seconds)
  }

  private func report(_ results: [(path: String, result: CaseResult)], seconds: Double) -> Bool {
    var report = Report(columns: ["files"] + examination.columns + ["failures"])
    for (path, result) in results {
      let suite = path.firstIndex(of: "/").map { String(path[..<$0]) } ?? "."
      report.count(suite: suite, column: "files")
      report.count(suite: suite, column: examination.column(of: result))
      if isVerbose { print("\(path)  \(result.outcome.name)  \(result.outcome.reason)\(result.remark)") }
    }
    print(report.table)
    for (path, result) in results {
      if case .failed(let reason) = result.outcome { print("\(path): \(reason)") }
    }
    print("\(seconds) s")
    return report.total("failures") == 0
  }
}
