// The few vector operations that the filter kernels need, as concrete wrappers over SSE2 with a portable counterpart.

#if arch(x86_64) && canImport(_Builtin_intrinsics) && !PORTABLE_KERNELS
  internal import _Builtin_intrinsics.intel
#endif

/// Eight 16-bit lanes: the bytes of up to eight samples, widened.
package typealias PixelLanes = SIMD8<Int16>

#if arch(x86_64) && canImport(_Builtin_intrinsics) && !PORTABLE_KERNELS
  // SAFETY: the bit casts are between 16-byte vectors of integers, for which every bit pattern is valid.

  /// Widens eight bytes, the lowest first, to 16-bit lanes.
  @inline(__always)
  package func widened(_ bytes: UInt64) -> PixelLanes {
    let vector = unsafe unsafeBitCast(SIMD2<UInt64>(bytes, 0), to: SIMD2<Int64>.self)
    return unsafe unsafeBitCast(_mm_unpacklo_epi8(vector, SIMD2<Int64>(0, 0)), to: PixelLanes.self)
  }

  /// Returns the low bytes of eight lanes, each 0…255, the first lane lowest.
  @inline(__always)
  package func narrowed(_ lanes: PixelLanes) -> UInt64 {
    let vector = unsafe unsafeBitCast(lanes, to: SIMD2<Int64>.self)
    return unsafe unsafeBitCast(_mm_packus_epi16(vector, vector), to: SIMD2<UInt64>.self)[0]
  }

  /// The Paeth predictor; see ``portablePaethPredictor(left:above:aboveLeft:tripleMinusAbove:)``.
  @inline(__always)
  package func paethPredictor(
    left: PixelLanes, above: PixelLanes, aboveLeft: PixelLanes, tripleMinusAbove: PixelLanes
  ) -> PixelLanes {
    let (a, b) = unsafe (unsafeBitCast(left, to: SIMD2<Int64>.self), unsafeBitCast(above, to: SIMD2<Int64>.self))
    let corner = unsafe unsafeBitCast(aboveLeft, to: SIMD2<Int64>.self)
    let threshold = unsafe unsafeBitCast(tripleMinusAbove &- left, to: SIMD2<Int64>.self)
    let low = _mm_min_epi16(a, b)
    let high = _mm_max_epi16(a, b)
    let isMiddle = _mm_cmpgt_epi16(high, threshold)
    let middle = _mm_or_si128(_mm_and_si128(isMiddle, corner), _mm_andnot_si128(isMiddle, low))
    let isLower = _mm_cmpgt_epi16(threshold, low)
    let result = _mm_or_si128(_mm_and_si128(isLower, middle), _mm_andnot_si128(isLower, high))
    return unsafe unsafeBitCast(result, to: PixelLanes.self)
  }
#else
  @inline(__always)
  package func widened(_ bytes: UInt64) -> PixelLanes { portableWidened(bytes) }

  @inline(__always)
  package func narrowed(_ lanes: PixelLanes) -> UInt64 { portableNarrowed(lanes) }

  @inline(__always)
  package func paethPredictor(
    left: PixelLanes, above: PixelLanes, aboveLeft: PixelLanes, tripleMinusAbove: PixelLanes
  ) -> PixelLanes {
    portablePaethPredictor(left: left, above: above, aboveLeft: aboveLeft, tripleMinusAbove: tripleMinusAbove)
  }
#endif

/// The same as `widened`, lane by lane.
@inline(__always)
package func portableWidened(_ bytes: UInt64) -> PixelLanes {
  // SAFETY: both types are eight bytes, and every bit pattern is valid.
  let source = unsafe unsafeBitCast(bytes.littleEndian, to: SIMD8<UInt8>.self)
  return PixelLanes(
    Int16(source[0]), Int16(source[1]), Int16(source[2]), Int16(source[3]), Int16(source[4]), Int16(source[5]),
    Int16(source[6]), Int16(source[7]))
}

/// The same as `narrowed`, lane by lane.
@inline(__always)
package func portableNarrowed(_ lanes: PixelLanes) -> UInt64 {
  var bytes: UInt64 = 0
  for lane in 0..<8 { bytes |= UInt64(UInt8(truncatingIfNeeded: lanes[lane])) << (lane * 8) }
  return bytes
}

/// The Paeth predictor of PNG section 9.4 in each lane, computed without distances.
///
/// With t = 3c - a - b, the one of a, b, c nearest to a + b - c is the larger of a and b if t is at most the smaller
/// one, the smaller if t is at least the larger, and c otherwise. `tripleMinusAbove` is 3c - b, which is known before
/// `left`.
@inline(__always)
package func portablePaethPredictor(
  left: PixelLanes, above: PixelLanes, aboveLeft: PixelLanes, tripleMinusAbove: PixelLanes
) -> PixelLanes {
  let threshold = tripleMinusAbove &- left
  let low = left.replacing(with: above, where: above .< left)
  let high = left.replacing(with: above, where: left .< above)
  let middle = low.replacing(with: aboveLeft, where: high .> threshold)
  return high.replacing(with: middle, where: threshold .> low)
}
