// Integers as they are stored in boxes, ICC profiles and JPEG files.

extension FixedWidthInteger {
  /// The bytes of the integer, the most significant one first.
  var bigEndianBytes: [UInt8] {
    stride(from: Self.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) }
  }
}
