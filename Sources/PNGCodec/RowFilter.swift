// The filters of rows.

/// A filter, which replaces the bytes of a row by differences from bytes that precede them (PNG, section 9.2). The raw
/// values are those of the file.
public enum RowFilter: UInt8, CaseIterable, Sendable {
  /// The bytes themselves.
  case none = 0
  /// Differences from the pixel to the left.
  case sub = 1
  /// Differences from the pixel above.
  case up = 2
  /// Differences from the average of the pixels to the left and above.
  case average = 3
  /// Differences from that of the pixels to the left, above, and above left which is closest to a linear prediction.
  case paeth = 4
}
