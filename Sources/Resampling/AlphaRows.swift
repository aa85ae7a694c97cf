// Premultiplication of 8-bit rows and its reversal, as Pillow's modes RGBa and La define them.

internal import ImageCore

/// Copies a row and multiplies colour by alpha, rounded to nearest.
func premultiplyRow(_ row: Span<UInt8>, channels: Int, into target: inout MutableSpan<UInt8>) {
  if channels == 4 { return premultiplyWords(row, into: &target) }
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

/// Pixels of four bytes, two samples per multiplication: 255 · 255 + 128 fits in 16 bits, and so do the carries.
private func premultiplyWords(_ row: Span<UInt8>, into target: inout MutableSpan<UInt8>) {
  precondition(row.count <= target.count, "the target row is too short")
  var index = 0
  while index &+ 4 <= row.count {
    let pixel = UInt32(littleEndian: nativeUInt32(row, at: index))
    let alpha = pixel &>> 24
    var outer = (pixel & 0xFF00FF) &* alpha &+ 0x800080
    var inner = (pixel &>> 8 & 0xFF) &* alpha &+ 0x80
    outer = (outer &+ (outer &>> 8 & 0xFF00FF)) &>> 8 & 0xFF00FF
    inner = (inner &+ inner &>> 8) & 0xFF00
    storeNativeUInt32((outer | inner | alpha &<< 24).littleEndian, into: &target, at: index)
    index &+= 4
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
