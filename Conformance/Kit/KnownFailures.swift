// The committed list of failing cases with their causes. A listed case that passes is an error as well, so that the
// list is updated when a case is fixed.

/// Cases that are known to fail.
package struct KnownFailures: Sendable {
  /// The cause by path.
  package let causes: [String: String]

  /// Reads a table with the columns `path` and `cause`.
  package init(_ bytes: [UInt8]) {
    causes = Dictionary(
      TabSeparatedTable(bytes).rows.compactMap { row in
        row.path("path").map { ($0, row.text("cause") ?? "") }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The result of comparing a run's outcomes with the list.
  package struct Verdict: Hashable, Sendable {
    /// Cases that failed and are not listed.
    package var unexpectedFailures: [String] = []
    /// Cases that passed and are listed.
    package var unexpectedPasses: [String] = []
    /// The number of cases that failed and are listed.
    package var knownFailureCount = 0

    /// Whether all outcomes agree with the list.
    package var isClean: Bool { unexpectedFailures.isEmpty && unexpectedPasses.isEmpty }
  }

  /// Compares outcomes with the list. Listed cases that were not run are ignored.
  package func verdict(on outcomes: [(path: String, outcome: Outcome)]) -> Verdict {
    var verdict = Verdict()
    for (path, outcome) in outcomes {
      switch (outcome, causes[path] != nil) {
      case (.failed, true): verdict.knownFailureCount += 1
      case (.failed, false): verdict.unexpectedFailures.append(path)
      case (.passed, true): verdict.unexpectedPasses.append(path)
      default: break
      }
    }
    return verdict
  }
}
