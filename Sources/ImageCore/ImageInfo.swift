// The facts about an image that its headers contain.

/// The facts about an image that its headers contain. Reading them allocates no pixels.
public struct ImageInfo: Hashable, Codable, Sendable {
  /// The model of the colours in the file.
  public enum StoredColorModel: String, Hashable, Codable, Sendable {
    /// Luminance.
    case gray
    /// Red, green, blue.
    case rgb
    /// Luma and chroma.
    case yCbCr
    /// Four inks: cyan, magenta, yellow, black.
    case cmyk
    /// Four inks, with the first three stored as luma and chroma.
    case ycck
    /// Indices into a colour table.
    case palette
    /// Shapes, not pixels.
    case vector
  }

  /// The type of the file; of a file within a file, that of the outer one.
  public var type: AssetType
  /// The number of columns as stored, before orientation is applied.
  public var width: Int
  /// The number of rows as stored, before orientation is applied.
  public var height: Int
  /// The number of bits per sample (or per palette index) in the file; `nil` if the headers do not tell.
  public var bitDepth: Int?
  /// The colour model of the file; `nil` if the headers do not tell.
  public var colorModel: StoredColorModel?
  /// Whether pixels can be transparent.
  public var hasAlpha: Bool
  /// The orientation of the stored pixels for display. In a PNG or a WebP, the EXIF block may follow the pixels,
  /// which reading the headers does not reach; the orientation of a decoded bitmap takes it into account.
  public var orientation: ImageOrientation
  /// The colour space of the samples.
  public var colorSpace: ColorSpace
  /// Whether the image is stored from coarse to fine, in passes or scans.
  public var isProgressive: Bool
  /// The number of independent images in the file: pages of a TIFF, entries of an icon, images of a HEIF collection.
  /// ``DecodingOptions/imageIndex`` selects one. `nil` if it can be determined only by indexing the file.
  public var imageCount: Int? = 1
  /// The number of frames; 1 for a still image, `nil` if it can be determined only by indexing the file.
  public var frameCount: Int?
  /// The number of times an animation plays; `nil` for a still image.
  public var loopCount: LoopCount?
  /// The duration of one pass through all frames of an animation; `nil` if it can be determined only by indexing the
  /// file.
  public var duration: Duration?
  /// The pictures that the camera has embedded in a raw file, in the order in which the file refers to them. Empty for
  /// files of other formats.
  public var thumbnails: [EmbeddedPicture] = []
  /// The coding variant in the format's own terms, such as `"baseline"` or `"hvc1"`; `nil` if the format has only one.
  public var coding: String?

  /// Creates the info of a still image, or of an animation if a loop count is given.
  public init(
    type: AssetType, width: Int, height: Int, bitDepth: Int? = nil, colorModel: StoredColorModel? = nil,
    hasAlpha: Bool = false, orientation: ImageOrientation = .up, colorSpace: ColorSpace = .unspecified,
    isProgressive: Bool = false, frameCount: Int? = 1, loopCount: LoopCount? = nil, duration: Duration? = nil,
    coding: String? = nil
  ) {
    self.type = type
    self.width = width
    self.height = height
    self.bitDepth = bitDepth
    self.colorModel = colorModel
    self.hasAlpha = hasAlpha
    self.orientation = orientation
    self.colorSpace = colorSpace
    self.isProgressive = isProgressive
    self.frameCount = frameCount
    self.loopCount = loopCount
    self.duration = duration
    self.coding = coding
  }

  /// The size as stored.
  public var size: PixelSize { PixelSize(width: width, height: height) }
  /// The size when displayed upright.
  public var orientedSize: PixelSize { orientation.swapsAxes ? size.transposed : size }
  /// Whether the headers declare an animation.
  public var isAnimated: Bool { loopCount != nil }
}

/// The number of times an animation plays.
public enum LoopCount: Hashable, Sendable {
  /// Forever.
  case infinite
  /// The given number of times; numbers below 1 count as 1.
  case finite(Int)

  /// The count as file formats store it: 0 means forever.
  public var rawCount: Int {
    switch self {
    case .infinite: 0
    case .finite(let count): max(1, count)
    }
  }

  /// Creates a loop count from the value stored in a file: 0 means forever.
  public init(rawCount: Int) {
    self = rawCount <= 0 ? .infinite : .finite(rawCount)
  }
}

#if hasFeature(Embedded)
  extension LoopCount: Codable {}
#else
  extension LoopCount: Codable {
    /// Decodes a ``rawCount``.
    public init(from decoder: any Decoder) throws {
      self.init(rawCount: try decoder.singleValueContainer().decode(Int.self))
    }

    /// Encodes the ``rawCount``.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(rawCount)
    }
  }
#endif
