// Strips all files below a folder in child processes and counts the outcomes by folder. A picture that differs afterwards,
// a crash or a hang is a failure.

import ConformanceKit

/// Runs the files of a folder.
struct StrippedRunner {
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
    let pool = WorkerPool(arguments: ["worker", "strip", folder], childCount: childCount)
    try pool.run(paths) { index, result in
      results[index] = result
      bar.advance()
    }
    bar.clear()
    return report(zip(paths, results).map { ($0, $1 ?? CaseResult(.failed("not run"))) })
  }

  private func report(_ results: [(path: String, result: CaseResult)]) -> Bool {
    var report = Report(columns: ["files", "same pictures", "no picture", "refused", "unsupported", "failures"])
    for (path, result) in results {
      let suite = path.firstIndex(of: "/").map { String(path[..<$0]) } ?? "."
      report.count(suite: suite, column: "files")
      report.count(suite: suite, column: column(of: result))
      if isVerbose { print("\(path)  \(result.outcome.name)  \(result.outcome.reason)\(result.remark)") }
    }
    print(report.table)
    for (path, result) in results {
      if case .failed(let reason) = result.outcome { print("\(path): \(reason)") }
    }
    return report.total("failures") == 0
  }

  private func column(of result: CaseResult) -> String {
    switch result.outcome {
    case .passed:
      switch result.remark {
      case StrippedExaminer.Remark.samePictures: "same pictures"
      case StrippedExaminer.Remark.noPicture: "no picture"
      default: "refused"
      }
    case .unsupported: "unsupported"
    case .failed, .skipped: "failures"
    }
  }
}
