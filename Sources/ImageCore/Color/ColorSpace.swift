// The meaning of colour samples: a tag attached to the pixels. Nothing is converted here.

/// The meaning of a bitmap's colour samples, as the file specifies it. Decoders attach the tag and leave the samples
/// unchanged.
///
/// A file can describe its colours in several ways at once. All of them are kept; ``definition`` is the one that
/// applies.
public struct ColorSpace: Hashable, Codable, Sendable {
  /// A single description of colours.
  public enum Definition: Hashable, Sendable {
    /// None; by convention sRGB.
    case unspecified
    /// The colour space of the web, IEC 61966-2-1.
    case sRGB
    /// A transfer exponent, primaries, or both.
    case calibrated(Calibration)
    /// ITU-T H.273 code points.
    case codePoints(CodingIndependentCodePoints)
    /// An ICC profile.
    case icc([UInt8])
  }

  /// A transfer exponent and primaries, as in PNG's gAMA and cHRM chunks.
  public struct Calibration: Hashable, Codable, Sendable {
    /// The encoding exponent, about 0.45455 for typical images; `nil` if only the primaries are known.
    public var gamma: Double?
    /// The white point and the primaries; `nil` if only the exponent is known.
    public var chromaticities: Chromaticities?

    /// Creates a calibration from an encoding exponent and primaries, either of which can be absent.
    public init(gamma: Double? = nil, chromaticities: Chromaticities? = nil) {
      self.gamma = gamma
      self.chromaticities = chromaticities
    }
  }

  /// The bytes of the embedded ICC profile.
  public var iccProfile: [UInt8]?
  /// The ITU-T H.273 code points, as in PNG's cICP chunk and HEIF's nclx box.
  public var codePoints: CodingIndependentCodePoints?
  /// Whether the code points take precedence over the ICC profile, as in PNG. In HEIF the profile does.
  public var prefersCodePoints = false
  /// Whether the file is marked as sRGB (IEC 61966-2-1).
  public var isMarkedAsSRGB = false
  /// The transfer exponent and primaries.
  public var calibration: Calibration?
  /// The display on which an HDR picture was graded.
  public var masteringDisplay: MasteringDisplay?
  /// The light levels of an HDR picture.
  public var contentLightLevel: ContentLightLevel?
  /// The location of a gain map that extends the picture's dynamic range.
  public var gainMap: GainMapReference?

  /// Creates a colour space without any description: ``unspecified``.
  public init() {}

  /// The description that applies: the ICC profile, code points that name primaries or a transfer function, sRGB, the
  /// calibration, in this order. ``prefersCodePoints`` exchanges the first two.
  public var definition: Definition {
    if prefersCodePoints, let codePoints, codePoints.isSpecified { return .codePoints(codePoints) }
    if let iccProfile { return .icc(iccProfile) }
    if let codePoints, codePoints.isSpecified { return .codePoints(codePoints) }
    if isMarkedAsSRGB { return .sRGB }
    if let calibration { return .calibrated(calibration) }
    return .unspecified
  }
}

extension ColorSpace {
  /// The file does not specify a colour space; by convention sRGB.
  public static let unspecified = ColorSpace()

  /// The colour space of the web, IEC 61966-2-1.
  public static let sRGB: ColorSpace = {
    var space = ColorSpace()
    space.isMarkedAsSRGB = true
    return space
  }()

  /// Display P3: the primaries of SMPTE EG 432-1 with the white point D65 and sRGB's transfer function.
  public static let displayP3 = codePoints(
    CodingIndependentCodePoints(colorPrimaries: 12, transferFunction: 13, matrixCoefficients: 0, isFullRange: true))

  /// Adobe RGB (1998): an exponent of 2 + 51/256 with its own green primary.
  public static let adobeRGB = calibrated(
    gamma: 256.0 / 563.0,
    chromaticities: Chromaticities(
      white: Chromaticities.Point(x: 0.3127, y: 0.3290), red: Chromaticities.Point(x: 0.64, y: 0.33),
      green: Chromaticities.Point(x: 0.21, y: 0.71), blue: Chromaticities.Point(x: 0.15, y: 0.06)))

  /// ITU-R BT.2100 with the perceptual quantiser (PQ).
  public static let bt2020PQ = codePoints(
    CodingIndependentCodePoints(colorPrimaries: 9, transferFunction: 16, matrixCoefficients: 0, isFullRange: true))

  /// ITU-R BT.2100 with hybrid log-gamma (HLG).
  public static let bt2020HLG = codePoints(
    CodingIndependentCodePoints(colorPrimaries: 9, transferFunction: 18, matrixCoefficients: 0, isFullRange: true))

  /// Returns the colour space of an ICC profile, given its bytes. The profile is not parsed.
  public static func icc(_ profile: [UInt8]) -> ColorSpace {
    var space = ColorSpace()
    space.iccProfile = profile
    return space
  }

  /// Returns the colour space of ITU-T H.273 code points.
  public static func codePoints(_ codePoints: CodingIndependentCodePoints) -> ColorSpace {
    var space = ColorSpace()
    space.codePoints = codePoints
    return space
  }

  /// Returns the colour space of an encoding exponent (such as 0.45455) and primaries.
  public static func calibrated(gamma: Double?, chromaticities: Chromaticities?) -> ColorSpace {
    var space = ColorSpace()
    space.calibration = Calibration(gamma: gamma, chromaticities: chromaticities)
    return space
  }
}

/// CIE 1931 xy chromaticities of a white point and three primaries.
public struct Chromaticities: Hashable, Codable, Sendable {
  /// A point in the chromaticity diagram.
  public struct Point: Hashable, Codable, Sendable {
    /// The CIE 1931 x coordinate.
    public var x: Double
    /// The CIE 1931 y coordinate.
    public var y: Double
    /// Creates a point from its coordinates.
    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// The chromaticity of white.
  public var white: Point
  /// The chromaticity of the red primary.
  public var red: Point
  /// The chromaticity of the green primary.
  public var green: Point
  /// The chromaticity of the blue primary.
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
public struct CodingIndependentCodePoints: Hashable, Codable, Sendable {
  /// The ColourPrimaries code point of H.273.
  public var colorPrimaries: UInt8
  /// The TransferCharacteristics code point of H.273.
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

  /// Whether the primaries or the transfer function are known: code point 2 means unspecified.
  public var isSpecified: Bool { colorPrimaries != 2 || transferFunction != 2 }
}
