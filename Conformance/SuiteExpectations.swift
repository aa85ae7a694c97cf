// The expected results of suites: the committed lists of known failures, of unsupported features and of minimum numbers
// of passing cases.

import ConformanceKit

/// The lists of a folder.
struct SuiteExpectations {
  let knownFailures: KnownFailures
  private let unsupported: ExpectedUnsupported
  private let minimums: MinimumPasses
  private let folder: String
  /// Whether the numbers of passing cases are written instead of checked.
  private let recordsPasses: Bool

  /// Reads the lists. A missing list is empty.
  init(folder: String, recordsPasses: Bool) {
    func bytes(_ name: String) -> [UInt8] { (try? readFile(folder + "/" + name)) ?? [] }
    knownFailures = KnownFailures(bytes("known-failures.tsv"))
    unsupported = ExpectedUnsupported(bytes("unsupported.tsv"))
    minimums = MinimumPasses(bytes("minimum-passes.tsv"))
    self.folder = folder
    self.recordsPasses = recordsPasses
  }

  /// Prints the deviations from the lists. Returns whether there are none.
  ///
  /// - Parameters:
  ///   - folder: the folder of the cases.
  ///   - countsPasses: whether all cases of the suites selected by `selectsSuite` were run.
  func judge(
    _ results: [(case: ConformanceCase, result: CaseResult)], folder: String, countsPasses: Bool,
    selectsSuite: (String) -> Bool
  ) -> Bool {
    let failures = knownFailures.verdict(on: results.map { ($0.case.path, $0.result.outcome) })
    if failures.knownFailureCount > 0 { print("\(failures.knownFailureCount) known failures") }
    for path in failures.unexpectedFailures { print("unexpected failure: \(path)") }
    for path in failures.unexpectedPasses { print("unexpected pass of a known failure: \(path)") }

    let missing = unsupported.verdict(on: results.map { ($0.case.path, $0.case.format, $0.result.outcome) })
    for (path, reason) in missing.unlisted { print("unsupported but not listed: \(path): \(reason)") }

    let passed = Dictionary(grouping: results.filter { $0.result.outcome == .passed }, by: \.case.suite)
      .mapValues(\.count)
    let hasPassedEnough = !countsPasses || check(passed, folder: name(of: folder), selectsSuite: selectsSuite)
    return failures.isClean && missing.unlisted.isEmpty && hasPassedEnough
  }

  private func check(_ passed: [String: Int], folder: String, selectsSuite: (String) -> Bool) -> Bool {
    if recordsPasses { return record(passed, folder: folder) }
    let shortfalls = minimums.shortfalls(in: folder, passed: passed, selects: selectsSuite)
    for (suite, passed, minimum) in shortfalls { print("\(suite): \(passed) passed, minimum \(minimum)") }
    return shortfalls.isEmpty
  }

  private func record(_ passed: [String: Int], folder: String) -> Bool {
    var minimums = minimums
    minimums.record(folder: folder, passed: passed)
    let path = self.folder + "/minimum-passes.tsv"
    do {
      try writeFile([UInt8](minimums.file.utf8), to: path)
      return true
    } catch {
      print("\(path) cannot be written: \(error)")
      return false
    }
  }

  /// Returns the last component of a folder's path.
  private func name(of folder: String) -> String {
    folder.split(separator: "/").last.map { String($0) } ?? folder
  }
}
