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
    let d65 = (0.3127, 0.3290)
    let c = (0.310, 0.316)
    let third = 1.0 / 3
    switch codePoint {
    case 1, 2: self.init((0.640, 0.330), (0.300, 0.600), (0.150, 0.060), white: d65)
    case 4: self.init((0.67, 0.33), (0.21, 0.71), (0.14, 0.08), white: c)
    case 5: self.init((0.64, 0.33), (0.29, 0.60), (0.15, 0.06), white: d65)
    case 6, 7: self.init((0.630, 0.340), (0.310, 0.595), (0.155, 0.070), white: d65)
    case 8: self.init((0.681, 0.319), (0.243, 0.692), (0.145, 0.049), white: c)
    case 9: self.init((0.708, 0.292), (0.170, 0.797), (0.131, 0.046), white: d65)
    case 10: self.init((1, 0), (0, 1), (0, 0), white: (third, third))
    case 11: self.init((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), white: (0.314, 0.351))
    case 12: self.init((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), white: d65)
    case 22: self.init((0.630, 0.340), (0.295, 0.605), (0.155, 0.077), white: d65)
    default: return nil
    }
  }

  private init?(
    _ red: (Double, Double), _ green: (Double, Double), _ blue: (Double, Double), white: (Double, Double)
  ) {
    func point(_ pair: (Double, Double)) -> Chromaticities.Point { Chromaticities.Point(x: pair.0, y: pair.1) }
    chromaticities = Chromaticities(white: point(white), red: point(red), green: point(green), blue: point(blue))
    guard let matrix = Colorimetry.matrixToD50(chromaticities) else { return nil }
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
  /// - Throws: ``CodecError/Kind/unsupported`` for reserved code points.
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
