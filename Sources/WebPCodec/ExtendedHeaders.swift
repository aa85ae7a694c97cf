// The payloads of VP8X and ANMF (RFC 9649, sections 2.7 and 2.7.1.1).

internal import ImageCoding

/// The content of VP8X.
struct CanvasHeader {
  let size: PixelSize
  let hasProfile: Bool
  let hasAlpha: Bool
  let hasEXIF: Bool
  let hasXMP: Bool
  let isAnimated: Bool

  /// The number of bytes of the payload.
  static let byteCount = 10

  init(parsing reader: inout ByteReader) throws(CodecError) {
    let flags = try reader.readUInt8()
    try reader.skip(3)
    let width = Int(try reader.readInteger(byteCount: 3, isBigEndian: false)) + 1
    let height = Int(try reader.readInteger(byteCount: 3, isBigEndian: false)) + 1
    size = PixelSize(width: width, height: height)
    hasProfile = flags & 0x20 != 0
    hasAlpha = flags & 0x10 != 0
    hasEXIF = flags & 0x08 != 0
    hasXMP = flags & 0x04 != 0
    isAnimated = flags & 0x02 != 0
  }
}

/// The header of ANMF, which precedes the chunks of the frame's image.
struct AnimationFrameHeader {
  /// The chunk's bytes in the file.
  let payload: Range<Int>
  let region: PixelRegion
  let duration: Duration
  /// Whether the region is cleared after the frame was shown.
  let isDisposed: Bool
  /// Whether the frame is blended over the canvas; otherwise it replaces its region.
  let isBlended: Bool

  /// The number of bytes of the payload before the chunks.
  static let byteCount = 16

  init(parsing reader: inout ByteReader, payload: Range<Int>) throws(CodecError) {
    self.payload = payload
    // Positions are stored divided by two, sizes minus one.
    let x = Int(try reader.readInteger(byteCount: 3, isBigEndian: false)) * 2
    let y = Int(try reader.readInteger(byteCount: 3, isBigEndian: false)) * 2
    let width = Int(try reader.readInteger(byteCount: 3, isBigEndian: false)) + 1
    let height = Int(try reader.readInteger(byteCount: 3, isBigEndian: false)) + 1
    duration = .milliseconds(Int(try reader.readInteger(byteCount: 3, isBigEndian: false)))
    let flags = try reader.readUInt8()
    region = PixelRegion(x: x, y: y, width: width, height: height)
    isDisposed = flags & 1 != 0
    isBlended = flags & 2 == 0
  }

  /// Returns whether the frame is within the canvas.
  func fits(_ canvas: PixelSize) -> Bool {
    region.x <= canvas.width - region.width && region.y <= canvas.height - region.height
  }
}
