// The public interface of encoding icons and cursors.

internal import BMPCodec
public import ImageCoding
internal import Resampling

/// Encodes ICO and CUR files with one entry for each size.
public struct IconEncoder: ImageFormatEncoder {
  /// The options of icon encoding.
  public struct Options: Hashable, Sendable {
    /// The sizes of the entries in pixels, 1…256: the longer side, which keeps the image's proportions. `nil` selects
    /// the usual sizes that are smaller than the image, and the image itself if it has at most 256 pixels per side.
    public var sizes: [Int]?
    /// The smallest side of an entry that is stored as a PNG file, if there is an encoder for it. The default is 256,
    /// the only size that Windows expects as PNG.
    public var minimumPNGSize: Int
    /// The hot spot of a cursor, in pixels of the largest entry; `nil` for an icon.
    public var hotSpot: IconContainer.HotSpot?

    /// Creates options. The defaults are those of an icon.
    public init(sizes: [Int]? = nil, minimumPNGSize: Int = 256, hotSpot: IconContainer.HotSpot? = nil) {
      self.sizes = sizes
      self.minimumPNGSize = minimumPNGSize
      self.hotSpot = hotSpot
    }
  }

  /// The options of encoding.
  public var options: Options
  private let pngEncoder: AnyImageFormatEncoder?

  /// Creates an encoder.
  ///
  /// - Parameters:
  ///   - options: the sizes, and the hot spot of a cursor.
  ///   - pngEncoder: the encoder of large entries. Without one, all entries are bitmaps.
  public init(options: Options = Options(), pngEncoder: AnyImageFormatEncoder? = nil) {
    self.options = options
    self.pngEncoder = pngEncoder
  }

  /// `com.microsoft.ico`, or `com.microsoft.cur` with a hot spot.
  public var type: AssetType { options.hotSpot == nil ? IconDecoder.icon : IconDecoder.cursor }

  private static let usualSizes = [16, 24, 32, 48, 64, 128, 256]
  /// The work of resizing a pixel of the source, to any size: all rows are read for each of the sizes.
  private static let workPerSourcePixel = 5

  /// Encodes a bitmap at each size. There is no place for metadata.
  ///
  /// The budget is charged for a turned copy unless the bitmap is upright, for the resized pictures and the output, and
  /// for the work of resizing and encoding them.
  ///
  /// - Throws: `CodecError.Kind.encodingFailed` for an empty bitmap, `CodecError.Kind.invalidArgument` if a size is
  ///   not 1…256 or there are none; `CodecError.Kind.limitExceeded`, `CodecError.Kind.cancelled` or
  ///   `CodecError.Kind.deadlineExceeded`.
  public func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata? = nil, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    guard !bitmap.isEmpty else {
      throw CodecError(.encodingFailed, "an icon cannot be \(bitmap.width) × \(bitmap.height) pixels", format: type)
    }
    let heldByteCount = budget.heldByteCount
    let source = try bitmap.orientedUp(budget: &budget).bitmap
    let longest = max(source.width, source.height)
    let sizes = options.sizes ?? Self.usualSizes.filter { $0 < longest } + (longest <= 256 ? [longest] : [])
    let (readCount, overflow) = sizes.count.multipliedReportingOverflow(by: source.width * source.height)
    try budget.requireWork(count: overflow ? .max : readCount, unitsEach: Self.workPerSourcePixel)
    var pictures: [Bitmap] = []
    for size in sizes {
      guard (1...256).contains(size) else {
        throw CodecError(.invalidArgument, "the icon size \(size) is not 1…256", format: type)
      }
      // The other side is rounded, and has at least one pixel.
      func scaled(_ side: Int) -> Int {
        max(1, Int((Int64(side) * Int64(size) + Int64(longest / 2)) / Int64(longest)))
      }
      let (width, height) = (scaled(source.width), scaled(source.height))
      pictures.append(
        width == source.width && height == source.height
          ? source : try source.resized(toWidth: width, height: height, budget: &budget))
    }
    let file = try encode(images: pictures, budget: &budget)
    budget.settle(heldByteCount: heldByteCount + file.count)
    return file
  }

  /// Encodes bitmaps of at most 256 pixels per side as they are, one entry each.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` if there are no bitmaps or more than 65,535, or if the
  ///   hot spot has a coordinate that is not 0…256; `CodecError.Kind.encodingFailed` if one is empty or larger.
  public func encode(images: [Bitmap]) throws(CodecError) -> [UInt8] {
    var budget = ResourceBudget(encoding: images.map { $0.pixelSize }, format: type)
    return try encode(images: images, budget: &budget)
  }

  private func encode(images: [Bitmap], budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    guard let largest = images.map({ max($0.width, $0.height) }).max(), let count = UInt16(exactly: images.count) else {
      throw CodecError(.invalidArgument, "an icon has 1 to 65535 entries, not \(images.count)", format: type)
    }
    if let hotSpot = options.hotSpot, !(0...256).contains(hotSpot.x) || !(0...256).contains(hotSpot.y) {
      throw CodecError(
        .invalidArgument, "the hot spot \(hotSpot.x), \(hotSpot.y) is not within a picture of 256 pixels", format: type)
    }
    var directory = ByteWriter(.littleEndian)
    directory.append(UInt16(0))
    directory.append(UInt16(options.hotSpot == nil ? 1 : 2))
    directory.append(count)
    var pictures: [UInt8] = []
    for image in images {
      guard !image.isEmpty, image.width <= 256, image.height <= 256 else {
        throw CodecError(.encodingFailed, "an icon cannot be \(image.width) × \(image.height) pixels", format: type)
      }
      let picture = try encodedPicture(image, budget: &budget)
      try budget.allocate(picture.count)
      // A size of 256 is written as 0.
      directory.append([UInt8(image.width & 255), UInt8(image.height & 255), 0, 0])
      if let hotSpot = options.hotSpot {
        let longest = max(image.width, image.height)
        directory.append(UInt16(clamping: hotSpot.x * longest / largest))
        directory.append(UInt16(clamping: hotSpot.y * longest / largest))
      } else {
        directory.append(UInt16(1))
        directory.append(UInt16(32))
      }
      directory.append(UInt32(truncatingIfNeeded: picture.count))
      directory.append(UInt32(truncatingIfNeeded: 6 + images.count * 16 + pictures.count))
      pictures += picture
    }
    return directory.bytes + pictures
  }

  private func encodedPicture(_ image: Bitmap, budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    if let pngEncoder, max(image.width, image.height) >= options.minimumPNGSize {
      // Windows expects eight bits per sample.
      try budget.chargeWork(count: image.width * image.height, unitsEach: 6)
      try budget.allocate(count: image.width * image.height, bytesEach: 4)
      return try pngEncoder.encode(image.converted(to: .rgba8), metadata: nil, budget: &budget)
    }
    return try bitmapWithMask(image, budget: &budget)
  }

  /// Returns a bitmap of 32 bits per pixel without file header, followed by its mask.
  private func bitmapWithMask(_ image: Bitmap, budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    try budget.chargeWork(count: image.width * image.height, unitsEach: 12)
    try budget.allocate(count: image.width * image.height, bytesEach: 8)
    var writer = ByteWriter(.littleEndian)
    writer.append(UInt32(40))
    writer.append(UInt32(image.width))
    writer.append(UInt32(image.height * 2))
    writer.append(UInt16(1))
    writer.append(UInt16(32))
    writer.append(UInt32(0))
    let maskRowByteCount = (image.width + 31) / 32 * 4
    writer.append(UInt32(image.height * (image.width * 4 + maskRowByteCount)))
    writer.append([UInt8](repeating: 0, count: 16))
    var bytes = writer.bytes
    var rows = RowPacker(image.format, width: image.width, depth: 32)
    for y in stride(from: image.height - 1, through: 0, by: -1) { rows.append(image.row(y), to: &bytes) }
    // The mask repeats what alpha says, for readers that ignore alpha.
    let pixels = bytes.count - image.height * image.width * 4
    for row in 0..<image.height {
      var mask = [UInt8](repeating: 0, count: maskRowByteCount)
      for x in 0..<image.width where bytes[pixels + (row * image.width + x) * 4 + 3] == 0 {
        mask[x / 8] |= 0x80 >> UInt8(x % 8)
      }
      bytes += mask
    }
    return bytes
  }
}
