// The uncompressed data chunk at the start of a key frame (RFC 6386, section 9.1).

internal import ImageCoding

/// The tag, the start code and the size.
struct FrameTag {
  let width: Int
  let height: Int
  /// The number of bytes of the first partition.
  let firstPartitionByteCount: Int

  /// The number of bytes of the tag, the start code and the size.
  static let byteCount = 10

  init(parsing reader: inout ByteReader) throws(CodecError) {
    let tag = Int(try reader.readInteger(byteCount: 3, isBigEndian: false))
    guard tag & 1 == 0 else { throw reader.error(.malformed, "the image does not start with a key frame") }
    guard tag >> 1 & 7 <= 3 else { throw reader.error(.malformed, "the VP8 version \(tag >> 1 & 7) is unknown") }
    guard tag >> 4 & 1 == 1 else { throw reader.error(.malformed, "the key frame is not shown") }
    firstPartitionByteCount = tag >> 5
    guard try reader.readInteger(byteCount: 3, isBigEndian: true) == 0x9D_01_2A else {
      throw reader.error(.malformed, "the key frame has no start code")
    }
    // The upper two bits are a scaling hint, which libwebp ignores.
    width = Int(try reader.readUInt16LittleEndian() & 0x3FFF)
    height = Int(try reader.readUInt16LittleEndian() & 0x3FFF)
    guard width > 0, height > 0 else { throw reader.error(.malformed, "the key frame has no pixels") }
  }
}
