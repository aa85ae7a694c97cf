// The committed list of what is not decoded: an `unsupported` that it does not name is a failure.

/// Formats and features that the package is known not to decode.
package struct ExpectedUnsupported: Sendable {
  /// One line of the list.
  package struct Entry: Hashable, Sendable {
    /// The format's short name, as manifests have it.
    package let format: String
    /// Words that the reason of the error contains, such as `(CCITT Group 4)`.
    package let feature: String

    /// Creates an entry.
    package init(format: String, feature: String) {
      self.format = format
      self.feature = feature
    }
  }

  /// In the order of the file.
  package let entries: [Entry]

  /// Reads a table with the columns `format` and `feature`.
  package init(_ bytes: [UInt8]) {
    entries = TabSeparatedTable(bytes).rows.compactMap { row in
      guard let format = row.text("format"), let feature = row.text("feature") else { return nil }
      return Entry(format: format, feature: feature)
    }
  }

  /// The entry that names a reason; `nil` when the list does not.
  package func entry(format: String, reason: String) -> Entry? {
    entries.first { $0.format == format && reason.contains($0.feature) }
  }

  /// Splits outcomes by the list: the cases that are unsupported without being listed, and the entries that no case met.
  package func verdict(
    on outcomes: [(path: String, format: String, outcome: Outcome)]
  ) -> (unlisted: [(path: String, reason: String)], unmet: [Entry]) {
    var unlisted: [(path: String, reason: String)] = []
    var met: Set<Entry> = []
    for (path, format, outcome) in outcomes {
      guard case .unsupported(let reason) = outcome else { continue }
      if let entry = entry(format: format, reason: reason) {
        met.insert(entry)
      } else {
        unlisted.append((path, reason))
      }
    }
    return (unlisted, entries.filter { !met.contains($0) })
  }
}
