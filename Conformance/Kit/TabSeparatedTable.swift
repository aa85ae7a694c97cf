// A table of tab-separated bytes with a header line. Quotes are literal; fields need not be text.

/// A table whose first line names the columns.
package struct TabSeparatedTable: Sendable {
  /// The names of the columns.
  package let columns: [String]
  /// The lines below the header.
  package let rows: [Row]

  /// One line of a table.
  package struct Row: Sendable {
    fileprivate let columns: [String: Int]
    /// The bytes between the tabs.
    package let fields: [ArraySlice<UInt8>]

    /// The field under a column; `nil` where there is none, it is empty or `-`.
    ///
    /// Bytes that are not UTF-8 become U+FFFD: right for notes. For paths there is ``path(_:)``.
    package func text(_ column: String) -> String? {
      guard let bytes = bytes(column) else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// The field under a column as a path; `nil` unless it is UTF-8.
    package func path(_ column: String) -> String? {
      bytes(column).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The field under a column as a number.
    package func integer(_ column: String) -> Int? {
      text(column).flatMap { Int($0) }
    }

    private func bytes(_ column: String) -> ArraySlice<UInt8>? {
      guard let index = columns[column], index < fields.count else { return nil }
      let field = fields[index]
      return field.isEmpty || field.elementsEqual([UInt8(ascii: "-")]) ? nil : field
    }
  }

  /// Splits a file. Empty lines are left out, as are lines that start with `#`.
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
