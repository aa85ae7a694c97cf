// Framing of a complete file: the location of each chunk (PNG section 5.3). Used for metadata, the index of frames and
// rewriting; incremental decoding uses ChunkReader.

internal import ImageCoding

/// The location of a chunk in a file, as far as the chunk is present.
struct FramedChunk {
  let type: ChunkType
  /// Length, type, data and CRC.
  let range: Range<Int>
  /// The data only.
  let data: Range<Int>
  /// Whether the whole chunk is present. If not, the ranges end with the file.
  let isComplete: Bool

  /// Returns `nil` if the file ends before the chunk's data, or if the length exceeds 2³¹ - 1.
  init?(_ bytes: Span<UInt8>, at position: Int) {
    guard let length = FourCharacterCode(bytes, at: position),
      let code = FourCharacterCode(bytes, at: position + 4),
      let header = try? ChunkHeader(UInt64(length.rawValue) << 32 | UInt64(code.rawValue), byteOffset: position)
    else { return nil }
    type = header.type
    let byteCount = header.dataByteCount
    let start = position + ChunkHeader.byteCount
    let available = bytes.count - start
    isComplete = byteCount <= available - 4
    data = start..<start + min(byteCount, available)
    range = position..<(isComplete ? data.upperBound + 4 : bytes.count)
  }
}
