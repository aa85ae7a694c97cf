// Colour spaces given by curves and a matrix: matrix and gray profiles, sRGB, code points, calibrations.

internal import ImageCore

/// A colour space of curves for each component and a matrix to XYZ.
struct MatrixProfile: Hashable, Sendable {
  /// The curves of red, green and blue; a single one for gray.
  var curves: [ToneCurve]
  /// Linear RGB to XYZ relative to D50. Unused for gray, which is a multiple of D50.
  var toXYZ: Matrix3
  /// Whether the curve of gray yields L* rather than luminance.
  var isLightness = false

  var isGray: Bool { curves.count == 1 }

  static let sRGB = MatrixProfile(
    curves: Array(repeating: .parametric(.sRGB), count: 3), toXYZ: ColorPrimaries.bt709.matrixToD50)
}

extension MatrixProfile {
  /// The colour space of a description other than an ICC profile.
  ///
  /// - Throws: `CodecError.Kind.malformed` and `CodecError.Kind.unsupported`.
  init(_ space: ColorSpace) throws(CodecError) {
    switch space.definition {
    case .calibrated(let calibration): try self.init(calibration)
    case .codePoints(let codePoints): try self.init(codePoints)
    case .unspecified, .sRGB, .icc: self = .sRGB
    }
  }

  /// The reduction to an ordinary display; `nil` if the dynamic range is already that of one.
  ///
  /// - Parameter space: states the luminance of the brightest colour.
  func toneMap(_ space: ColorSpace, _ method: ToneMapping) -> ToneMap? {
    guard isHighDynamicRange else { return nil }
    let primaries = space.codePoints.flatMap { ColorPrimaries(codePoint: $0.colorPrimaries) }
    let stated = space.contentLightLevel.flatMap { $0.maximum > 0 ? $0.maximum : nil }
    return ToneMap(
      isSceneLight: curves[0] == .hybridLogGamma,
      weights: isGray ? SIMD3(repeating: 1.0 / 3) : primaries?.luminanceWeights ?? toXYZ.rows.1,
      peak: stated ?? space.masteringDisplay?.maximumLuminance,
      method: method)
  }

  /// Gray with the first curve.
  var gray: MatrixProfile { MatrixProfile(curves: Array(curves.prefix(1)), toXYZ: .identity) }

  /// Whether samples are amounts of light of which an ordinary display shows only a part.
  var isHighDynamicRange: Bool { curves.contains { $0.isHighDynamicRange } }

  /// Returns the linear light of device samples; gray uses the first one.
  func light(_ samples: SIMD3<Double>) -> SIMD3<Double> {
    if isGray { return SIMD3(repeating: curves[0].light(samples.x)) }
    return SIMD3(curves[0].light(samples.x), curves[1].light(samples.y), curves[2].light(samples.z))
  }

  /// Returns XYZ of linear light.
  func xyz(light: SIMD3<Double>) -> SIMD3<Double> {
    guard isGray else { return toXYZ * light }
    return isLightness ? Colorimetry.xyz(lab: SIMD3(light.x * 100, 0, 0)) : Colorimetry.d50 * light.x
  }

  /// Returns XYZ of device samples; gray uses the first one.
  func xyz(_ samples: SIMD3<Double>) -> SIMD3<Double> { xyz(light: light(samples)) }
}

extension MatrixProfile {
  /// Reads the matrix or gray elements of a profile.
  ///
  /// - Throws: `CodecError.Kind.malformed` and `CodecError.Kind.truncated`; `CodecError.Kind.unsupported` if the
  ///   profile is for CMYK.
  init(_ profile: ICCProfile, budget: inout ResourceBudget) throws(CodecError) {
    switch profile.colorModel {
    case .gray:
      self.init(
        curves: [try profile.curve("kTRC", budget: &budget)], toXYZ: .identity, isLightness: profile.connectsInLab)
    case .rgb, .bgr:
      self.init(
        curves: [
          try profile.curve("rTRC", budget: &budget), try profile.curve("gTRC", budget: &budget),
          try profile.curve("bTRC", budget: &budget),
        ],
        toXYZ: Matrix3(columns: try profile.xyz("rXYZ"), try profile.xyz("gXYZ"), try profile.xyz("bXYZ")))
    case .cmyk:
      throw CodecError(.unsupported, "the ICC profile for CMYK has no table for conversions to other colour spaces")
    }
  }

  /// The colour space of a calibration; what it does not state is that of sRGB.
  ///
  /// - Throws: `CodecError.Kind.malformed` if the exponent or the chromaticities are out of range.
  init(_ calibration: ColorSpace.Calibration) throws(CodecError) {
    self = .sRGB
    if let gamma = calibration.gamma {
      guard gamma.isFinite, gamma > 0.01, gamma < 100 else {
        throw CodecError(.malformed, "the exponent \(gamma) is out of range")
      }
      curves = Array(repeating: .parametric(ParametricCurve(gamma: 1 / gamma)), count: 3)
    }
    if let chromaticities = calibration.chromaticities {
      guard let matrix = Colorimetry.matrixToD50(chromaticities), matrix.inverse != nil else {
        throw CodecError(.malformed, "the chromaticities describe no colour space")
      }
      toXYZ = matrix
    }
  }
}
