// The committed list of unsupported features: an `unsupported` outcome that it does not list is a failure.

/// Formats and features that the package does not decode.
package struct ExpectedUnsupported: Sendable {
  /// One line of the list.
  package struct Entry: Hashable, Sendable {
    /// The format's short name, as in manifests.
    package let format: String
    /// A part of the error's reason, such as `(CCITT Group 4)`.
    package let feature: String

    /// Creates an entry.
    package init(format: String, feature: String) {
      self.format = format
      self.feature = feature
    }
  }

  /// The entries in file order.
  package let entries: [Entry]

  /// Reads a table with the columns `format` and `feature`.
  package init(_ bytes: [UInt8]) {
    entries = TabSeparatedTable(bytes).rows.compactMap { row in
      guard let format = row.text("format"), let feature = row.text("feature") else { return nil }
      return Entry(format: format, feature: feature)
    }
  }

  /// Returns the entry that matches a reason, or `nil` if there is none.
  package func entry(format: String, reason: String) -> Entry? {
    entries.first { $0.format == format && reason.contains($0.feature) }
  }

  /// Returns the unsupported cases that are not listed, and the entries that match no case.
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
