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
  /// Reads the matrix or gray elements of a profile.
  ///
  /// - Throws: ``CodecError/Kind/malformed`` and ``CodecError/Kind/truncated``; ``CodecError/Kind/unsupported`` if the
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
  /// - Throws: ``CodecError/Kind/malformed`` if the exponent or the chromaticities are out of range.
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
