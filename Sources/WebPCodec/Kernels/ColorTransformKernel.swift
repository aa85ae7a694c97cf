// The inverse of the colour transform (RFC 9649, section 3.5.2), four pixels at a time.

internal import VectorLanes

/// Adds the predictions from green and red to red and blue.
///
/// - Parameter factors: green to red in the lowest byte, then green to blue and red to blue; in units of 1/32.
func addColorDifferences(_ pixels: inout MutableSpan<UInt32>, _ factors: UInt32) {
  // Multiplied by eight: the upper half of a product with a sample in the upper byte is then divided by 32.
  func factor(_ shift: UInt32) -> Int16 { Int16(Int8(truncatingIfNeeded: factors &>> shift)) &* 8 }
  let fromGreen = SIMD8<Int16>(
    factor(8), factor(0), factor(8), factor(0), factor(8), factor(0), factor(8), factor(0))
  let fromRed = SIMD8<Int16>(0, factor(16), 0, factor(16), 0, factor(16), 0, factor(16))
  // SAFETY: vectors of four pixels are read and written only if four pixels are left.
  unsafe pixels.withUnsafeMutableBufferPointer { buffer in
    guard let base = buffer.baseAddress else { return }
    var index = 0
    while index &+ 4 <= buffer.count {
      let place = unsafe UnsafeMutableRawPointer(base + index)
      let colors = unsafe place.loadUnaligned(as: SIMD4<UInt32>.self)
      unsafe place.storeBytes(of: converted(colors, fromGreen, fromRed), as: SIMD4<UInt32>.self)
      index &+= 4
    }
    while index < buffer.count {
      unsafe base[index] = converted(SIMD4(base[index], 0, 0, 0), fromGreen, fromRed)[0]
      index &+= 1
    }
  }
}

@inline(__always)
private func converted(
  _ colors: SIMD4<UInt32>, _ fromGreen: SIMD8<Int16>, _ fromRed: SIMD8<Int16>
) -> SIMD4<UInt32> {
  // SAFETY (all casts): the types have 16 bytes, and every bit pattern is valid. The lower 16 bits of a pixel, green
  // and blue, are an even lane on little-endian processors.
  func words(_ vector: SIMD4<UInt32>) -> SIMD8<Int16> { unsafe unsafeBitCast(vector, to: SIMD8<Int16>.self) }
  func pixels(_ vector: SIMD8<Int16>) -> SIMD4<UInt32> { unsafe unsafeBitCast(vector, to: SIMD4<UInt32>.self) }
  func bytes(_ vector: SIMD4<UInt32>) -> SIMD16<UInt8> { unsafe unsafeBitCast(vector, to: SIMD16<UInt8>.self) }
  func pixels(_ vector: SIMD16<UInt8>) -> SIMD4<UInt32> { unsafe unsafeBitCast(vector, to: SIMD4<UInt32>.self) }
  let green = colors & SIMD4(repeating: 0x0000_FF00)
  let differences = pixels(multiplyHigh(words(green | green &<< 16), fromGreen))
  // Red and blue are in the lower bytes of 16-bit lanes and are moved to the upper ones.
  let redBlue = pixels(bytes(colors) &+ bytes(differences)) & SIMD4(repeating: 0x00FF_00FF)
  let upper = redBlue &<< 8
  let blue = pixels(multiplyHigh(words(upper & SIMD4(repeating: 0xFF00_0000)), fromRed)) &>> 16
  let corrected = pixels(bytes(redBlue) &+ bytes(blue & SIMD4(repeating: 0xFF)))
  return corrected & SIMD4(repeating: 0x00FF_00FF) | colors & SIMD4(repeating: 0xFF00_FF00)
}
