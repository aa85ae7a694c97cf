// The request to convert colours.

public import ImageCore

/// The reduction of the light of PQ and HLG pictures to that of an ordinary display.
public enum ToneMapping: String, Hashable, Codable, Sendable, CaseIterable {
  /// The EETF of Report ITU-R BT.2408, annex 5, on the largest component: light up to about half of the reference white
  /// of 203 cd/m² keeps its level, only highlights are compressed, and hues are kept.
  case bt2408
  /// Method A of Report ITU-R BT.2446, section 4, on luma, to a display of 100 cd/m²: the whole range is compressed
  /// as in a regrade for television, and the saturation of bright colours is reduced.
  case bt2446A
}

/// Whether decoded colours are converted to another colour space.
public enum ColorConversion: Hashable, Sendable {
  /// Samples are as stored; the bitmap's colour space says what they mean.
  case keep
  /// Samples are converted. The colour space must be sRGB, given by code points or a calibration, or an ICC profile of
  /// the matrix or gray type. With black-point compensation, the darkest colour of the source becomes that of the
  /// target. Tone mapping applies to sources of a high dynamic range.
  case to(
    ColorSpace, intent: RenderingIntent = .perceptual, blackPointCompensation: Bool = false,
    toneMapping: ToneMapping = .bt2408)
}
