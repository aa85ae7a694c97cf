// Framing: RIFF chunks of a type, a length and a payload that is padded to an even length (RFC 9649, section 2.3).

internal import ImageCore

/// A chunk: its type and the position of its payload in the file.
struct RIFFChunk {
  let type: FourCharacterCode
  /// As the chunk states it; may extend beyond the input.
  let payload: Range<Int>
}

/// Steps from chunk to chunk without looking at payloads.
struct ChunkWalk: ~Escapable {
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

  /// The next chunk; `nil` at the end of the range.
  ///
  /// - Throws: ``CodecError/Kind/truncated`` when the input ends inside of the chunk's header.
  @_lifetime(self: copy self)
  mutating func next() throws(CodecError) -> RIFFChunk? {
    guard position + 8 <= end else { return nil }
    guard let type = FourCharacterCode(bytes, at: position), let size = FourCharacterCode(bytes, at: position + 4)
    else {
      throw CodecError(
        .truncated, "the file ends before a chunk", format: WebPDecoder.type, byteOffset: bytes.count,
        neededByteCount: position + 8)
    }
    let byteCount = Int(clamping: size.rawValue.byteSwapped)
    let start = position + 8
    guard byteCount <= Int.max - start - 1 else {
      throw CodecError(
        .malformed, "a chunk has \(byteCount) bytes", format: WebPDecoder.type, byteOffset: position)
    }
    position = start + byteCount + byteCount & 1
    return RIFFChunk(type: type, payload: start..<start + byteCount)
  }
}
