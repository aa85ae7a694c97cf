// The rendering of camera raw files.

/// How the data of a sensor become a picture.
public enum RawRendering: String, Hashable, Sendable, CaseIterable, Codable {
  /// Brightness is proportional to the light that the sensor received.
  case neutral
  /// The exposure that the file states is applied, and a curve that lifts the mid-tones and compresses the highlights.
  case toned
}

/// The colour space of developed camera raw files. Cameras see more colours than sRGB has; those outside the space are
/// clipped.
public enum RawColorSpace: String, Hashable, Sendable, CaseIterable, Codable {
  /// ``ColorSpace/sRGB``.
  case sRGB
  /// ``ColorSpace/displayP3``.
  case displayP3
  /// The primaries of ITU-R BT.2020 with sRGB's transfer function.
  case bt2020

  /// The tag of the pixels.
  public var colorSpace: ColorSpace {
    switch self {
    case .sRGB: .sRGB
    case .displayP3: .displayP3
    case .bt2020:
      .codePoints(
        CodingIndependentCodePoints(
          colorPrimaries: 9, transferFunction: 13, matrixCoefficients: 0, isFullRange: true))
    }
  }
}
