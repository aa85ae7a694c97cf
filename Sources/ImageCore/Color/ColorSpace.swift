// What the colour samples mean: a tag that travels with the pixels. No conversion happens here.

/// The meaning of a bitmap's colour samples, as its file states it. Decoders keep the samples as they are and
/// attach the tag.
public enum ColorSpace: Hashable, Sendable {
  /// The file says nothing; by convention sRGB.
  case unspecified
  /// IEC 61966-2-1.
  case sRGB
  /// Defined by a transfer exponent and primaries, as PNG's gAMA and cHRM do.
  ///
  /// `gamma` is the encoding exponent (about 0.45455 for typical images).
  case calibrated(gamma: Double?, chromaticities: Chromaticities?)
  /// ITU-T H.273 code points, as PNG's cICP and HEIF's nclx state them.
  case codePoints(CodingIndependentCodePoints)
  /// An embedded ICC profile.
  case icc([UInt8])

  /// The bytes of the ICC profile, where there is one.
  public var iccProfile: [UInt8]? {
    if case .icc(let bytes) = self { bytes } else { nil }
  }
}

/// CIE 1931 xy chromaticities of a white point and three primaries.
public struct Chromaticities: Hashable, Sendable {
  /// A point of the chromaticity diagram.
  public struct Point: Hashable, Sendable {
    /// CIE x.
    public var x: Double
    /// CIE y.
    public var y: Double
    /// Creates a point.
    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// The white point.
  public var white: Point
  /// The red primary.
  public var red: Point
  /// The green primary.
  public var green: Point
  /// The blue primary.
  public var blue: Point

  /// Creates chromaticities.
  public init(white: Point, red: Point, green: Point, blue: Point) {
    self.white = white
    self.red = red
    self.green = green
    self.blue = blue
  }
}

/// Colour code points of ITU-T H.273.
public struct CodingIndependentCodePoints: Hashable, Sendable {
  /// Colour primaries.
  public var colorPrimaries: UInt8
  /// Transfer characteristics.
  public var transferFunction: UInt8
  /// Matrix coefficients; 0 for RGB.
  public var matrixCoefficients: UInt8
  /// Whether samples use the full range.
  public var isFullRange: Bool

  /// Creates code points.
  public init(colorPrimaries: UInt8, transferFunction: UInt8, matrixCoefficients: UInt8, isFullRange: Bool) {
    self.colorPrimaries = colorPrimaries
    self.transferFunction = transferFunction
    self.matrixCoefficients = matrixCoefficients
    self.isFullRange = isFullRange
  }
}
