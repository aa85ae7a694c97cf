// The colour primaries and transfer functions of ITU-T H.273, by their code points.

internal import ImageCore

/// Colour primaries (H.273, table 2).
struct ColorPrimaries: Hashable, Sendable {
  let chromaticities: Chromaticities
  /// Linear RGB to XYZ relative to D50.
  let matrixToD50: Matrix3
  /// The share of each component in luminance, before any adaptation to another white.
  var luminanceWeights: SIMD3<Double> { (Colorimetry.matrixToXYZ(chromaticities) ?? matrixToD50).rows.1 }

  /// Returns the primaries of a code point; `nil` if it is reserved. Unspecified primaries are those of sRGB.
  init?(codePoint: UInt8) {
    guard let chromaticities = Chromaticities(colorPrimaries: codePoint),
      let matrix = Colorimetry.matrixToD50(chromaticities)
    else { return nil }
    self.chromaticities = chromaticities
    matrixToD50 = matrix
  }

  private init(chromaticities: Chromaticities) {
    self.chromaticities = chromaticities
    matrixToD50 = Colorimetry.matrixToD50(chromaticities) ?? .identity
  }

  /// ITU-R BT.709, as in sRGB.
  static let bt709 = ColorPrimaries(
    chromaticities: Chromaticities(
      white: Chromaticities.Point(x: 0.3127, y: 0.3290), red: Chromaticities.Point(x: 0.64, y: 0.33),
      green: Chromaticities.Point(x: 0.30, y: 0.60), blue: Chromaticities.Point(x: 0.15, y: 0.06)))
}

extension ToneCurve {
  /// Returns the inverse of a transfer function (H.273, table 3); `nil` if the code point is reserved. An unspecified one
  /// is that of sRGB.
  init?(transferFunction codePoint: UInt8) {
    switch codePoint {
    case 1, 6, 11, 12, 14, 15:
      self = .parametric(.camera(alpha: 0.09929682680944, limit: 0.018053968510807, slope: 4.5, power: 0.45))
    case 2, 13: self = .parametric(.sRGB)
    case 4: self = .parametric(ParametricCurve(gamma: 2.2))
    case 5: self = .parametric(ParametricCurve(gamma: 2.8))
    case 7: self = .parametric(.camera(alpha: 0.1115, limit: 0.0228, slope: 4, power: 0.45))
    case 8: self = .linear
    case 9: self = .logarithmic(decades: 2)
    case 10: self = .logarithmic(decades: 2.5)
    case 16: self = .perceptualQuantizer
    case 17:
      let scale = ElementaryFunctions.power(52.37 / 48, 1 / 2.6)
      self = .parametric(ParametricCurve(gamma: 2.6, a: scale))
    case 18: self = .hybridLogGamma
    default: return nil
    }
  }

  /// Whether the curve belongs to a picture of high dynamic range.
  var isHighDynamicRange: Bool { self == .perceptualQuantizer || self == .hybridLogGamma }
}

extension MatrixProfile {
  /// The colour space of code points. Those that are unspecified are those of sRGB.
  ///
  /// - Throws: `CodecError.Kind.unsupported` for reserved code points.
  init(_ codePoints: CodingIndependentCodePoints) throws(CodecError) {
    guard let primaries = ColorPrimaries(codePoint: codePoints.colorPrimaries) else {
      throw CodecError(.unsupported, "the colour primaries \(codePoints.colorPrimaries) are not defined")
    }
    guard let curve = ToneCurve(transferFunction: codePoints.transferFunction) else {
      throw CodecError(.unsupported, "the transfer function \(codePoints.transferFunction) is not defined")
    }
    self.init(curves: Array(repeating: curve, count: 3), toXYZ: primaries.matrixToD50)
  }
}
