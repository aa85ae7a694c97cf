// Metadata blocks as raw bytes. MetadataFormats parses them.

/// The metadata that a file contains in addition to its pixels.
public struct ImageMetadata: Hashable, Codable, Sendable {
  /// A text and its keyword.
  public struct Text: Hashable, Codable, Sendable {
    /// The subject of the text, such as `"Author"`.
    public var keyword: String
    /// The text, decoded to Unicode.
    public var value: String
    /// An RFC 3066 language tag; empty if unknown.
    public var language: String
    /// The keyword translated to that language; empty if unknown.
    public var translatedKeyword: String

    /// Creates a text; the language and the translated keyword are optional.
    public init(keyword: String, value: String, language: String = "", translatedKeyword: String = "") {
      self.keyword = keyword
      self.value = value
      self.language = language
      self.translatedKeyword = translatedKeyword
    }
  }

  /// The resolution: pixels per unit of length, or the shape of a pixel.
  public struct PixelDensity: Hashable, Codable, Sendable {
    /// The unit of length that the densities refer to.
    public enum Unit: String, Hashable, Codable, Sendable {
      /// None: only the ratio of the two densities is meaningful.
      case aspectRatio
      /// Pixels per metre.
      case perMeter
      /// Pixels per inch.
      case perInch
    }
    /// Horizontal pixels per unit.
    public var x: Double
    /// Vertical pixels per unit.
    public var y: Double
    /// The unit of both densities.
    public var unit: Unit

    /// Creates a density from its horizontal and vertical values and their unit.
    public init(x: Double, y: Double, unit: Unit) {
      self.x = x
      self.y = y
      self.unit = unit
    }
  }

  /// A UTC time to the second.
  public struct Timestamp: Hashable, Codable, Sendable {
    /// The year, such as 2026.
    public var year: Int
    /// The month, 1…12.
    public var month: Int
    /// The day of the month, 1…31.
    public var day: Int
    /// The hour, 0…23.
    public var hour: Int
    /// The minute, 0…59.
    public var minute: Int
    /// 0…60, for leap seconds.
    public var second: Int

    /// Creates a time. The fields are not validated.
    public init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
      self.year = year
      self.month = month
      self.day = day
      self.hour = hour
      self.minute = minute
      self.second = second
    }
  }

  /// A colour in the image's own sample format: one value for gray, three for RGB.
  public struct SampleColor: Hashable, Codable, Sendable {
    /// The sample values at the image's own bit depth.
    public var samples: [UInt16]
    /// Creates a colour from one sample value (gray) or three (RGB).
    public init(samples: [UInt16]) {
      self.samples = samples
    }
  }

  /// The EXIF block: a TIFF header and its directories, without a prefix.
  public var exif: [UInt8]?
  /// The XMP packet, in UTF-8.
  public var xmp: [UInt8]?
  /// The IPTC-IIM records, without the Photoshop resource that holds them.
  public var iptc: [UInt8]?
  /// The colour space that the file describes. Encoders write it only if that of the bitmap
  /// (``Bitmap/colorSpace``) is not specified.
  public var colorSpace: ColorSpace
  /// The name of the ICC profile in the container.
  public var iccProfileName: String?
  /// The texts, in file order.
  public var texts: [Text]
  /// The comments, in file order.
  public var comments: [String]
  /// The resolution that the file states for printing.
  public var density: PixelDensity?
  /// The ICC.1 rendering intent (0…3) of a file that is marked as sRGB.
  public var sRGBRenderingIntent: UInt8?
  /// The number of significant bits in each sample, in the order gray or RGB, then alpha.
  public var significantBits: [UInt8]?
  /// The colour to display behind the image.
  public var background: SampleColor?
  /// The time at which the image was last modified.
  public var modificationTime: Timestamp?

  /// Creates metadata without any entry.
  public init() {
    colorSpace = .unspecified
    texts = []
    comments = []
  }

  /// Returns the colour space that an encoder writes for a bitmap: its own, or that of the metadata if it has none. The
  /// properties of an HDR picture that it lacks are those of the metadata.
  package func colorSpace(for own: ColorSpace) -> ColorSpace {
    var space = own.definition == .unspecified ? colorSpace : own
    space.masteringDisplay = own.masteringDisplay ?? colorSpace.masteringDisplay
    space.contentLightLevel = own.contentLightLevel ?? colorSpace.contentLightLevel
    return space
  }

  /// The total byte count of all blocks and texts.
  package var byteCount: Int {
    let blocks = [exif, xmp, iptc, colorSpace.iccProfile].reduce(0) { $0 + ($1?.count ?? 0) }
    let texts = texts.reduce(0) { $0 + $1.keyword.utf8.count + $1.value.utf8.count + $1.translatedKeyword.utf8.count }
    return comments.reduce(blocks + texts) { $0 + $1.utf8.count }
  }

  /// Whether there is no metadata at all.
  public var isEmpty: Bool { self == ImageMetadata() }
}
