// The functions of the platform's C mathematics library that the standard library lacks. No other file imports that
// library.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(WASILibc)
  internal import WASILibc
#elseif canImport(ucrt)
  internal import ucrt
#endif

/// Elementary functions of `Double`. Angles are in radians.
package enum ElementaryFunctions {
  /// The sine of an angle.
  package static func sine(_ angle: Double) -> Double { sin(angle) }
  /// The cosine of an angle.
  package static func cosine(_ angle: Double) -> Double { cos(angle) }
  /// The tangent of an angle.
  package static func tangent(_ angle: Double) -> Double { tan(angle) }
  /// The angle in 0…π with this cosine; NaN if the cosine is outside -1…1.
  package static func arcCosine(_ cosine: Double) -> Double { acos(cosine) }
  /// The angle in -π…π of the vector (`x`, `y`).
  package static func angle(x: Double, y: Double) -> Double { atan2(y, x) }
  /// e raised to a power.
  package static func exponential(_ power: Double) -> Double { exp(power) }
  /// The natural logarithm.
  package static func logarithm(_ value: Double) -> Double { log(value) }
  /// `base` raised to the power `exponent`.
  package static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
}
