// CIE colorimetry: XYZ relative to D50, CIELAB, chromatic adaptation and matrices from chromaticities.

internal import ImageCore

/// Constants and conversions of the profile connection space. XYZ is relative: white has Y = 1.
enum Colorimetry {
  /// The white of the profile connection space (ICC.1, section 7.2.16).
  static let d50 = SIMD3(0.9642, 1.0, 0.8249)

  /// Returns XYZ of a CIELAB colour relative to D50. L* is 0…100.
  static func xyz(lab: SIMD3<Double>) -> SIMD3<Double> {
    let y = (lab.x + 16) / 116
    return SIMD3(cube(y + lab.y / 500), cube(y), cube(y - lab.z / 200)) * d50
  }

  /// The inverse of the function f of CIELAB.
  private static func cube(_ t: Double) -> Double {
    t > 24.0 / 116 ? t * t * t : (108.0 / 841) * (t - 16.0 / 116)
  }

  /// Returns L* of the luminance Y.
  static func lightness(_ y: Double) -> Double {
    let limit = (24.0 / 116) * (24.0 / 116) * (24.0 / 116)
    return y > limit ? 116 * ElementaryFunctions.power(y, 1.0 / 3) - 16 : y * 116 * 841 / 108
  }

  /// The Bradford cone response.
  private static let bradford = Matrix3(
    SIMD3(0.8951, 0.2664, -0.1614), SIMD3(-0.7502, 1.7135, 0.0367), SIMD3(0.0389, -0.0685, 1.0296))

  /// Returns the linear Bradford adaptation of XYZ from one white to another; `nil` if a white is degenerate.
  static func adaptation(from source: SIMD3<Double>, to target: SIMD3<Double>) -> Matrix3? {
    let (from, to) = (bradford * source, bradford * target)
    guard let inverse = bradford.inverse, from.x != 0, from.y != 0, from.z != 0 else { return nil }
    return inverse * Matrix3(diagonal: to / from) * bradford
  }

  /// Returns the matrix from linear RGB with these chromaticities to XYZ relative to D50; `nil` if the primaries are
  /// collinear or a value is out of range.
  static func matrixToD50(_ chromaticities: Chromaticities) -> Matrix3? {
    guard let matrix = matrixToXYZ(chromaticities),
      let adaptation = adaptation(from: matrix * SIMD3(repeating: 1), to: d50)
    else { return nil }
    return adaptation * matrix
  }

  /// Returns the matrix from linear RGB with these chromaticities to XYZ relative to their own white; `nil` if the
  /// primaries are collinear or a value is out of range.
  static func matrixToXYZ(_ chromaticities: Chromaticities) -> Matrix3? {
    let points = [chromaticities.red, chromaticities.green, chromaticities.blue, chromaticities.white]
    guard points.allSatisfy({ $0.x.isFinite && $0.y.isFinite && abs($0.x) <= 2 && abs($0.y) <= 2 }),
      chromaticities.white.y > 1e-6
    else { return nil }
    func unscaled(_ point: Chromaticities.Point) -> SIMD3<Double> { SIMD3(point.x, point.y, 1 - point.x - point.y) }
    let primaries = Matrix3(
      columns: unscaled(chromaticities.red), unscaled(chromaticities.green), unscaled(chromaticities.blue))
    let white = unscaled(chromaticities.white) / chromaticities.white.y
    guard let inverse = primaries.inverse else { return nil }
    return primaries * Matrix3(diagonal: inverse * white)
  }
}
