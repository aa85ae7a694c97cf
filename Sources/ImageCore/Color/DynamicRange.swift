// The dynamic range of a picture as stated by its file, in addition to its colour space.

/// The colour volume of the display on which a picture was graded (SMPTE ST 2086; PNG's mDCV chunk, HEIF's mdcv box).
public struct MasteringDisplay: Hashable, Codable, Sendable {
  /// The display's primaries and white point.
  public var chromaticities: Chromaticities
  /// The highest luminance in cd/m².
  public var maximumLuminance: Double
  /// The lowest luminance in cd/m².
  public var minimumLuminance: Double

  /// Creates the description of a display from its primaries and its luminances in cd/m².
  public init(chromaticities: Chromaticities, maximumLuminance: Double, minimumLuminance: Double) {
    self.chromaticities = chromaticities
    self.maximumLuminance = maximumLuminance
    self.minimumLuminance = minimumLuminance
  }
}

/// The light levels of a picture or sequence (CTA-861.3; PNG's cLLI chunk, HEIF's clli box).
public struct ContentLightLevel: Hashable, Codable, Sendable {
  /// The luminance of the brightest pixel (MaxCLL) in cd/m²; 0 if unknown.
  public var maximum: Double
  /// The highest mean luminance of a frame (MaxFALL) in cd/m²; 0 if unknown.
  public var maximumFrameAverage: Double

  /// Creates light levels in cd/m².
  public init(maximum: Double, maximumFrameAverage: Double) {
    self.maximum = maximum
    self.maximumFrameAverage = maximumFrameAverage
  }
}

/// The location of a gain map: a second, smaller picture from which an HDR rendition of the first is computed.
public struct GainMapReference: Hashable, Codable, Sendable {
  /// The specification that defines the map's samples.
  public enum Standard: String, Hashable, Codable, Sendable {
    /// Apple's auxiliary image `urn:com:apple:photo:2020:aux:hdrgainmap`.
    case apple
    /// ISO 21496-1.
    case iso21496
  }

  /// The specification that defines the map's samples.
  public var standard: Standard
  /// The identifier of the HEIF item that contains the map.
  public var itemID: UInt32

  /// Creates a reference to a HEIF item.
  public init(standard: Standard, itemID: UInt32) {
    self.standard = standard
    self.itemID = itemID
  }
}
