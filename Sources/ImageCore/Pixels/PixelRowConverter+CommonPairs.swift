// The conversions that decoders and servers ask for most, as straight loops.

/// Copies `input` to the start of `output`.
package func copyBytes(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
  let count = input.count
  precondition(count <= output.count, "the row does not fit")
  var index = 0
  while index < count {
    output[index] = input[index]
    index &+= 1
  }
}

/// RGB → RGBA, opaque.
func appendOpaqueAlpha(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
  let pixelCount = input.count / 3
  precondition(output.count >= pixelCount * 4 && input.count >= pixelCount * 3, "the row does not fit")
  var pixel = 0
  while pixel < pixelCount {
    let from = pixel &* 3
    let to = pixel &* 4
    output[to] = input[from]
    output[to &+ 1] = input[from &+ 1]
    output[to &+ 2] = input[from &+ 2]
    output[to &+ 3] = 255
    pixel &+= 1
  }
}

/// RGBA → RGB; alpha is forgotten.
func dropAlpha(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
  let pixelCount = input.count / 4
  var pixel = 0
  while pixel < pixelCount {
    let from = pixel &* 4
    let to = pixel &* 3
    output[to] = input[from]
    output[to &+ 1] = input[from &+ 1]
    output[to &+ 2] = input[from &+ 2]
    pixel &+= 1
  }
}

/// Gray → RGBA or BGRA, opaque.
func spreadGray(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
  var pixel = 0
  while pixel < input.count {
    let value = input[pixel]
    let to = pixel &* 4
    output[to] = value
    output[to &+ 1] = value
    output[to &+ 2] = value
    output[to &+ 3] = 255
    pixel &+= 1
  }
}

/// RGBA ↔ BGRA.
func exchangeRedAndBlue(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
  let byteCount = input.count / 4 * 4
  var index = 0
  while index < byteCount {
    output[index] = input[index &+ 2]
    output[index &+ 1] = input[index &+ 1]
    output[index &+ 2] = input[index]
    output[index &+ 3] = input[index &+ 3]
    index &+= 4
  }
}

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
