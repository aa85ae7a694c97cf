// RIFF framing: chunks of a type, a length and a payload padded to an even length (RFC 9649, section 2.3).

internal import ImageCoding

/// A chunk's type and the position of its payload in the file.
struct RIFFChunk {
  static let headerByteCount = 8

  let type: FourCharacterCode
  /// The range that the chunk states; may extend beyond the input.
  let payload: Range<Int>
  /// The file offset of the next chunk.
  let end: Int

  /// Reads a chunk header.
  ///
  /// - Throws: `CodecError.Kind.malformed` if the length exceeds that of any file, `CodecError.Kind.truncated`.
  init(parsing reader: inout ByteReader) throws(CodecError) {
    let position = reader.byteOffset
    type = FourCharacterCode(rawValue: try reader.readUInt32BigEndian())
    let byteCount = Int(clamping: try reader.readUInt32LittleEndian())
    let start = position + Self.headerByteCount
    guard byteCount <= Int.max - start - 1 else {
      throw CodecError(
        .malformed, "the chunk '\(type)' is longer than any file", format: WebPDecoder.type, byteOffset: position)
    }
    payload = start..<start + byteCount
    end = payload.upperBound + byteCount & 1
  }
}

/// Iterates over chunks without reading their payloads.
struct ChunkReader: ~Escapable {
  private let bytes: Span<UInt8>
  private(set) var position: Int
  private let end: Int

  /// - Parameter range: the range of the chunks; may extend beyond the input.
  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, in range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  /// Returns the next chunk; `nil` at the end of the range.
  ///
  /// - Throws: `CodecError.Kind.truncated` if the input ends within the chunk's header.
  @_lifetime(self: copy self)
  mutating func next() throws(CodecError) -> RIFFChunk? {
    guard position + RIFFChunk.headerByteCount <= end else { return nil }
    guard position + RIFFChunk.headerByteCount <= bytes.count else {
      throw CodecError(
        .truncated, "the file ends before a chunk", format: WebPDecoder.type, byteOffset: bytes.count,
        neededByteCount: position + RIFFChunk.headerByteCount)
    }
    var reader = ByteReader(
      bytes.extracting(position..<bytes.count), baseOffset: position, format: WebPDecoder.type)
    let chunk = try RIFFChunk(parsing: &reader)
    position = chunk.end
    return chunk
  }
}
