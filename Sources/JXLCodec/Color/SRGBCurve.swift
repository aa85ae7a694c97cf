// The transfer function of sRGB for vectors (IEC 61966-2-1).

internal import VectorLanes

/// Encodes linear light from 0 to 1.
///
/// The power function is approximated by a quotient of polynomials in the square root of the light, from which it differs
/// by less than 4 · 10⁻⁷. The coefficients are those of a least-squares fit with weights that level the error.
enum SRGBCurve {
  private static let threshold: Float = 0.0031308
  private static let slope: Float = 12.92

  @inline(__always)
  static func encode(_ light: FloatVector) -> FloatVector {
    let root = FloatVector(lowHalf: squareRoot(light.lowHalf), highHalf: squareRoot(light.highHalf))
    var numerator = root * 73.2947112289696 + 146.90506750413365
    numerator = numerator * root + 38.883452401436635
    numerator = numerator * root + 0.5256843119803174
    numerator = numerator * root - 0.05112242061914321
    var denominator = root * 2.4177881435153195 + 92.28850246134301
    denominator = denominator * root + 133.6056625977185
    denominator = denominator * root + 30.24586526568339
    denominator = denominator * root + 1
    let curve = numerator / denominator
    return curve.replacing(with: light * slope, where: light .<= threshold)
  }
}
