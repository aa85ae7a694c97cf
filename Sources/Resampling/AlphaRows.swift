// Premultiplication of 8-bit rows and its reversal, as Pillow's modes RGBa and La define them.

internal import ImageCore

/// Copies a row and multiplies colour by alpha, rounded to nearest.
func premultiplyRow(_ row: Span<UInt8>, channels: Int, into target: inout MutableSpan<UInt8>) {
  let last = channels &- 1
  var index = 0
  while index < row.count {
    let alpha = UInt32(row[index &+ last])
    for channel in index..<index &+ last {
      target[channel] = UInt8(truncatingIfNeeded: PixelArithmetic.premultiply8(UInt32(row[channel]), alpha))
    }
    target[index &+ last] = row[index &+ last]
    index &+= channels
  }
}

/// Divides colour by alpha in place, rounded down and clamped. Pixels whose alpha is 0 or 255 are unchanged.
func unpremultiplyRow(_ row: inout MutableSpan<UInt8>, channels: Int, byteCount: Int) {
  let last = channels &- 1
  var index = 0
  while index < byteCount {
    let alpha = UInt32(row[index &+ last])
    if alpha != 0, alpha != 255 {
      for channel in index..<index &+ last {
        row[channel] = UInt8(truncatingIfNeeded: min(255, UInt32(row[channel]) &* 255 / alpha))
      }
    }
    index &+= channels
  }
}
