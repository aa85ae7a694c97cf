// What a colour space means for the samples of a pixel format: a model from device samples to the connection space.

internal import ImageCore
internal import MetadataFormats

/// The colours of a device: how its samples become XYZ, and what the rendering intents need to know.
struct DeviceColors: Sendable {
  /// How samples become XYZ.
  enum Model: Sendable {
    case matrix(MatrixProfile)
  }

  let model: Model
  /// The white of the medium relative to D50.
  var mediaWhite = Colorimetry.d50
  /// The black point for black-point compensation.
  var blackPoint = SIMD3<Double>(repeating: 0)
  /// Whether the perceptual intent refers to a medium whose black is specified, as in version 4 of ICC profiles.
  var hasReferenceBlack = true
  /// Whether samples are amounts of light of which the display shows only a part.
  var isHighDynamicRange = false
}

extension DeviceColors {
  /// Reads the description of a colour space that applies.
  ///
  /// - Throws: ``CodecError/Kind/malformed``, ``CodecError/Kind/truncated`` and ``CodecError/Kind/unsupported`` for a
  ///   broken description, or one for another colour model; ``CodecError/Kind/limitExceeded``.
  init(
    _ space: ColorSpace, colorModel: PixelFormat.ColorModel, intent: RenderingIntent, budget: inout ResourceBudget
  ) throws(CodecError) {
    var matrix: MatrixProfile
    switch space.definition {
    case .unspecified, .sRGB: matrix = .sRGB
    case .calibrated(let calibration): matrix = try MatrixProfile(calibration)
    case .codePoints(let codePoints): matrix = try MatrixProfile(codePoints)
    case .icc(let bytes):
      let profile = try ICCProfile(parsing: bytes)
      guard colorModel == profile.colorModel || (colorModel == .bgr && profile.colorModel == .rgb) else {
        throw CodecError(
          .malformed,
          "the ICC profile is for \(profile.header.dataColorSpace), but the pixels are \(colorModel.rawValue)")
      }
      try self.init(profile, intent: intent, budget: &budget)
      return
    }
    if colorModel == .gray { matrix.curves.removeLast(2) }
    self.init(matrix)
  }

  /// The colours of an ICC profile for a rendering intent.
  init(
    _ profile: ICCProfile, intent: RenderingIntent, budget: inout ResourceBudget
  ) throws(CodecError) {
    self.init(try MatrixProfile(profile, budget: &budget))
    mediaWhite = profile.mediaWhite
    hasReferenceBlack = profile.header.majorVersion >= 4
  }

  init(_ matrix: MatrixProfile) {
    model = .matrix(matrix)
    isHighDynamicRange = matrix.curves.contains { $0.isHighDynamicRange }
    blackPoint = matrix.blackPoint
  }
}

extension MatrixProfile {
  /// Returns XYZ of device samples; gray uses the first one.
  func xyz(_ samples: SIMD3<Double>) -> SIMD3<Double> {
    guard !isGray else {
      let light = curves[0].light(samples.x)
      return isLightness ? Colorimetry.xyz(lab: SIMD3(light * 100, 0, 0)) : Colorimetry.d50 * light
    }
    return toXYZ * SIMD3(curves[0].light(samples.x), curves[1].light(samples.y), curves[2].light(samples.z))
  }

  /// The darkest colour, made neutral.
  var blackPoint: SIMD3<Double> {
    let lightness = Colorimetry.lightness(xyz(SIMD3(repeating: 0)).y)
    return Colorimetry.xyz(lab: SIMD3(min(max(lightness, 0), 50), 0, 0))
  }
}
