// Powers of vectors.

/// Powers by logarithms and exponentials of base 2, whose polynomials are least-squares fits at Chebyshev nodes.
enum PowerFunction {
  /// Returns the powers of numbers from 0 on for an exponent from 0 to 1, with a relative error of about 3 · 10⁻⁷. The
  /// power of 0 is a tiny number.
  @inline(__always)
  static func value(_ base: FloatVector, exponent: Float) -> FloatVector {
    exponential(logarithm(base) * exponent)
  }

  /// The binary logarithm: the exponent, and a series in (m − 1) / (m + 1) of a mantissa between √½ and √2.
  @inline(__always)
  private static func logarithm(_ value: FloatVector) -> FloatVector {
    // The bits of √½ become those of 1, so that the exponent changes at √2.
    let biased = bits(of: value) &+ (0x3F80_0000 - 0x3F35_04F3)
    let mantissaBits = (biased & 0x007F_FFFF) &+ 0x3F35_04F3
    let mantissa = floats(ofBits: mantissaBits)
    // An integer below 2²³ in the fraction of 2²³ is that number more.
    let exponent = floats(ofBits: (biased &>> 23) | 0x4B00_0000) - (8_388_608 + 127)
    let ratio = (mantissa - 1) / (mantissa + 1)
    let square = ratio * ratio
    let series = (square * 0.5957780604085253 + 0.9615884043035042) * square + 2.88539042394856
    return ratio * series + exponent
  }

  /// The power of 2, by the polynomial of the distance to the nearest integer.
  @inline(__always)
  private static func exponential(_ value: FloatVector) -> FloatVector {
    // The sum with 1.5 · 2²³ is rounded to an integer, whose low bits are those of the sum.
    let rounded = value + 12_582_912
    let fraction = value - (rounded - 12_582_912)
    var polynomial = fraction * 0.0013266970386042137 + 0.009675459745483358
    polynomial = polynomial * fraction + 0.055507426160025464
    polynomial = polynomial * fraction + 0.24022121753562395
    polynomial = polynomial * fraction + 0.6931469491610642
    polynomial = polynomial * fraction + 1.0000000710297
    return floats(ofBits: bits(of: polynomial) &+ (bits(of: rounded) &<< 23))
  }
}
