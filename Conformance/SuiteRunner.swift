// All cases of a folder's manifest, evaluated in children, counted by suite and held against the known failures.

import ConformanceKit

/// Runs the cases of a folder.
struct SuiteRunner {
  /// Holds MANIFEST.tsv.
  var folder: String
  /// The formats to run; empty for all.
  var formats: [String]
  /// The suites to run; empty for all.
  var suites: [String]
  /// Children at a time.
  var childCount: Int
  /// What the run is held against.
  var expectations: SuiteExpectations
  /// Whether every failing file is printed with its reason.
  var showsFailures: Bool
  /// Whether every file is printed with what became of it.
  var isVerbose: Bool
  /// Where a page of the failing cases goes.
  var reportFolder: String?

  /// Runs the cases and prints the report. Answers whether all is as it is known to be.
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

  /// Shows the failing cases. Their pictures are made by children as well: what fails may crash.
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

  /// What files did that may do anything, and the line of Apple's variants.
  private func printObservations(_ results: [(case: ConformanceCase, result: CaseResult)]) {
    let observed = results.filter { $0.case.expectation == .any && $0.result.outcome == .passed }
    func count(_ prefix: String) -> Int { observed.filter { $0.result.remark.hasPrefix(prefix) }.count }
    if !observed.isEmpty {
      let matching = count("matches")
      let differing = count("differs")
      let decoding = count("decodes")
      Swift.print(
        "free to fail: \(observed.count), of which \(matching) match their reference, \(differing) differ from it, "
          + "\(decoding) decode without one, \(observed.count - matching - differing - decoding) give a typed error")
    }
    let variants = results.filter { $0.case.suite == "pngsuite-cgbi" }
    if !variants.isEmpty {
      let matching = variants.filter { $0.result.outcome == .passed }.count
      Swift.print("pngsuite-cgbi: \(matching) of \(variants.count) equal to the PngSuite file of the same name")
    }
  }
}
