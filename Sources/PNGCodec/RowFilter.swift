// The row filters, PNG section 9.

/// The filter types of section 9.2. The raw values are those of the file.
enum RowFilter: UInt8, CaseIterable, Sendable {
  case none = 0
  case sub = 1
  case up = 2
  case average = 3
  case paeth = 4
}
