// Decoded pixels: a value with copy-on-write storage, row access by span, and the tags that say what they mean.

/// A rectangle of pixels in memory, rows from top to bottom.
///
/// A bitmap is a value: copies share their pixels until one of them is written to. `Bitmap()` is a valid 0 × 0
/// placeholder.
public struct Bitmap: Hashable, Sendable {
  /// Columns.
  public private(set) var width: Int
  /// Rows.
  public private(set) var height: Int
  /// The layout of a pixel.
  public private(set) var format: PixelFormat
  /// The distance of two rows in bytes; at least `width * format.bytesPerPixel`.
  public private(set) var bytesPerRow: Int
  /// What the colour samples mean.
  public var colorSpace: ColorSpace = .unspecified
  /// How the pixels must be turned to be shown; `.up` once that has been done.
  public var orientation: ImageOrientation = .up
  /// Pixels for a point; see ``size``.
  public var scale: Double = 1

  var storage: [UInt8]

  /// An empty bitmap of 0 × 0 pixels.
  public init() {
    width = 0
    height = 0
    format = .rgba8
    bytesPerRow = 0
    storage = []
  }

  /// A bitmap of zeros: transparent, or black where there is no alpha.
  ///
  /// - Throws: ``DecodeError/Kind/limitExceeded`` when the size passes `limits`,
  ///   ``DecodeError/Kind/invalidArgument`` when it is negative.
  public init(
    width: Int, height: Int, format: PixelFormat, limits: DecodingLimits = .default
  ) throws(DecodeError) {
    self.init()
    try reset(width: width, height: height, format: format, limits: limits)
    zeroPixels(rows: 0..<height)
  }

  /// A bitmap of existing pixels.
  ///
  /// - Parameter bytesPerRow: the distance of two rows; `nil` means that they are packed.
  /// - Throws: ``DecodeError/Kind/invalidArgument`` unless `pixels` holds `height` rows.
  public init(
    width: Int, height: Int, format: PixelFormat, bytesPerRow: Int? = nil, pixels: [UInt8]
  ) throws(DecodeError) {
    guard width >= 0, height >= 0 else {
      throw DecodeError(.invalidArgument, "a bitmap's size cannot be negative")
    }
    let (packed, overflow) = width.multipliedReportingOverflow(by: format.bytesPerPixel)
    let stride = bytesPerRow ?? packed
    let (byteCount, byteOverflow) = stride.multipliedReportingOverflow(by: height)
    guard !overflow, !byteOverflow, stride >= packed, stride % format.bytesPerSample == 0, pixels.count == byteCount
    else {
      throw DecodeError(.invalidArgument, "the pixels do not fill \(width) × \(height) of \(format)")
    }
    self.width = width
    self.height = height
    self.format = format
    self.bytesPerRow = stride
    storage = pixels
  }

  /// Columns and rows.
  public var pixelSize: PixelSize { PixelSize(width: width, height: height) }
  /// The size in points: pixels divided by ``scale``.
  public var size: ImageSize { ImageSize(width: Double(width) / scale, height: Double(height) / scale) }
  /// Whether the format has no alpha. See ``isFullyOpaque()`` for a look at the pixels.
  public var isOpaque: Bool { !format.hasAlpha }
  /// Whether there are no pixels.
  public var isEmpty: Bool { width == 0 || height == 0 }
}

extension Bitmap {
  /// Takes a new size and format and keeps the allocation where it is large enough and not shared.
  ///
  /// The pixels' values are then arbitrary (old ones of this bitmap, or zero). Whoever calls writes or zeroes every
  /// row, also on failure. Tags go back to their defaults.
  package mutating func reset(
    width: Int, height: Int, format: PixelFormat, limits: DecodingLimits,
    type: AssetType? = nil, byteOffset: Int? = nil
  ) throws(DecodeError) {
    guard width >= 0, height >= 0 else {
      throw DecodeError(.invalidArgument, "a bitmap's size cannot be negative", format: type, byteOffset: byteOffset)
    }
    let byteCount = try limits.checkedByteCount(
      width: width, height: height, bytesPerPixel: format.bytesPerPixel, format: type, byteOffset: byteOffset)
    if storage.count != byteCount {
      storage = []
      storage = [UInt8](repeating: 0, count: byteCount)
    }
    self.width = width
    self.height = height
    self.format = format
    bytesPerRow = width * format.bytesPerPixel
    colorSpace = .unspecified
    orientation = .up
    scale = 1
  }

  /// Sets all samples of some rows to zero.
  package mutating func zeroPixels(rows: Range<Int>) {
    var index = rows.lowerBound * bytesPerRow
    let end = rows.upperBound * bytesPerRow
    var pixels = storage.mutableSpan
    while index < end {
      pixels[index] = 0
      index += 1
    }
  }
}
