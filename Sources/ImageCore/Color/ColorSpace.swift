// The meaning of colour samples: a tag attached to the pixels. Nothing is converted here.

/// The meaning of a bitmap's colour samples, as the file specifies it. Decoders attach the tag and leave the samples
/// unchanged.
public enum ColorSpace: Hashable, Sendable {
  /// The file does not specify a colour space; by convention sRGB.
  case unspecified
  /// IEC 61966-2-1.
  case sRGB
  /// Defined by a transfer exponent and primaries, as PNG's gAMA and cHRM do.
  ///
  /// `gamma` is the encoding exponent (about 0.45455 for typical images).
  case calibrated(gamma: Double?, chromaticities: Chromaticities?)
  /// ITU-T H.273 code points, as in PNG's cICP chunk and HEIF's nclx box.
  case codePoints(CodingIndependentCodePoints)
  /// An embedded ICC profile.
  case icc([UInt8])

  /// The bytes of the ICC profile, if there is one.
  public var iccProfile: [UInt8]? {
    if case .icc(let bytes) = self { bytes } else { nil }
  }
}

/// CIE 1931 xy chromaticities of a white point and three primaries.
public struct Chromaticities: Hashable, Sendable {
  /// A point in the chromaticity diagram.
  public struct Point: Hashable, Sendable {
    /// CIE x.
    public var x: Double
    /// CIE y.
    public var y: Double
    /// Creates a point from its coordinates.
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

  /// Creates chromaticities from a white point and three primaries.
  public init(white: Point, red: Point, green: Point, blue: Point) {
    self.white = white
    self.red = red
    self.green = green
    self.blue = blue
  }
}

/// Colour code points of ITU-T H.273.
public struct CodingIndependentCodePoints: Hashable, Sendable {
  /// The ColourPrimaries code.
  public var colorPrimaries: UInt8
  /// The TransferCharacteristics code.
  public var transferFunction: UInt8
  /// The MatrixCoefficients code; 0 for RGB.
  public var matrixCoefficients: UInt8
  /// Whether samples use the full range rather than the narrow (video) range.
  public var isFullRange: Bool

  /// Creates code points from their values in the file.
  public init(colorPrimaries: UInt8, transferFunction: UInt8, matrixCoefficients: UInt8, isFullRange: Bool) {
    self.colorPrimaries = colorPrimaries
    self.transferFunction = transferFunction
    self.matrixCoefficients = matrixCoefficients
    self.isFullRange = isFullRange
  }
}
