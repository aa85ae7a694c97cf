// The vector operations that the filter kernels share.

internal import VectorLanes

/// Eight 16-bit lanes: the bytes of up to eight samples, widened.
package typealias PixelLanes = SIMD8<Int16>

/// Widens eight bytes, the lowest first, to 16-bit lanes.
@inline(__always)
package func widened(_ bytes: UInt64) -> PixelLanes {
  // SAFETY: both types have 16 bytes, and every bit pattern is valid.
  unsafe widenLow(unsafeBitCast(SIMD2<UInt64>(bytes.littleEndian, 0), to: SIMD16<UInt8>.self))
}

/// Returns the low bytes of eight lanes, each 0…255, the first lane lowest.
@inline(__always)
package func narrowed(_ lanes: PixelLanes) -> UInt64 {
  // SAFETY: both types have 16 bytes, and every bit pattern is valid.
  unsafe UInt64(littleEndian: unsafeBitCast(packUnsignedSaturating(lanes, lanes), to: SIMD2<UInt64>.self)[0])
}

/// The Paeth predictor of PNG section 9.4 in each lane, computed without distances.
///
/// With t = 3c - a - b, the one of a, b, c nearest to a + b - c is the larger of a and b if t is at most the smaller
/// one, the smaller if t is at least the larger, and c otherwise. `tripleMinusAbove` is 3c - b, which is known before
/// `left`.
@inline(__always)
package func paethPredictor(
  left: PixelLanes, above: PixelLanes, aboveLeft: PixelLanes, tripleMinusAbove: PixelLanes
) -> PixelLanes {
  let threshold = tripleMinusAbove &- left
  let low = minimum(left, above)
  let high = maximum(left, above)
  let isMiddle = isGreater(high, threshold)
  // Bits are exchanged where the mask has ones: the compiler turns masks and their complements into a choice between
  // lanes, for which it takes them apart on ARM64.
  let middle = low ^ ((low ^ aboveLeft) & isMiddle)
  let isLower = isGreater(threshold, low)
  return high ^ ((high ^ middle) & isLower)
}
