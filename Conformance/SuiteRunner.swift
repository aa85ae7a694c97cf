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
  /// The folder for the images of failing cases, or `nil`.
  var pictureFolder: String?

  /// Runs the cases and prints the report. Returns whether all outcomes are the expected ones, and the outcomes.
  func run() throws -> (isClean: Bool, results: FolderResults) {
    var collected = FolderResults(folder: folder)
    let cases = try Manifest(folder: folder).cases
    let chosen = cases.indices.filter { selectsSuite(cases[$0].suite) && selectsFormat(cases[$0].format) }
    guard !chosen.isEmpty else {
      Swift.print("no case of \(folder) is selected")
      return (false, collected)
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
    for (number, pair) in zip(chosen, pairs) {
      collected.cases.append(
        .init(
          number: number, test: pair.0, outcome: pair.1.outcome,
          knownCause: expectations.knownFailures.causes[pair.0.path]))
    }
    if let pictureFolder { try depictFailures(of: &collected, in: pictureFolder) }
    return (isClean, collected)
  }

  private func selectsFormat(_ format: String) -> Bool { formats.isEmpty || formats.contains(format) }
  private func selectsSuite(_ suite: String) -> Bool { suites.isEmpty || suites.contains(suite) }

  /// Writes images of the failing cases. Child processes make them, because a failing case may crash.
  private func depictFailures(of results: inout FolderResults, in target: String) throws {
    try makeFolder(target)
    let failing = results.cases.indices.filter { results.cases[$0].outcome.name == "failed" }
    var written = [CaseResult?](repeating: nil, count: failing.count)
    let pool = WorkerPool(arguments: ["worker", "depict", folder, target], childCount: childCount)
    try pool.run(failing.map { String(results.cases[$0].number) }) { written[$0] = $1 }
    for (index, result) in zip(failing, written) where result?.outcome == .passed {
      results.cases[index].pictureFolder = target
    }
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
