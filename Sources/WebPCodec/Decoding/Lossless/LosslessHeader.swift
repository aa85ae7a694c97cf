// The first bytes of a VP8L image (RFC 9649, section 3.4).

internal import ImageCoding

/// The signature, the size and the version.
struct LosslessHeader {
  let width: Int
  let height: Int
  /// Whether the image announces alpha.
  let hasAlpha: Bool

  static let byteCount = 5

  init(parsing reader: inout ByteReader) throws(CodecError) {
    guard try reader.readUInt8() == 0x2F else { throw reader.error(.malformed, "VP8L lacks its signature") }
    let bits = try reader.readUInt32LittleEndian()
    guard bits >> 29 == 0 else { throw reader.error(.malformed, "VP8L states a version other than 0") }
    width = Int(bits & 0x3FFF) + 1
    height = Int(bits >> 14 & 0x3FFF) + 1
    hasAlpha = bits >> 28 & 1 == 1
  }
}
