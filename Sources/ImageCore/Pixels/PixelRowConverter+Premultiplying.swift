// Premultiplication of 8-bit rows, the only common conversion that involves arithmetic.

/// Straight RGBA → premultiplied RGBA.
func premultiply(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
  let byteCount = input.count / 4 * 4
  var index = 0
  while index < byteCount {
    let alpha = UInt32(input[index &+ 3])
    output[index] = UInt8(truncatingIfNeeded: PixelArithmetic.premultiply8(UInt32(input[index]), alpha))
    output[index &+ 1] = UInt8(truncatingIfNeeded: PixelArithmetic.premultiply8(UInt32(input[index &+ 1]), alpha))
    output[index &+ 2] = UInt8(truncatingIfNeeded: PixelArithmetic.premultiply8(UInt32(input[index &+ 2]), alpha))
    output[index &+ 3] = UInt8(truncatingIfNeeded: alpha)
    index &+= 4
  }
}
