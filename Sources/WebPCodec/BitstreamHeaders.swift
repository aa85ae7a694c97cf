// The first bytes of the two codings: VP8 (RFC 6386, section 9.1) and VP8L (RFC 9649, section 3.4).

internal import ImageCore

/// What the start of an image's data says.
struct BitstreamHeader {
  let width: Int
  let height: Int
  /// Whether the coding itself announces transparency.
  let hasAlpha: Bool

  /// Reads the header of a VP8 key frame.
  init(parsingLossy reader: inout ByteReader) throws(CodecError) {
    let tag = try reader.readInteger(byteCount: 3, isBigEndian: false)
    guard tag & 1 == 0 else { throw reader.error(.malformed, "a VP8 image does not start with a key frame") }
    guard try reader.readInteger(byteCount: 3, isBigEndian: true) == 0x9D_01_2A else {
      throw reader.error(.malformed, "a VP8 key frame lacks its start code")
    }
    // The upper two bits are a scaling hint.
    width = Int(try reader.readUInt16LittleEndian() & 0x3FFF)
    height = Int(try reader.readUInt16LittleEndian() & 0x3FFF)
    hasAlpha = false
    guard width > 0, height > 0 else { throw reader.error(.malformed, "a VP8 frame is empty") }
  }

  /// Reads the header of a VP8L image.
  init(parsingLossless reader: inout ByteReader) throws(CodecError) {
    guard try reader.readUInt8() == 0x2F else { throw reader.error(.malformed, "VP8L lacks its signature") }
    let bits = try reader.readUInt32LittleEndian()
    guard bits >> 29 == 0 else { throw reader.error(.malformed, "VP8L states a version other than 0") }
    width = Int(bits & 0x3FFF) + 1
    height = Int(bits >> 14 & 0x3FFF) + 1
    hasAlpha = bits >> 28 & 1 == 1
  }
}
