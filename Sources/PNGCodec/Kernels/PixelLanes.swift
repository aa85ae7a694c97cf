// The vector operations that the filter kernels share.

internal import VectorLanes

/// Eight 16-bit lanes: the bytes of up to eight samples, widened.
package typealias PixelLanes = SIMD8<Int16>

/// The bytes of a word, the lowest first, followed by zeros.
@inline(__always)
func lanes(_ word: UInt64) -> UInt8x16 {
  // SAFETY: both types have 16 bytes, and every bit pattern is valid.
  unsafe unsafeBitCast(SIMD2<UInt64>(word.littleEndian, 0), to: UInt8x16.self)
}

/// The first eight bytes, the first one lowest.
@inline(__always)
func firstWord(_ lanes: UInt8x16) -> UInt64 {
  // SAFETY: both types have 16 bytes, and every bit pattern is valid.
  unsafe UInt64(littleEndian: unsafeBitCast(lanes, to: SIMD2<UInt64>.self)[0])
}

/// Widens eight bytes, the lowest first, to 16-bit lanes.
@inline(__always)
package func widened(_ bytes: UInt64) -> PixelLanes { widenLow(lanes(bytes)) }

/// Returns the low bytes of eight lanes, each 0…255, the first lane lowest.
@inline(__always)
package func narrowed(_ lanes: PixelLanes) -> UInt64 { firstWord(packUnsignedSaturating(lanes, lanes)) }

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
  let isAboveLow = isGreater(threshold, low)
  let isMiddle = isAboveLow & isGreater(high, threshold)
  // Bits are exchanged where the mask has ones: the compiler turns masks and their complements into a choice between
  // lanes, for which it takes them apart on ARM64. Both exchanges are found at the same time: `left` waits for less.
  let outer = high ^ ((left ^ above) & isAboveLow)
  return outer ^ ((low ^ aboveLeft) & isMiddle)
}

/// Adds the low bytes of lanes whose high bytes are 0, which remain 0.
@inline(__always)
func addLowBytes(_ a: PixelLanes, _ b: PixelLanes) -> PixelLanes {
  // SAFETY: the types have 16 bytes, and every bit pattern is valid.
  unsafe unsafeBitCast(
    unsafeBitCast(a, to: UInt8x16.self) &+ unsafeBitCast(b, to: UInt8x16.self), to: PixelLanes.self)
}
