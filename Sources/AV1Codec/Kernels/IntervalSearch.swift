// Distributions of more than four symbols (section 8.2.6), eight values at once.

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

/// Eight values of a distribution.
struct ProbabilityLanes {
  private let values: SIMD8<UInt16>

  private static var steps: SIMD8<UInt16> { SIMD8(0, 1, 2, 3, 4, 5, 6, 7) }

  @inline(__always)
  init(_ low: UInt64, _ high: UInt64) {
    // SAFETY: both types have 16 bytes, and every bit pattern is valid.
    values = unsafe unsafeBitCast(SIMD2<UInt64>(low, high), to: SIMD8<UInt16>.self)
  }

  /// The bounds of the intervals of eight symbols. That of the last symbol is 0, as are those of lanes that follow it.
  ///
  /// - Parameters:
  ///   - first: the number of the first symbol.
  ///   - hasCounter: whether the last value is no probability.
  @inline(__always)
  func bounds(range: UInt32, symbolCount: Int, first: Int, hasCounter: Bool) -> SIMD8<UInt16> {
    let last = SIMD8<UInt16>(repeating: UInt16(truncatingIfNeeded: max(0, symbolCount &- 1 &- first)))
    let minimum = subtractSaturating(last, Self.steps) &* 4
    var mask = SIMD8<UInt16>(repeating: 0xFFC0)
    if hasCounter { mask[7] = 0 }
    let factor = SIMD8<UInt16>(repeating: UInt16(truncatingIfNeeded: range & 0xFF00))
    return multiplyHighUnsigned((values & mask) &* 2, factor) &+ minimum
  }

  /// Raises the values before a symbol, and lowers the others.
  @inline(__always)
  func adapted(rate: UInt16, before symbol: Int, first: Int) -> (low: UInt64, high: UInt64) {
    let shift = Int32(rate)
    let raised = values &+ shiftRight(SIMD8(repeating: 32768) &- values, by: shift)
    let lowered = values &- shiftRight(values, by: shift)
    let limit = SIMD8<Int16>(repeating: Int16(truncatingIfNeeded: symbol &- first))
    // SAFETY: all types have 16 bytes, and every bit pattern is valid.
    let isBefore = unsafe unsafeBitCast(isGreater(limit, SIMD8(0, 1, 2, 3, 4, 5, 6, 7)), to: SIMD8<UInt16>.self)
    let result = unsafe unsafeBitCast((raised & isBefore) | (lowered & ~isBefore), to: SIMD2<UInt64>.self)
    return (result.x, result.y)
  }
}
