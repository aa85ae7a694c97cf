// The search for the interval of a symbol (section 8.2.6), of eight or sixteen at once.

internal import VectorLanes

/// Returns the index of the first of sixteen descending bounds that does not exceed a value; 16 if all do.
@inline(__always)
func indexOfFirstBound(_ low: SIMD8<UInt16>, _ high: SIMD8<UInt16>, notAbove value: UInt32) -> Int {
  let limit = SIMD8<UInt16>(repeating: UInt16(truncatingIfNeeded: value))
  // SAFETY: both types have 16 bytes, and every bit pattern is valid.
  let lowExcess = unsafe unsafeBitCast(subtractSaturating(low, limit), to: SIMD8<Int16>.self)
  let highExcess = unsafe unsafeBitCast(subtractSaturating(high, limit), to: SIMD8<Int16>.self)
  return zeroLanes(lowExcess, highExcess).trailingZeroBitCount
}
