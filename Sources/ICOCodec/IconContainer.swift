// The directory of icons and cursors, and the headers of their pictures (Microsoft, "Icons", 1995).

internal import BMPCodec
public import ImageCoding

/// The pictures of an ICO or CUR file.
public struct IconContainer: Hashable, Sendable {
  /// One picture of the icon or cursor, as its directory states it.
  public struct Entry: Hashable, Sendable {
    /// The size in pixels according to the picture's own header, or to the directory if that header is not in the
    /// input.
    public let size: PixelSize
    /// The bits per pixel; `nil` if neither header states them.
    public let bitsPerPixel: Int?
    /// The hot spot of a cursor; `nil` in an icon.
    public let hotSpot: HotSpot?
    /// The range of the picture in the file as the directory states it.
    public let range: Range<Int>
    /// Whether the picture is a PNG file; otherwise it is a bitmap without file header, followed by a mask.
    public let isPNG: Bool
    /// The size that the directory states.
    let statedSize: PixelSize

    var pixelCount: Int64 { Int64(size.width) * Int64(size.height) }
  }

  /// The position of a pixel relative to the top left corner.
  public struct HotSpot: Hashable, Sendable {
    /// The number of columns to its left.
    public let x: Int
    /// The number of rows above it.
    public let y: Int

    /// Creates a position.
    public init(x: Int, y: Int) {
      self.x = x
      self.y = y
    }
  }

  /// Whether the file is a cursor.
  public let isCursor: Bool
  /// The pictures in file order.
  public let entries: [Entry]

  /// The work units for reading an entry and the header of its picture.
  private static let workPerEntry = 500

  /// Reads the directory.
  ///
  /// - Parameters:
  ///   - bytes: the file or a prefix. Pictures beyond its end have the size that the directory states.
  ///   - limits: what reading may cost.
  /// - Throws: `CodecError.Kind.malformed`; `CodecError.Kind.truncated` with the needed byte count;
  ///   `CodecError.Kind.limitExceeded`.
  public init(parsing bytes: Span<UInt8>, limits: DecodingLimits = .default) throws(CodecError) {
    var budget = ResourceBudget(limits, format: IconDecoder.icon)
    try self.init(parsing: bytes, budget: &budget)
  }

  init(parsing bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    var reader = ByteReader(bytes, format: IconDecoder.icon)
    try reader.skip(2)
    isCursor = try reader.readUInt16LittleEndian() == 2
    let entryCount = Int(try reader.readUInt16LittleEndian())
    guard entryCount > 0 else { throw reader.error(.malformed, "the icon directory is empty") }
    var entries: [Entry] = []
    for _ in 0..<entryCount {
      try budget.chargeWork(Self.workPerEntry, byteOffset: reader.byteOffset)
      try budget.allocate(MemoryLayout<Entry>.stride, byteOffset: reader.byteOffset)
      entries.append(try Self.readEntry(&reader, of: bytes, isCursor: isCursor))
    }
    self.entries = entries
  }

  /// The picture with the most pixels; among several, the first one with the most bits per pixel.
  public var largestEntry: Entry? {
    entries.reduce(nil) { best, entry in
      guard let best else { return entry }
      let (left, right) = (best.pixelCount, entry.pixelCount)
      return left > right || (left == right && best.bitsPerPixel ?? 0 >= entry.bitsPerPixel ?? 0) ? best : entry
    }
  }

  /// Returns the smallest picture whose sides are both at least those of `size`, or the largest picture if there is none.
  /// Among pictures of equal size, the first one with the most bits per pixel is returned.
  public func bestEntry(for size: PixelSize) -> Entry? {
    let candidates = entries.filter { $0.size.width >= size.width && $0.size.height >= size.height }
    guard let smallest = candidates.map({ $0.pixelCount }).min() else { return largestEntry }
    return candidates.filter { $0.pixelCount == smallest }.reduce(nil) { best, entry in
      guard let best, best.bitsPerPixel ?? 0 >= entry.bitsPerPixel ?? 0 else { return entry }
      return best
    }
  }

  /// Returns the picture that options select.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` if there is no picture with the index.
  func selectedEntry(_ options: DecodingOptions) throws(CodecError) -> Entry {
    if let index = options.imageIndex {
      guard entries.indices.contains(index) else {
        throw CodecError(
          .invalidArgument, "there is no image \(index); the file has \(entries.count) images", format: type)
      }
      return entries[index]
    }
    guard let entry = options.targetSize.flatMap(bestEntry) ?? largestEntry else {
      throw CodecError(.malformed, "the icon directory is empty", format: type, byteOffset: 4)
    }
    return entry
  }

  /// The type of the file.
  var type: AssetType { isCursor ? IconDecoder.cursor : IconDecoder.icon }

  /// Returns the properties of a picture.
  func info(of entry: Entry) -> ImageInfo {
    var info = ImageInfo(
      type: type, width: entry.size.width, height: entry.size.height, bitDepth: entry.bitsPerPixel.map { min($0, 8) },
      colorModel: entry.bitsPerPixel.map { $0 <= 8 && !entry.isPNG ? .palette : .rgb }, hasAlpha: true,
      coding: entry.isPNG ? "PNG" : "BMP")
    info.imageCount = entries.count
    return info
  }

  private static func readEntry(
    _ reader: inout ByteReader, of bytes: Span<UInt8>, isCursor: Bool
  ) throws(CodecError) -> Entry {
    let width = Int(try reader.readUInt8())
    let height = Int(try reader.readUInt8())
    try reader.skip(2)
    // The number of planes and the depth of an icon, or the hot spot of a cursor.
    let first = Int(try reader.readUInt16LittleEndian())
    let second = Int(try reader.readUInt16LittleEndian())
    let byteCount = Int(clamping: try reader.readUInt32LittleEndian())
    let offset = Int(clamping: try reader.readUInt32LittleEndian())
    let picture = PictureHeader(bytes, at: offset)
    let statedSize = PixelSize(width: width == 0 ? 256 : width, height: height == 0 ? 256 : height)
    return Entry(
      size: picture?.size ?? statedSize,
      bitsPerPixel: picture?.bitsPerPixel ?? (isCursor || second == 0 ? nil : second),
      hotSpot: isCursor ? HotSpot(x: first, y: second) : nil, range: offset..<offset + min(byteCount, Int.max - offset),
      isPNG: picture?.isPNG ?? false, statedSize: statedSize)
  }
}

/// The header of an entry's picture.
private struct PictureHeader {
  let size: PixelSize
  let bitsPerPixel: Int?
  let isPNG: Bool

  /// Returns `nil` if there is no header or its values are invalid.
  init?(_ bytes: Span<UInt8>, at offset: Int) {
    guard offset <= bytes.count, let start = FourCharacterCode(bytes, at: offset) else { return nil }
    if start.rawValue == 0x8950_4E47 {
      guard let width = FourCharacterCode(bytes, at: offset + 16)?.rawValue,
        let height = FourCharacterCode(bytes, at: offset + 20)?.rawValue,
        width > 0, height > 0, width <= 1 << 16, height <= 1 << 16
      else { return nil }
      size = PixelSize(width: Int(width), height: Int(height))
      // The bits per sample are followed by the colour type, which determines the number of samples.
      if offset + 25 < bytes.count {
        let samples = [2: 3, 4: 2, 6: 4][bytes[offset + 25]] ?? 1
        bitsPerPixel = Int(bytes[offset + 24]) * samples
      } else {
        bitsPerPixel = nil
      }
      isPNG = true
      return
    }
    var reader = ByteReader(bytes.extracting(offset..<bytes.count))
    // The height of a bitmap includes the rows of its mask.
    guard let header = try? BMPHeader(parsing: &reader), header.width > 0, header.height > 1,
      header.width <= 1 << 16, header.height <= 1 << 17
    else { return nil }
    size = PixelSize(width: header.width, height: header.height / 2)
    bitsPerPixel = header.bitsPerPixel
    isPNG = false
  }
}
