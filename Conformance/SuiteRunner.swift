// Evaluates all cases of a folder's manifest in child processes, counts the outcomes by suite and compares them with
// the lists.

import ConformanceKit

/// Runs the cases of a folder.
struct SuiteRunner {
  /// The folder with MANIFEST.tsv.
  var folder: String
  /// The formats to run; empty for all.
  var formats: [String]
  /// The suites to run; empty for all.
  var suites: [String]
  /// The number of concurrent child processes.
  var childCount: Int
  /// The expected results.
  var expectations: SuiteExpectations
  /// Whether each failing file is printed with its reason.
  var showsFailures: Bool
  /// Whether each file is printed with its outcome.
  var isVerbose: Bool
  /// The folder for the page of failing cases, or `nil`.
  var reportFolder: String?

  /// Runs the cases and prints the report. Returns whether all outcomes are the expected ones.
  func run() throws -> Bool {
    let cases = try Manifest(folder: folder).cases
    let chosen = cases.indices.filter { selectsSuite(cases[$0].suite) && selectsFormat(cases[$0].format) }
    guard !chosen.isEmpty else {
      Swift.print("no case of \(folder) is selected")
      return false
    }
    var results = [CaseResult?](repeating: nil, count: chosen.count)
    var bar = ProgressBar(total: chosen.count)
    let pool = WorkerPool(arguments: ["worker", "evaluate", folder], childCount: childCount)
    try pool.run(chosen.map { String($0) }) { position, result in
      results[position] = result
      bar.advance()
    }
    bar.clear()
    let pairs = zip(chosen, results).map { (cases[$0], $1 ?? CaseResult(.failed("not run"))) }
    let isClean = print(pairs)
    if let reportFolder { try writePage(of: zip(chosen, pairs).map { ($0, $1.0, $1.1.outcome) }, into: reportFolder) }
    return isClean
  }

  private func selectsFormat(_ format: String) -> Bool { formats.isEmpty || formats.contains(format) }
  private func selectsSuite(_ suite: String) -> Bool { suites.isEmpty || suites.contains(suite) }

  /// Shows the failing cases. Child processes make the images, because a failing case may crash.
  private func writePage(of results: [(number: Int, case: ConformanceCase, outcome: Outcome)], into target: String)
    throws
  {
    let failing = results.filter { $0.outcome.name == "failed" }
    try makeFolder(target)
    var pictures = [CaseResult?](repeating: nil, count: failing.count)
    let pool = WorkerPool(arguments: ["worker", "depict", folder, target], childCount: childCount)
    try pool.run(failing.map { String($0.number) }) { pictures[$0] = $1 }
    var page = FailurePage(title: folder, passedCount: results.filter { $0.outcome == .passed }.count)
    for (failure, picture) in zip(failing, pictures) {
      page.add(
        failure.case, number: failure.number, reason: failure.outcome.reason,
        knownCause: expectations.knownFailures.causes[failure.case.path], hasPictures: picture?.outcome == .passed)
    }
    try writeFile([UInt8](page.html.utf8), to: target + "/index.html")
    Swift.print("\(failing.count) failing cases are shown in \(target)/index.html")
  }

  private func print(_ results: [(case: ConformanceCase, result: CaseResult)]) -> Bool {
    var report = Report(columns: ["passed", "failed", "unsupported", "skipped"])
    for (test, result) in results {
      report.count(suite: test.suite, column: result.outcome.name)
      if isVerbose {
        let words = [result.outcome.name, test.path, result.outcome.reason, result.remark]
        Swift.print(words.filter { !$0.isEmpty }.joined(separator: "  "))
      }
    }
    Swift.print(report.table)
    printObservations(results)
    if showsFailures {
      for (test, result) in results {
        guard case .failed(let reason) = result.outcome else { continue }
        let cause = expectations.knownFailures.causes[test.path].map { " (known: \($0))" } ?? ""
        Swift.print("\(test.path): \(reason)\(cause)")
      }
    }
    return expectations.judge(
      results, folder: folder, countsPasses: formats.isEmpty, selectsSuite: selectsSuite)
  }

  /// Prints the outcomes of files that may have any outcome, and of Apple's variants.
  private func printObservations(_ results: [(case: ConformanceCase, result: CaseResult)]) {
    let observed = results.filter { $0.case.expectation == .any && $0.result.outcome == .passed }
    func count(_ prefix: String) -> Int { observed.filter { $0.result.remark.hasPrefix(prefix) }.count }
    if !observed.isEmpty {
      let matching = count("matches")
      let differing = count("differs")
      let decoding = count("decodes")
      Swift.print(
        "any outcome allowed: \(observed.count), of which \(matching) match the reference, \(differing) differ, "
          + "\(decoding) have no reference, \(observed.count - matching - differing - decoding) throw an error")
    }
    let variants = results.filter { $0.case.suite == "pngsuite-cgbi" }
    if !variants.isEmpty {
      let matching = variants.filter { $0.result.outcome == .passed }.count
      Swift.print("pngsuite-cgbi: \(matching) of \(variants.count) equal to the PngSuite file of the same name")
    }
  }
}
