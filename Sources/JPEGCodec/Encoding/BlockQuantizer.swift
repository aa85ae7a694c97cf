// Division by quantisation steps as multiplication: each step is converted to a 16-bit reciprocal, correction and scale
// that yield the rounded quotient for every 16-bit magnitude.

/// The 192 words used by ``forwardDCT(_:at:stride:divisors:into:)`` for quantisation: reciprocals, corrections and
/// scales in natural order.
package struct BlockQuantizer {
  /// The words, in three groups of 64.
  package private(set) var divisors: [UInt16]

  /// Creates the divisors of 64 steps, 1…8,191, in natural order. The transform scales its outputs by 8, so the
  /// divisors are scaled too.
  package init(naturalSteps: [UInt16]) {
    divisors = [UInt16](repeating: 0, count: 192)
    for (index, step) in naturalSteps.prefix(64).enumerated() {
      let (reciprocal, correction, scale) = Self.words(divisor: UInt32(step) * 8)
      divisors[index] = reciprocal
      divisors[64 + index] = correction
      divisors[128 + index] = scale
    }
  }

  /// Returns the words of a divisor of 8…65,535: the quotient of x is `((x + correction) · reciprocal >> 16) · scale >>
  /// 16`.
  private static func words(divisor: UInt32) -> (reciprocal: UInt16, correction: UInt16, scale: UInt16) {
    let logarithm = 31 - UInt32(truncatingIfNeeded: divisor.leadingZeroBitCount)
    var shift = 16 + logarithm
    var reciprocal = UInt32(truncatingIfNeeded: (UInt64(1) << UInt64(shift)) / UInt64(divisor))
    let remainder = (UInt64(1) << UInt64(shift)) % UInt64(divisor)
    var correction = divisor / 2
    if remainder == 0 {
      // For a power of two the reciprocal would need 17 bits.
      reciprocal >>= 1
      shift -= 1
    } else if remainder <= UInt64(divisor / 2) {
      correction += 1
    } else {
      reciprocal += 1
    }
    return (
      UInt16(truncatingIfNeeded: reciprocal), UInt16(truncatingIfNeeded: correction),
      UInt16(truncatingIfNeeded: UInt32(1) << (32 - shift))
    )
  }
}
