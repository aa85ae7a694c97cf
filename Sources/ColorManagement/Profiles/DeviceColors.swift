// The interpretation of a pixel format's samples in a colour space: a model from device samples to the connection
// space.

internal import ImageCore
internal import MetadataFormats

/// The colours of a device: how its samples become XYZ, and what the rendering intents need to know.
struct DeviceColors: Sendable {
  /// The model that converts samples to XYZ.
  enum Model: Sendable {
    case matrix(MatrixProfile)
    case lookup(LookupTransform)
    /// Ink without a profile: `(1 - c)(1 - k)` in sRGB.
    case plainInk
  }

  let model: Model
  /// The white of the medium relative to D50.
  var mediaWhite = Colorimetry.d50
  /// The black point for black-point compensation.
  var blackPoint = SIMD3<Double>(repeating: 0)
  /// Whether the perceptual intent refers to a medium whose black is specified, as in version 4 of ICC profiles.
  var hasReferenceBlack = true

  init(_ model: Model) {
    self.model = model
    if case .matrix(let matrix) = model { blackPoint = ICCProfile.neutral(matrix.xyz(SIMD3(repeating: 0))) }
  }
}

extension DeviceColors {
  /// Reads the description that applies of the colours of a picture.
  ///
  /// - Throws: `CodecError.Kind.malformed`, `CodecError.Kind.truncated` and `CodecError.Kind.unsupported` for a
  ///   broken description, or one for another colour model; `CodecError.Kind.limitExceeded`.
  init(
    source space: ColorSpace, colorModel: PixelFormat.ColorModel, intent: RenderingIntent,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    if case .icc(let bytes) = space.definition {
      let profile = try ICCProfile(parsing: bytes)
      // Gray with a profile for RGB is one of its grays: files that were reduced to gray keep the profile.
      guard
        profile.colorModel == (colorModel == .bgr ? .rgb : colorModel)
          || (colorModel == .gray && profile.colorModel == .rgb)
      else {
        throw CodecError(
          .malformed,
          "the ICC profile is for \(profile.header.dataColorSpace), but the pixels are \(colorModel.rawValue)")
      }
      self.init(try Self.model(of: profile, intent: intent, budget: &budget))
      mediaWhite = profile.mediaWhite
      blackPoint = try profile.blackPoint(model, intent: intent, budget: &budget)
    } else if colorModel == .cmyk {
      self.init(.plainInk)
    } else {
      var matrix = try MatrixProfile(space)
      if colorModel == .gray { matrix = matrix.gray }
      self.init(.matrix(matrix))
    }
  }

  /// Reads the description that applies of the colours of a target, which has no table.
  ///
  /// - Throws: as for the source; `CodecError.Kind.unsupported` for colour spaces of high dynamic range.
  init(target space: ColorSpace, budget: inout ResourceBudget) throws(CodecError) {
    if case .icc(let bytes) = space.definition {
      let profile = try ICCProfile(parsing: bytes)
      guard profile.hasMatrixElements else {
        throw CodecError(.unsupported, "the target is an ICC profile of the table type")
      }
      self.init(.matrix(try MatrixProfile(profile, budget: &budget)))
      mediaWhite = profile.mediaWhite
      hasReferenceBlack = profile.header.majorVersion >= 4
    } else {
      let matrix = try MatrixProfile(space)
      guard !matrix.isHighDynamicRange else {
        throw CodecError(.unsupported, "colours are not converted to a high dynamic range")
      }
      self.init(.matrix(matrix))
    }
  }

  /// Reads the table of an ICC profile for an intent, or else the one for the perceptual intent, or else the curves and
  /// the matrix.
  static func model(
    of profile: ICCProfile, intent: RenderingIntent, budget: inout ResourceBudget
  ) throws(CodecError) -> Model {
    if let range = profile.range(of: tableTag(for: intent)) ?? profile.range(of: "A2B0") {
      return .lookup(try LookupTransform(profile, range, budget: &budget))
    }
    return .matrix(try MatrixProfile(profile, budget: &budget))
  }

  /// The tag of the table for an intent.
  static func tableTag(for intent: RenderingIntent) -> FourCharacterCode {
    switch intent {
    case .perceptual: "A2B0"
    case .relativeColorimetric, .absoluteColorimetric: "A2B1"
    case .saturation: "A2B2"
    }
  }
}

extension DeviceColors.Model {
  /// Returns XYZ relative to D50 of device samples; gray uses the first one.
  func xyz(_ samples: SIMD4<Double>) -> SIMD3<Double> {
    switch self {
    case .matrix(let matrix): matrix.xyz(SIMD3(samples.x, samples.y, samples.z))
    case .lookup(let lookup): lookup.xyz(samples)
    case .plainInk: MatrixProfile.sRGB.xyz((1 - SIMD3(samples.x, samples.y, samples.z)) * (1 - samples.w))
    }
  }

  /// The colour space without tables, if it is one.
  var matrix: MatrixProfile? { if case .matrix(let matrix) = self { matrix } else { nil } }
}
