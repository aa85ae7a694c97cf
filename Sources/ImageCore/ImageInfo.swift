// What headers tell about an image without decoding a pixel.

/// The facts that an image's headers state. Reading them allocates no pixels.
public struct ImageInfo: Hashable, Sendable {
  /// How colours are stored in the file.
  public enum ColorModel: String, Hashable, Sendable {
    /// Luminance.
    case gray
    /// Red, green, blue.
    case rgb
    /// Luma and chroma.
    case yCbCr
    /// Four inks.
    case cmyk
    /// Four inks with the first three as luma and chroma.
    case ycck
    /// Indices into a table of colours.
    case palette
    /// Shapes, not pixels.
    case vector
  }

  /// The format.
  public var type: AssetType
  /// Columns as stored, before orientation.
  public var width: Int
  /// Rows as stored, before orientation.
  public var height: Int
  /// Bits of a sample (or of a palette index) in the file; `nil` where the headers do not say.
  public var bitDepth: Int?
  /// How colours are stored; `nil` where the headers do not say.
  public var colorModel: ColorModel?
  /// Whether pixels may be transparent.
  public var hasAlpha: Bool
  /// How stored pixels must be turned to be shown.
  public var orientation: ImageOrientation
  /// What the colour samples mean.
  public var colorSpace: ColorSpace
  /// Whether the image comes in passes or scans from coarse to fine.
  public var isProgressive: Bool
  /// The number of frames; 1 for a still image, `nil` where only an index pass would tell.
  public var frameCount: Int?
  /// How often an animation plays; `nil` for a still image.
  public var loopCount: LoopCount?
  /// How long all frames of an animation are shown once through; `nil` where only an index pass would tell.
  public var duration: Duration?
  /// What the format's own words for the coding are, such as `"baseline"` or `"hvc1"`; `nil` where there is but one.
  public var coding: String?

  /// Creates the facts of a still image.
  public init(
    type: AssetType, width: Int, height: Int, bitDepth: Int? = nil, colorModel: ColorModel? = nil,
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

  /// Columns and rows as stored.
  public var size: PixelSize { PixelSize(width: width, height: height) }
  /// Columns and rows as shown upright.
  public var orientedSize: PixelSize { orientation.swapsAxes ? size.transposed : size }
  /// Whether there is more than one frame, as far as the headers tell.
  public var isAnimated: Bool { loopCount != nil }
}

/// How often an animation plays.
public enum LoopCount: Hashable, Sendable {
  /// Without end.
  case infinite
  /// So many times; at least 1.
  case finite(Int)

  /// The count as file formats write it: 0 is without end.
  public var rawCount: Int {
    switch self {
    case .infinite: 0
    case .finite(let count): count
    }
  }

  /// Reads a count as file formats write it: 0 is without end.
  public init(rawCount: Int) {
    self = rawCount <= 0 ? .infinite : .finite(rawCount)
  }
}
