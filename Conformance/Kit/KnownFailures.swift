// The committed list of cases that fail, each with its cause. It can only shrink silently by being edited: a listed case
// that passes is an error as well.

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

  /// How a run's outcomes stand to the list.
  package struct Verdict: Hashable, Sendable {
    /// Failed and not listed.
    package var unexpectedFailures: [String] = []
    /// Listed and passed.
    package var unexpectedPasses: [String] = []
    /// Failed and listed.
    package var knownFailureCount = 0

    /// Whether all is as listed.
    package var isClean: Bool { unexpectedFailures.isEmpty && unexpectedPasses.isEmpty }
  }

  /// Holds outcomes against the list. Listed cases that were not run do not matter.
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
