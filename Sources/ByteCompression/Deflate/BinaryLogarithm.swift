// Logarithms for estimates of the sizes of codes.

/// Logarithms to base 2.
enum BinaryLogarithm {
  private static let fractionBits = 8
  /// The logarithms of 1 + n / 256, in units of 2^-16.
  private static let fractions: [UInt32] = (0...1 << fractionBits).map { index in
    var value = 1 + Double(index) / Double(1 << fractionBits)
    var result: UInt32 = 0
    if value == 2 { return 1 << 16 }
    // Each squaring doubles the logarithm.
    for _ in 0..<16 {
      value *= value
      result <<= 1
      if value >= 2 {
        value /= 2
        result |= 1
      }
    }
    return result
  }

  /// The logarithm of a positive number in units of 2^-16.
  static func fixedPoint(_ value: UInt32) -> UInt32 {
    let exponent = UInt32(31 - value.leadingZeroBitCount)
    let mantissa = value << (31 - exponent) & 0x7FFF_FFFF
    let index = Int(mantissa >> 23)
    let rest = UInt64(mantissa & 0x7F_FFFF)
    let (low, high) = (fractions[index], fractions[index + 1])
    return exponent << 16 + low + UInt32(truncatingIfNeeded: UInt64(high - low) * rest >> 23)
  }
}
