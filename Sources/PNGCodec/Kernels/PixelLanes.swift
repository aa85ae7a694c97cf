// The few vector operations that the filter kernels need, as concrete wrappers over SSE2 with a portable twin.

#if arch(x86_64) && canImport(_Builtin_intrinsics)
  internal import _Builtin_intrinsics.intel
#endif

/// Eight 16-bit lanes: the bytes of up to eight samples, widened.
package typealias PixelLanes = SIMD8<Int16>

#if arch(x86_64) && canImport(_Builtin_intrinsics)
  // SAFETY: the bit casts are between 16-byte vectors of integers, for which every bit pattern is valid.

  /// Eight bytes, the lowest first, as 16-bit lanes.
  @inline(__always)
  package func widened(_ bytes: UInt64) -> PixelLanes {
    let vector = unsafe unsafeBitCast(SIMD2<UInt64>(bytes, 0), to: SIMD2<Int64>.self)
    return unsafe unsafeBitCast(_mm_unpacklo_epi8(vector, SIMD2<Int64>(0, 0)), to: PixelLanes.self)
  }

  /// The low bytes of eight lanes, each 0…255, the first lane lowest.
  @inline(__always)
  package func narrowed(_ lanes: PixelLanes) -> UInt64 {
    let vector = unsafe unsafeBitCast(lanes, to: SIMD2<Int64>.self)
    return unsafe unsafeBitCast(_mm_packus_epi16(vector, vector), to: SIMD2<UInt64>.self)[0]
  }
#else
  @inline(__always)
  package func widened(_ bytes: UInt64) -> PixelLanes { portableWidened(bytes) }

  @inline(__always)
  package func narrowed(_ lanes: PixelLanes) -> UInt64 { portableNarrowed(lanes) }
#endif

/// What `widened` does, lane by lane.
@inline(__always)
package func portableWidened(_ bytes: UInt64) -> PixelLanes {
  // SAFETY: both are eight bytes, and every bit pattern is valid.
  let source = unsafe unsafeBitCast(bytes.littleEndian, to: SIMD8<UInt8>.self)
  return PixelLanes(
    Int16(source[0]), Int16(source[1]), Int16(source[2]), Int16(source[3]), Int16(source[4]), Int16(source[5]),
    Int16(source[6]), Int16(source[7]))
}

/// What `narrowed` does, lane by lane.
@inline(__always)
package func portableNarrowed(_ lanes: PixelLanes) -> UInt64 {
  var bytes: UInt64 = 0
  for lane in 0..<8 { bytes |= UInt64(UInt8(truncatingIfNeeded: lanes[lane])) << (lane * 8) }
  return bytes
}

/// The Paeth predictor of PNG section 9.4 in each lane, without its distances.
///
/// With t = 3c - a - b, the nearest of a, b, c to a + b - c is: the larger of a and b where t is not above the smaller
/// one, the smaller where t is not below the larger, else c. `tripleMinusAbove` is 3c - b, known before `left` is.
@inline(__always)
package func paethPredictor(
  left: PixelLanes, above: PixelLanes, aboveLeft: PixelLanes, tripleMinusAbove: PixelLanes
) -> PixelLanes {
  let threshold = tripleMinusAbove &- left
  let low = left.replacing(with: above, where: above .< left)
  let high = left.replacing(with: above, where: left .< above)
  let middle = low.replacing(with: aboveLeft, where: high .> threshold)
  return high.replacing(with: middle, where: threshold .> low)
}
