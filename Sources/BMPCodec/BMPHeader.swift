// The information header: BITMAPCOREHEADER (12 bytes), the OS/2 headers (16…64), BITMAPINFOHEADER (40) and its
// extensions (52, 56, 108, 124), after Microsoft's Windows GDI reference and the OS/2 Presentation Manager reference.

package import ImageCore

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
  /// The bit masks of red, green, blue and, if present, alpha; empty if none are stated.
  public private(set) var masks: [UInt32] = []
  /// Whether the header is an OS/2 2.x header.
  public let isOS2: Bool
  /// The offset of an embedded profile, relative to the header, and its size in bytes.
  private var profileOffset: Int?
  private var profileByteCount = 0
  private var isSRGB = false
  private let start: Int

  /// Reads a header, which must be complete.
  package init(parsing reader: inout ByteReader) throws(CodecError) {
    start = reader.position
    let byteCount = Int(clamping: try reader.readUInt32LittleEndian())
    guard byteCount >= 12, byteCount <= 1024 else {
      throw reader.error(.malformed, "an information header of \(byteCount) bytes")
    }
    self.byteCount = byteCount
    if byteCount < 16 {
      width = Int(try reader.readUInt16LittleEndian())
      height = Int(try reader.readUInt16LittleEndian())
      try reader.skip(2)
      bitsPerPixel = Int(try reader.readUInt16LittleEndian())
      isTopDown = false
      isOS2 = true
      compression = .none
      return
    }
    // A negative height means that rows are stored from top to bottom.
    width = Int(Int32(bitPattern: try reader.readUInt32LittleEndian()))
    let rows = Int(Int32(bitPattern: try reader.readUInt32LittleEndian()))
    height = abs(rows)
    isTopDown = rows < 0
    guard width >= 0 else { throw reader.error(.malformed, "the width is negative") }
    try reader.skip(2)
    bitsPerPixel = Int(try reader.readUInt16LittleEndian())
    isOS2 = byteCount == 16 || byteCount == 64
    let code = byteCount >= 20 ? try reader.readUInt32LittleEndian() : 0
    compression = Self.compression(code, isOS2: isOS2)
    if byteCount >= 36 {
      try reader.skip(4)
      pixelsPerMeterX = Int(clamping: try reader.readUInt32LittleEndian())
      pixelsPerMeterY = Int(clamping: try reader.readUInt32LittleEndian())
      paletteCount = Int(clamping: try reader.readUInt32LittleEndian())
      try reader.skip(byteCount >= 40 ? 4 : 0)
    }
    try readExtensions(&reader)
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

  /// Reads the masks, which are part of the longer headers and follow the shorter one, and the colour space of versions
  /// 4 and 5.
  private mutating func readExtensions(_ reader: inout ByteReader) throws(CodecError) {
    guard !isOS2, byteCount >= 40 else { return }
    let usesMasks = compression == .bitFields || compression == .alphaBitFields
    let maskCount = byteCount >= 56 ? 4 : byteCount >= 52 ? 3 : !usesMasks ? 0 : compression == .bitFields ? 3 : 4
    var stated: [UInt32] = []
    for _ in 0..<maskCount { stated.append(try reader.readUInt32LittleEndian()) }
    if usesMasks { masks = stated }
    guard byteCount >= 108 else { return }
    let colorSpace = try reader.readUInt32LittleEndian()
    // "sRGB" and "Win ", which is the same colour space.
    isSRGB = colorSpace == 0x7352_4742 || colorSpace == 0x5769_6E20
    try reader.skip(36 + 12)
    guard byteCount >= 124 else { return }
    try reader.skip(4)
    let offset = Int(clamping: try reader.readUInt32LittleEndian())
    let count = Int(clamping: try reader.readUInt32LittleEndian())
    try reader.skip(4)
    // "MBED". A linked profile is a file name and is ignored.
    if colorSpace == 0x4D42_4544 { (profileOffset, profileByteCount) = (start + min(offset, Int.max - start), count) }
  }

  /// Whether a mask selects alpha bits.
  public var hasAlpha: Bool { masks.count == 4 && masks[3] != 0 }

  /// Returns the embedded ICC profile; `nil` if there is none in the input.
  func profile(in bytes: Span<UInt8>, limits: DecodingLimits) -> [UInt8]? {
    guard let profileOffset, profileByteCount > 0, profileByteCount <= limits.maximumMetadataChunkByteCount,
      profileOffset <= bytes.count, profileByteCount <= bytes.count - profileOffset
    else { return nil }
    return Array(copying: bytes.extracting(profileOffset..<profileOffset + profileByteCount))
  }

  /// Returns the properties that are common to all formats.
  func info(type: AssetType) -> ImageInfo {
    ImageInfo(
      type: type, width: width, height: height, bitDepth: bitsPerPixel <= 8 ? bitsPerPixel : bitsPerPixel == 16 ? 5 : 8,
      colorModel: bitsPerPixel == 0 ? nil : bitsPerPixel <= 8 ? .palette : .rgb, hasAlpha: hasAlpha,
      colorSpace: isSRGB ? .sRGB : .unspecified, coding: compression.rawValue)
  }
}
