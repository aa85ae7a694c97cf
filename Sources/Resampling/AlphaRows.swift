// Premultiplication of 8-bit rows and its reversal, as Pillow's modes RGBa and La define them.

internal import ImageCore

/// Copies a row and multiplies colour by alpha, rounded to nearest.
func premultiplyRow(_ row: Span<UInt8>, channels: Int, into target: inout MutableSpan<UInt8>) {
  let last = channels &- 1
  var index = channels == 4 ? premultiplyGroups(row, into: &target) : 0
  while index < row.count {
    let alpha = UInt32(row[index &+ last])
    for channel in index..<index &+ last {
      target[channel] = UInt8(truncatingIfNeeded: PixelArithmetic.premultiply8(UInt32(row[channel]), alpha))
    }
    target[index &+ last] = row[index &+ last]
    index &+= channels
  }
}

/// 2³² divided by each alpha, rounded up. A product with it, of a number below 2¹⁶, is the quotient in its upper half.
private let reciprocals: [UInt64] = [0] + (1...255).map { (0x1_0000_0000 + $0 - 1) / $0 }

/// Divides colour by alpha in place, rounded down and clamped. Pixels whose alpha is 0 or 255 are unchanged.
func unpremultiplyRow(_ row: inout MutableSpan<UInt8>, channels: Int, byteCount: Int) {
  let last = channels &- 1
  let reciprocals = reciprocals.span
  var index = 0
  while index < byteCount {
    let alpha = row[index &+ last]
    if alpha != 0, alpha != 255 {
      let reciprocal = reciprocals[Int(alpha)]
      for channel in index..<index &+ last {
        let quotient = (UInt64(row[channel]) &* 255 &* reciprocal) &>> 32
        row[channel] = UInt8(truncatingIfNeeded: min(255, quotient))
      }
    }
    index &+= channels
  }
}
