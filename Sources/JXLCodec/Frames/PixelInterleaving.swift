// Pixels of three colours of 8 bits.

internal import VectorLanes

/// Converts rows of fractions of a full sample to interleaved bytes, eight pixels at a time.
package enum PixelInterleaving {
  /// Writes a row of pixels. Samples are clamped and rounded to nearest; NaN is 0.
  package static func write(
    _ first: Span<Float>, _ second: Span<Float>, _ third: Span<Float>, into pixels: inout MutableSpan<UInt8>
  ) {
    let count = min(first.count, second.count, third.count)
    var x = 0
    while x &+ 8 <= count {
      store(
        clamped(loadVector(first, at: x)), clamped(loadVector(second, at: x)), clamped(loadVector(third, at: x)),
        into: &pixels, at: x &* 3)
      x &+= 8
    }
    for x in x..<max(x, count) {
      let values = [first[x], second[x], third[x]]
      for component in 0..<3 {
        let sample = clamped(FloatVector(repeating: values[component]))
        pixels[3 &* x &+ component] = UInt8(truncatingIfNeeded: bytes(sample)[0])
      }
    }
  }

  /// Writes eight pixels, whose samples are from 0 to 1, to 24 bytes.
  @inline(__always)
  static func store(
    _ first: FloatVector, _ second: FloatVector, _ third: FloatVector, into pixels: inout MutableSpan<UInt8>,
    at start: Int
  ) {
    let p = bytes(first) | bytes(second) &<< 8 | bytes(third) &<< 16
    // Pairs of pixels, of 24 bits in 32, become 48 bits.
    let wide = pairs(p)
    let pair = (wide & 0xFF_FFFF) | (wide &>> 8 & 0xFFFF_FF00_0000)
    storeLittleEndian64(pair[0] | pair[1] &<< 48, into: &pixels, at: start)
    storeLittleEndian64(pair[1] &>> 16 | pair[2] &<< 32, into: &pixels, at: start &+ 8)
    storeLittleEndian64(pair[2] &>> 32 | pair[3] &<< 16, into: &pixels, at: start &+ 16)
  }

  /// Limits samples to 0…1; NaN becomes 0.
  @inline(__always)
  static func clamped(_ samples: FloatVector) -> FloatVector {
    let positive = FloatVector().replacing(with: samples, where: samples .> 0)
    return positive.replacing(with: 1, where: positive .> 1)
  }

  /// Returns samples from 0 to 1 as integers up to 255.
  @inline(__always)
  private static func bytes(_ samples: FloatVector) -> FloatVectorBits {
    // The sum with 2²³ is rounded to an integer, whose bits are the low ones of the sum.
    bits(of: samples * 255 + 8_388_608) & 0xFF
  }
}
