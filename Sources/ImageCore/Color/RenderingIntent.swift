// The rendering intents of ICC profiles, which PNG's sRGB chunk states as well.

/// The handling of colours that the target cannot reproduce, and the white to which colours are relative (ICC.1,
/// section 6.2).
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
