// Samples of 8 to 16 bits in rows of bytes.

internal import ImageCoding

/// Unpacks the samples of a row. Those of 9 to 15 bits are packed from the most significant bit, whatever the byte order
/// of the file.
func unpackSamples(_ bytes: Span<UInt8>, bits: Int, isBigEndian: Bool, into row: inout MutableSpan<UInt16>) {
  switch bits {
  case 8:
    for index in 0..<min(row.count, bytes.count) { row[index] = UInt16(bytes[index]) }
  case 16:
    let high = isBigEndian ? 0 : 1
    for index in 0..<min(row.count, bytes.count / 2) {
      row[index] = UInt16(bytes[2 &* index &+ high]) &<< 8 | UInt16(bytes[2 &* index &+ 1 &- high])
    }
  default:
    var window: UInt32 = 0
    var count = 0
    var position = 0
    let mask = UInt32(1) << UInt32(bits) - 1
    for index in 0..<row.count {
      while count < bits {
        guard position < bytes.count else { return }
        window = window &<< 8 | UInt32(bytes[position])
        position &+= 1
        count &+= 8
      }
      count &-= bits
      row[index] = UInt16(truncatingIfNeeded: (window &>> UInt32(truncatingIfNeeded: count)) & mask)
    }
  }
}

/// Restores samples of 8 or 16 bits from differences.
func accumulateSamples(_ row: inout MutableSpan<UInt16>, samplesPerPixel: Int, bits: Int) {
  let mask: UInt16 = bits == 8 ? 0xFF : 0xFFFF
  for index in samplesPerPixel..<max(samplesPerPixel, row.count) {
    row[index] = (row[index] &+ row[index &- samplesPerPixel]) & mask
  }
}
