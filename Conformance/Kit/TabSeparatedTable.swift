// A table of tab-separated values with a header line. Quotes are literal, and fields may contain any bytes.

/// A table whose first line contains the column names.
package struct TabSeparatedTable: Sendable {
  /// The names of the columns.
  package let columns: [String]
  /// The lines after the header.
  package let rows: [Row]

  /// One line of a table.
  package struct Row: Sendable {
    fileprivate let columns: [String: Int]
    /// The bytes between the tabs.
    package let fields: [ArraySlice<UInt8>]

    /// Returns the field of a column. `nil` if it is missing, empty or `-`.
    ///
    /// Invalid UTF-8 is replaced by U+FFFD, which is acceptable for notes. For paths use ``path(_:)``.
    package func text(_ column: String) -> String? {
      guard let bytes = bytes(column) else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the field of a column as a path. `nil` if it is not valid UTF-8.
    package func path(_ column: String) -> String? {
      bytes(column).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Returns the field of a column as a number.
    package func integer(_ column: String) -> Int? {
      text(column).flatMap { Int($0) }
    }

    private func bytes(_ column: String) -> ArraySlice<UInt8>? {
      guard let index = columns[column], index < fields.count else { return nil }
      let field = fields[index]
      return field.isEmpty || field.elementsEqual([UInt8(ascii: "-")]) ? nil : field
    }
  }

  /// Splits the content of a file. Empty lines and lines that start with `#` are skipped.
  package init(_ bytes: [UInt8]) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)[...]
    lines = lines.filter { $0.first != UInt8(ascii: "#") }[...]
    let header = lines.popFirst().map(Self.fields) ?? []
    let columns = header.map { String(decoding: $0, as: UTF8.self) }
    let positions = Dictionary(columns.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    self.columns = columns
    rows = lines.map { Row(columns: positions, fields: Self.fields(of: $0)) }
  }

  private static func fields(of line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    let content = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    return content.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
  }
}
