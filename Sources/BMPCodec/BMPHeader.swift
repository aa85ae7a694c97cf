// The information header: BITMAPCOREHEADER (12 bytes), the OS/2 headers (16…64), BITMAPINFOHEADER (40) and its
// extensions (52, 56, 108, 124). Microsoft's Windows GDI reference and the OS/2 Presentation Manager reference.

package import ImageCore

/// What the information header of a bitmap says.
public struct BMPHeader: Hashable, Sendable {
  /// How pixels are compressed.
  public enum Compression: String, Hashable, Sendable {
    /// Not at all.
    case none = "uncompressed"
    /// Run lengths of 8-bit indices.
    case runLength8 = "RLE8"
    /// Run lengths of 4-bit indices.
    case runLength4 = "RLE4"
    /// Run lengths of 24-bit colours (OS/2).
    case runLength24 = "RLE24"
    /// CCITT modified Huffman (OS/2).
    case huffman = "Huffman 1D"
    /// Masks say which bits are which sample.
    case bitFields = "bit fields"
    /// Masks say which bits are which sample, alpha too.
    case alphaBitFields = "alpha bit fields"
    /// A JPEG file.
    case jpeg = "JPEG"
    /// A PNG file.
    case png = "PNG"
    /// None of these.
    case unknown = "unknown"
  }

  /// Bytes of the header, which tell its version.
  public let byteCount: Int
  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Whether rows run from top to bottom.
  public let isTopDown: Bool
  /// Bits of a pixel.
  public let bitsPerPixel: Int
  /// How pixels are compressed.
  public let compression: Compression
  /// Pixels in a metre across, where the header has it.
  public private(set) var pixelsPerMeterX: Int?
  /// Pixels in a metre down, where the header has it.
  public private(set) var pixelsPerMeterY: Int?
  /// The colours in the table; 0 for as many as the depth allows.
  public private(set) var paletteCount = 0
  /// The bits of a pixel that are red, green, blue and alpha; empty where no masks are stated.
  public private(set) var masks: [UInt32] = []
  /// Whether the bitmap has the form that OS/2 2.x gave it.
  public let isOS2: Bool
  /// Where an embedded profile starts, counted from the header, and its bytes.
  private var profileOffset: Int?
  private var profileByteCount = 0
  private var isSRGB = false
  private let start: Int

  /// Reads a header; all of it must be there.
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
    // Rows run from the top where the height is negative.
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

  /// Masks are part of the longer headers and follow the shorter one; versions 4 and 5 add what colours mean.
  private mutating func readExtensions(_ reader: inout ByteReader) throws(CodecError) {
    guard !isOS2, byteCount >= 40 else { return }
    let usesMasks = compression == .bitFields || compression == .alphaBitFields
    let maskCount = byteCount >= 56 ? 4 : byteCount >= 52 ? 3 : !usesMasks ? 0 : compression == .bitFields ? 3 : 4
    var stated: [UInt32] = []
    for _ in 0..<maskCount { stated.append(try reader.readUInt32LittleEndian()) }
    if usesMasks { masks = stated }
    guard byteCount >= 108 else { return }
    let colorSpace = try reader.readUInt32LittleEndian()
    // "sRGB" and "Win ", which is the same.
    isSRGB = colorSpace == 0x7352_4742 || colorSpace == 0x5769_6E20
    try reader.skip(36 + 12)
    guard byteCount >= 124 else { return }
    try reader.skip(4)
    let offset = Int(clamping: try reader.readUInt32LittleEndian())
    let count = Int(clamping: try reader.readUInt32LittleEndian())
    try reader.skip(4)
    // "MBED"; a linked profile is a file name and is not followed.
    if colorSpace == 0x4D42_4544 { (profileOffset, profileByteCount) = (start + min(offset, Int.max - start), count) }
  }

  /// Whether the masks give alpha bits.
  public var hasAlpha: Bool { masks.count == 4 && masks[3] != 0 }

  /// The embedded ICC profile, where it is there.
  func profile(in bytes: Span<UInt8>, limits: DecodingLimits) -> [UInt8]? {
    guard let profileOffset, profileByteCount > 0, profileByteCount <= limits.maximumMetadataChunkByteCount,
      profileOffset <= bytes.count, profileByteCount <= bytes.count - profileOffset
    else { return nil }
    return Array(copying: bytes.extracting(profileOffset..<profileOffset + profileByteCount))
  }

  /// The facts that all formats share.
  func info(type: AssetType) -> ImageInfo {
    ImageInfo(
      type: type, width: width, height: height, bitDepth: bitsPerPixel <= 8 ? bitsPerPixel : bitsPerPixel == 16 ? 5 : 8,
      colorModel: bitsPerPixel == 0 ? nil : bitsPerPixel <= 8 ? .palette : .rgb, hasAlpha: hasAlpha,
      colorSpace: isSRGB ? .sRGB : .unspecified, coding: compression.rawValue)
  }
}
