// The information header: BITMAPCOREHEADER (12 bytes), the OS/2 headers (16…64), BITMAPINFOHEADER (40) and its
// extensions (52, 56, 108, 124), after Microsoft's Windows GDI reference and the OS/2 Presentation Manager reference.

internal import ImageCoding

/// The content of a bitmap's information header.
public struct BMPHeader: Hashable, Sendable {
  /// The compression of the pixels.
  public enum Compression: String, Hashable, Sendable {
    /// No compression.
    case none = "uncompressed"
    /// Run lengths of 8-bit palette indices.
    case runLength8 = "RLE8"
    /// Run lengths of 4-bit palette indices.
    case runLength4 = "RLE4"
    /// Run lengths of 24-bit colours (OS/2).
    case runLength24 = "RLE24"
    /// CCITT modified Huffman (OS/2).
    case huffman = "Huffman 1D"
    /// Uncompressed, with masks that select the bits of red, green and blue.
    case bitFields = "bit fields"
    /// Uncompressed, with masks that select the bits of red, green, blue and alpha.
    case alphaBitFields = "alpha bit fields"
    /// An embedded JPEG file.
    case jpeg = "JPEG"
    /// An embedded PNG file.
    case png = "PNG"
    /// Any other value.
    case unknown = "unknown"
  }

  /// The size of the header in bytes, which determines its version.
  public let byteCount: Int
  /// The number of columns.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// Whether rows are stored from top to bottom.
  public let isTopDown: Bool
  /// The number of planes, which should be 1.
  public let planeCount: Int
  /// The bits per pixel.
  public let bitsPerPixel: Int
  /// The compression of the pixels.
  public let compression: Compression
  /// The horizontal resolution in pixels per metre; `nil` if not stated.
  public private(set) var pixelsPerMeterX: Int?
  /// The vertical resolution in pixels per metre; `nil` if not stated.
  public private(set) var pixelsPerMeterY: Int?
  /// The number of colours in the palette; 0 for the maximum that the depth allows.
  public private(set) var paletteCount = 0
  /// The size of the pixels in bytes as stated; 0 if unknown.
  public private(set) var statedImageByteCount = 0
  /// The bit masks of red, green, blue and, if present, alpha; empty if none are stated.
  public private(set) var masks: [UInt32] = []
  /// Whether the header is an OS/2 2.x header.
  public let isOS2: Bool
  /// The colour space of versions 4 and 5; unspecified in all others.
  private(set) var colorTags = BMPColorTags()
  /// The offset of the end of the header and of masks that follow it, in the bytes it was read from.
  let end: Int

  /// Reads a header, which must be complete.
  package init(parsing reader: inout ByteReader) throws(CodecError) {
    let start = reader.position
    let byteCount = Int(clamping: try reader.readUInt32LittleEndian())
    guard byteCount >= 12, byteCount <= 1024 else {
      throw reader.error(.malformed, "an information header of \(byteCount) bytes")
    }
    self.byteCount = byteCount
    if byteCount < 16 {
      width = Int(try reader.readUInt16LittleEndian())
      height = Int(try reader.readUInt16LittleEndian())
      planeCount = Int(try reader.readUInt16LittleEndian())
      bitsPerPixel = Int(try reader.readUInt16LittleEndian())
      isTopDown = false
      isOS2 = true
      compression = .none
      end = start + byteCount
      return
    }
    // A negative height means that rows are stored from top to bottom.
    let columns = Int32(bitPattern: try reader.readUInt32LittleEndian())
    let rows = Int32(bitPattern: try reader.readUInt32LittleEndian())
    guard columns >= 0 else { throw reader.error(.malformed, "the width is negative") }
    width = Int(columns)
    height = Int(clamping: rows.magnitude)
    isTopDown = rows < 0
    planeCount = Int(try reader.readUInt16LittleEndian())
    bitsPerPixel = Int(try reader.readUInt16LittleEndian())
    let isOS2 = byteCount == 16 || byteCount == 64
    self.isOS2 = isOS2
    let code = byteCount >= 20 ? try reader.readUInt32LittleEndian() : 0
    let compression = Self.compression(code, isOS2: isOS2)
    self.compression = compression
    let usesMasks = compression == .bitFields || compression == .alphaBitFields
    // The masks follow the shortest header that can use them, and are part of longer ones.
    let followingMaskCount = !usesMasks || byteCount >= 52 || byteCount < 40 ? 0 : compression == .bitFields ? 3 : 4
    end = start + byteCount + followingMaskCount * 4
    if byteCount >= 36 {
      statedImageByteCount = Int(clamping: try reader.readUInt32LittleEndian())
      pixelsPerMeterX = Int(clamping: try reader.readUInt32LittleEndian())
      pixelsPerMeterY = Int(clamping: try reader.readUInt32LittleEndian())
      paletteCount = Int(clamping: try reader.readUInt32LittleEndian())
      try reader.skip(byteCount >= 40 ? 4 : 0)
    }
    guard !isOS2, byteCount >= 40 else { return }
    try readMasks(&reader, count: byteCount >= 56 ? 4 : byteCount >= 52 ? 3 : followingMaskCount)
    if byteCount >= 108 {
      colorTags = try BMPColorTags(parsing: &reader, headerOffset: start, isVersion5: byteCount >= 124)
    }
  }

  private static func compression(_ code: UInt32, isOS2: Bool) -> Compression {
    switch code {
    case 0: .none
    case 1: .runLength8
    case 2: .runLength4
    case 3: isOS2 ? .huffman : .bitFields
    case 4: isOS2 ? .runLength24 : .jpeg
    case 5: .png
    case 6: .alphaBitFields
    default: .unknown
    }
  }

  private mutating func readMasks(_ reader: inout ByteReader, count: Int) throws(CodecError) {
    var stated: [UInt32] = []
    for _ in 0..<count { stated.append(try reader.readUInt32LittleEndian()) }
    switch compression {
    case .bitFields, .alphaBitFields: masks = stated
    case .none where bitsPerPixel == 32 && stated.count == 4 && stated[3] == 0xFF00_0000:
      // By the reference, masks apply to bit fields only. Writers of version 5 rely on the usual alpha mask nevertheless,
      // and image-rs and GIMP observe it.
      masks = [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000]
    default: break
    }
  }

  /// Whether a mask selects alpha bits, or rows of runs may leave out pixels.
  public var hasAlpha: Bool { (masks.count == 4 && masks[3] != 0) || compression.leavesGaps }

  /// Returns the properties that are common to all formats.
  func info(type: AssetType) -> ImageInfo {
    ImageInfo(
      type: type, width: width, height: height, bitDepth: bitDepth,
      colorModel: bitsPerPixel == 0 ? nil : bitsPerPixel <= 8 ? .palette : .rgb, hasAlpha: hasAlpha,
      colorSpace: colorTags.colorSpace, coding: compression.rawValue)
  }

  /// The largest number of bits of a sample or an index.
  private var bitDepth: Int {
    if bitsPerPixel <= 8 { return bitsPerPixel }
    if masks.isEmpty { return bitsPerPixel == 16 ? 5 : 8 }
    return masks.map { $0 == 0 ? 0 : 32 - $0.leadingZeroBitCount - $0.trailingZeroBitCount }.max() ?? 8
  }
}

extension BMPHeader.Compression {
  /// Whether pixels may be left out, which are transparent.
  var leavesGaps: Bool { self == .runLength8 || self == .runLength4 || self == .runLength24 }
}
