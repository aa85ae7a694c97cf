// The framing of a chunk, PNG section 5.3: the length of its data, then its type.

internal import ImageCoding

/// The first eight bytes of a chunk.
struct ChunkHeader {
  static let byteCount = 8

  let type: ChunkType
  /// The number of bytes of data, at most 2³¹ - 1.
  let dataByteCount: Int

  /// - Parameters:
  ///   - field: the eight bytes, most significant first.
  ///   - byteOffset: their position in the file.
  /// - Throws: `CodecError.Kind.malformed` if the length exceeds 2³¹ - 1.
  init(_ field: UInt64, byteOffset: Int) throws(CodecError) {
    type = ChunkType(code: UInt32(truncatingIfNeeded: field))
    guard let byteCount = Int(exactly: field >> 32), byteCount <= 0x7FFF_FFFF else {
      throw CodecError(
        .malformed, "the length of chunk \(type) exceeds 2³¹ - 1", format: PNGDecoder.type, byteOffset: byteOffset)
    }
    dataByteCount = byteCount
  }
}
