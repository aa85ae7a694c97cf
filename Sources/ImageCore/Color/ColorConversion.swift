// The request to convert colours: a value that decoding options carry. The conversion itself is in ColorManagement.

/// How colours that the target cannot reproduce are handled, and relative to which white (ICC.1, section 6.2).
public enum RenderingIntent: String, Hashable, Codable, Sendable, CaseIterable {
  /// The profile's rendering for a pleasing reproduction. Without one, as ``relativeColorimetric``.
  case perceptual
  /// Colours relative to the white of the medium; colours outside the target's gamut are clipped.
  case relativeColorimetric
  /// The profile's rendering for vivid colours, as in charts. Without one, as ``perceptual``.
  case saturation
  /// Colours as measured: the white of the medium is reproduced, for example as the tint of paper.
  case absoluteColorimetric
}

/// Whether decoded colours are converted to another colour space.
public enum ColorConversion: Hashable, Sendable {
  /// Samples are as stored; the bitmap's colour space says what they mean.
  case keep
  /// Samples are converted. The colour space must be sRGB, given by code points or a calibration, or an ICC profile of
  /// the matrix or gray type. With black-point compensation, the darkest colour of the source becomes that of the
  /// target.
  case to(
    ColorSpace, intent: RenderingIntent = .perceptual, blackPointCompensation: Bool = false)
}
