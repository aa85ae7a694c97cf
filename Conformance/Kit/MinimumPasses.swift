// The minimum number of passing cases of each suite, so that a suite that is skipped or disappears is noticed.

/// The minimum numbers of passing cases, by folder and suite.
package struct MinimumPasses: Sendable {
  /// One line of the list.
  package struct Entry: Hashable, Sendable {
    /// The name of the folder that holds MANIFEST.tsv.
    package var folder: String
    /// The suite: the first component of a case's path.
    package var suite: String
    /// The number of cases that must pass.
    package var passed: Int

    /// Creates an entry.
    package init(folder: String, suite: String, passed: Int) {
      self.folder = folder
      self.suite = suite
      self.passed = passed
    }
  }

  /// The entries in file order.
  package private(set) var entries: [Entry]

  /// Reads a table with the columns `folder`, `suite` and `passed`.
  package init(_ bytes: [UInt8]) {
    entries = TabSeparatedTable(bytes).rows.compactMap { row in
      guard let folder = row.text("folder"), let suite = row.text("suite"), let passed = row.integer("passed") else {
        return nil
      }
      return Entry(folder: folder, suite: suite, passed: passed)
    }
  }

  /// Returns the suites of a folder with fewer passing cases than required. A suite that has disappeared has none.
  ///
  /// - Parameter selects: whether a suite was run.
  package func shortfalls(
    in folder: String, passed: [String: Int], selects: (String) -> Bool
  ) -> [(suite: String, passed: Int, minimum: Int)] {
    entries.filter { $0.folder == folder && selects($0.suite) && passed[$0.suite, default: 0] < $0.passed }
      .map { ($0.suite, passed[$0.suite, default: 0], $0.passed) }
  }

  /// Sets the numbers of a folder to those of a run. Suites without passing cases are omitted.
  package mutating func record(folder: String, passed: [String: Int]) {
    entries.removeAll { $0.folder == folder }
    entries += passed.filter { $0.value > 0 }.sorted { $0.key < $1.key }
      .map { Entry(folder: folder, suite: $0.key, passed: $0.value) }
  }

  /// The content of the table's file.
  package var file: String {
    (["folder\tsuite\tpassed"] + entries.map { "\($0.folder)\t\($0.suite)\t\($0.passed)" })
      .joined(separator: "\n") + "\n"
  }
}
