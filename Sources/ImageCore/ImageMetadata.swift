// Metadata blocks as bytes: what a file carries beside its pixels. MetadataFormats turns them into values.

/// What a file carries beside its pixels.
public struct ImageMetadata: Hashable, Sendable {
  /// A text with its keyword.
  public struct Text: Hashable, Sendable {
    /// What the text is about, such as `"Author"`.
    public var keyword: String
    /// The text.
    public var value: String
    /// An RFC 3066 language tag; empty where unknown.
    public var language: String
    /// The keyword in that language; empty where unknown.
    public var translatedKeyword: String

    /// Creates a text.
    public init(keyword: String, value: String, language: String = "", translatedKeyword: String = "") {
      self.keyword = keyword
      self.value = value
      self.language = language
      self.translatedKeyword = translatedKeyword
    }
  }

  /// How large a pixel is.
  public struct PixelDensity: Hashable, Sendable {
    /// What the densities count.
    public enum Unit: Hashable, Sendable {
      /// Only the ratio of both matters.
      case aspectRatio
      /// Pixels in a metre.
      case perMeter
      /// Pixels in an inch.
      case perInch
    }
    /// Pixels across a unit.
    public var x: Double
    /// Pixels down a unit.
    public var y: Double
    /// The unit.
    public var unit: Unit

    /// Creates a density.
    public init(x: Double, y: Double, unit: Unit) {
      self.x = x
      self.y = y
      self.unit = unit
    }
  }

  /// A UTC time to the second.
  public struct Timestamp: Hashable, Sendable {
    /// The year, such as 2026.
    public var year: Int
    /// 1…12.
    public var month: Int
    /// 1…31.
    public var day: Int
    /// 0…23.
    public var hour: Int
    /// 0…59.
    public var minute: Int
    /// 0…60, for leap seconds.
    public var second: Int

    /// Creates a time.
    public init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
      self.year = year
      self.month = month
      self.day = day
      self.hour = hour
      self.minute = minute
      self.second = second
    }
  }

  /// A colour in the image's own samples: one of them for gray, three for RGB.
  public struct SampleColor: Hashable, Sendable {
    /// Sample values at the image's own depth.
    public var samples: [UInt16]
    /// Creates a colour.
    public init(samples: [UInt16]) {
      self.samples = samples
    }
  }

  /// The EXIF block: a TIFF header and its directories, without any prefix.
  public var exif: [UInt8]?
  /// The XMP packet, UTF-8.
  public var xmp: [UInt8]?
  /// The IPTC-IIM records.
  public var iptc: [UInt8]?
  /// The ICC profile.
  public var iccProfile: [UInt8]?
  /// The name that the container gives the ICC profile.
  public var iccProfileName: String?
  /// Texts in file order.
  public var texts: [Text]
  /// Comments in file order.
  public var comments: [String]
  /// How large a pixel is.
  public var density: PixelDensity?
  /// The encoding exponent that the file states, such as 0.45455.
  public var gamma: Double?
  /// The primaries that the file states.
  public var chromaticities: Chromaticities?
  /// The rendering intent of ICC.1 (0…3) that a file marked as sRGB states.
  public var sRGBRenderingIntent: UInt8?
  /// The code points that the file states.
  public var codePoints: CodingIndependentCodePoints?
  /// The bits of each sample that carry information, in the order gray or RGB, then alpha.
  public var significantBits: [UInt8]?
  /// The colour to show behind the image.
  public var background: SampleColor?
  /// When the image was last changed.
  public var modificationTime: Timestamp?

  /// Creates metadata that says nothing.
  public init() {
    texts = []
    comments = []
  }

  /// Whether there is nothing.
  public var isEmpty: Bool { self == ImageMetadata() }
}
