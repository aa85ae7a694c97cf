// Decoded pixels: a copy-on-write value with row access by span, and tags that describe the meaning of the pixels.

/// A rectangular image in memory, with rows from top to bottom.
///
/// A bitmap is a value: copies share storage until one of them is mutated. `Bitmap()` is a valid 0 × 0 placeholder.
public struct Bitmap: Hashable, Sendable {
  /// The width in pixels.
  public private(set) var width: Int
  /// The height in pixels.
  public private(set) var height: Int
  /// The layout of a pixel.
  public private(set) var format: PixelFormat
  /// The distance between the starts of two rows, in bytes; at least `width * format.bytesPerPixel`.
  public private(set) var bytesPerRow: Int
  /// The colour space of the samples.
  public var colorSpace: ColorSpace = .unspecified
  /// The orientation of the pixels for display; `.up` once it has been applied.
  public var orientation: ImageOrientation = .up
  /// The number of pixels per point; see ``size``. Always finite and positive: any other value is replaced with 1.
  public var scale: Double {
    get { pixelsPerPoint }
    set { pixelsPerPoint = newValue.isFinite && newValue > 0 ? newValue : 1 }
  }
  /// The number of significant bits in each sample, if less than the format's depth, such as 10 or 12 for deep HEIF and
  /// AVIF pictures whose samples are scaled to 16 bits. `nil` if all bits are significant.
  public var significantBits: Int?

  private var pixelsPerPoint: Double = 1

  var storage: [UInt8]
  /// The rows in `storage`: all of them, except while rows are streamed to a sink.
  package private(set) var heldRows = 0..<0
  /// Whether only some of the rows are held, because they are streamed to a sink.
  package var isWindow: Bool { heldRows.count < height }

  /// Creates an empty bitmap of 0 × 0 pixels.
  public init() {
    width = 0
    height = 0
    format = .rgba8
    bytesPerRow = 0
    storage = []
  }

  /// Creates a bitmap of zeros: transparent, or black if the format has no alpha.
  ///
  /// - Throws: ``CodecError/Kind/limitExceeded`` if the size exceeds `limits`, ``CodecError/Kind/invalidArgument`` if
  ///   it is negative.
  public init(
    width: Int, height: Int, format: PixelFormat, limits: DecodingLimits = .default
  ) throws(CodecError) {
    self.init()
    try reset(width: width, height: height, format: format, limits: limits)
    zeroPixels(rows: 0..<height)
  }

  /// Creates a bitmap whose pixels are written by a closure.
  ///
  /// - Parameters:
  ///   - width: the width in pixels.
  ///   - height: the height in pixels.
  ///   - format: the pixel format.
  ///   - limits: what the bitmap may hold: pixels and memory.
  ///   - initialize: receives all bytes, initially zero, row by row without padding.
  /// - Throws: any error of the closure; ``CodecError/Kind/limitExceeded`` or ``CodecError/Kind/invalidArgument`` as
  ///   for ``init(width:height:format:limits:)``.
  public init(
    width: Int, height: Int, format: PixelFormat, limits: DecodingLimits = .default,
    initializingWith initialize: (inout MutableSpan<UInt8>) throws(CodecError) -> Void
  ) throws(CodecError) {
    try self.init(width: width, height: height, format: format, limits: limits)
    var bytes = storage.mutableSpan
    try initialize(&bytes)
  }

  /// Creates a bitmap from existing pixels.
  ///
  /// - Parameters:
  ///   - width: the width in pixels.
  ///   - height: the height in pixels.
  ///   - format: the pixel format.
  ///   - bytesPerRow: the distance between the starts of two rows; `nil` if rows are packed.
  ///   - pixels: the rows, from top to bottom.
  /// - Throws: ``CodecError/Kind/invalidArgument`` unless `pixels` contains `height` rows.
  public init(
    width: Int, height: Int, format: PixelFormat, bytesPerRow: Int? = nil, pixels: [UInt8]
  ) throws(CodecError) {
    guard width >= 0, height >= 0 else {
      throw CodecError(.invalidArgument, "the bitmap's size is negative")
    }
    let (packed, overflow) = width.multipliedReportingOverflow(by: format.bytesPerPixel)
    let stride = bytesPerRow ?? packed
    let (byteCount, byteOverflow) = stride.multipliedReportingOverflow(by: height)
    guard !overflow, !byteOverflow, stride >= packed, stride % format.bytesPerSample == 0, pixels.count == byteCount
    else {
      throw CodecError(.invalidArgument, "the pixels do not fill \(width) × \(height) in the format \(format)")
    }
    self.width = width
    self.height = height
    self.format = format
    self.bytesPerRow = stride
    storage = pixels
    heldRows = 0..<height
  }

  /// The size in pixels.
  public var pixelSize: PixelSize { PixelSize(width: width, height: height) }
  /// The size in points: pixels divided by ``scale``.
  public var size: ImageSize { ImageSize(width: Double(width) / scale, height: Double(height) / scale) }
  /// Whether the format has no alpha. ``isFullyOpaque()`` examines the pixels.
  public var isOpaque: Bool { !format.hasAlpha }
  /// Whether there are no pixels.
  public var isEmpty: Bool { width == 0 || height == 0 }
}

extension Bitmap {
  /// The number of bytes in all rows, including padding.
  package var byteCount: Int { storage.count }

  /// Changes the size and format, and charges the bytes to a budget. The allocation is reused if it has exactly the
  /// required size.
  ///
  /// The pixel values are then arbitrary: zero, or left over from before. The caller must write or zero every row, even
  /// on failure. Tags are reset.
  package mutating func reset(
    width: Int, height: Int, format: PixelFormat, budget: inout ResourceBudget, byteOffset: Int? = nil
  ) throws(CodecError) {
    try budget.allocatePixels(
      width: width, height: height, bytesPerPixel: format.bytesPerPixel, byteOffset: byteOffset)
    try reset(
      width: width, height: height, format: format, limits: budget.limits, type: budget.format,
      bufferPool: budget.bufferPool)
  }

  /// Changes the size and format. The allocation is reused if it has exactly the required size.
  ///
  /// The pixel values are then arbitrary: zero, or left over from before. The caller must write or zero every row, even
  /// on failure. Tags are reset.
  package mutating func reset(
    width: Int, height: Int, format: PixelFormat, limits: DecodingLimits,
    type: AssetType? = nil, byteOffset: Int? = nil, bufferPool: BufferPool? = nil
  ) throws(CodecError) {
    guard width >= 0, height >= 0 else {
      throw CodecError(.invalidArgument, "the bitmap's size is negative", format: type, byteOffset: byteOffset)
    }
    let byteCount = try limits.checkedByteCount(
      width: width, height: height, bytesPerPixel: format.bytesPerPixel, format: type, byteOffset: byteOffset)
    setLayout(
      width: width, height: height, heldRowCount: height, format: format, byteCount: byteCount, bufferPool)
  }

  /// Changes the size and format, and holds only the first rows. ``moveHeldRows(to:)`` moves on to later ones.
  ///
  /// The size is checked as that of a source whose pixels are not held. The pixel values are arbitrary.
  package mutating func resetWindow(
    width: Int, height: Int, heldRowCount: Int, format: PixelFormat, budget: inout ResourceBudget
  ) throws(CodecError) {
    try budget.checkSourceSize(width: width, height: height)
    let count = min(height, heldRowCount)
    let byteCount = try budget.limits.checkedByteCount(
      width: width, height: count, bytesPerPixel: format.bytesPerPixel, format: budget.format)
    try budget.allocate(byteCount)
    setLayout(
      width: width, height: height, heldRowCount: count, format: format, byteCount: byteCount, budget.bufferPool)
  }

  private mutating func setLayout(
    width: Int, height: Int, heldRowCount: Int, format: PixelFormat, byteCount: Int, _ bufferPool: BufferPool?
  ) {
    if storage.count != byteCount {
      storage = []
      storage = bufferPool?.take(byteCount) ?? makeZeroedBytes(byteCount)
    }
    self.width = width
    self.height = height
    self.format = format
    bytesPerRow = width * format.bytesPerPixel
    heldRows = 0..<heldRowCount
    colorSpace = .unspecified
    orientation = .up
    scale = 1
    significantBits = nil
  }

  /// Declares that the pixels have another format, which the caller has given them.
  mutating func relabel(_ format: PixelFormat) {
    precondition(format.bytesPerPixel == self.format.bytesPerPixel, "the formats differ in size")
    colorSpace = colorSpace.applying(from: self.format, to: format)
    self.format = format
  }

  /// Moves the storage out, and leaves an empty bitmap.
  package mutating func takeStorage() -> [UInt8] {
    let taken = storage
    self = Bitmap()
    return taken
  }

  /// Moves a window of rows downwards, so that it starts at a row within it. The rows that remain in the window keep
  /// their pixels.
  package mutating func moveHeldRows(to first: Int) {
    precondition(heldRows.contains(first) || first == heldRows.upperBound, "the window skips rows")
    let keptByteCount = (heldRows.upperBound - first) * bytesPerRow
    let offset = (first - heldRows.lowerBound) * bytesPerRow
    var pixels = storage.mutableSpan
    var index = 0
    while index < keptByteCount {
      pixels[index] = pixels[offset &+ index]
      index &+= 1
    }
    heldRows = first..<first + heldRows.count
  }

  /// Sets all samples in a range of rows to zero.
  package mutating func zeroPixels(rows: Range<Int>) {
    let rows = rows.clamped(to: heldRows)
    var index = (rows.lowerBound - heldRows.lowerBound) * bytesPerRow
    let end = (rows.upperBound - heldRows.lowerBound) * bytesPerRow
    var pixels = storage.mutableSpan
    while index < end {
      pixels[index] = 0
      index += 1
    }
  }
}
