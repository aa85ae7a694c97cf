// The decoder configuration record of ISO/IEC 14496-15, section 8.3.2: the content of an hvcC box.

internal import ImageCoding

/// A configuration record. Its NAL units, of which there may be millions, are read one by one.
struct DecoderConfiguration {
  /// Bytes of the length before each NAL unit of the payload: 1, 2 or 4.
  let lengthByteCount: Int
  /// The error at which reading of the record ended.
  private(set) var failure: CodecError?

  private var position = 23
  /// The arrays after the current one, and the units after the current one in its array.
  private var arrayCount: Int
  private var unitCount = 0

  /// - Throws: `CodecError.Kind.truncated` if the length of lengths is not known.
  init(_ bytes: Span<UInt8>) throws(CodecError) {
    guard bytes.count >= 23 else { throw CodecError(.truncated, "the decoder configuration has fewer than 23 bytes") }
    lengthByteCount = Int(bytes[21] & 3) + 1
    arrayCount = Int(bytes[22])
  }

  /// Returns the range of the next NAL unit, header included; `nil` at the end.
  mutating func nextUnit(_ bytes: Span<UInt8>) -> Range<Int>? {
    do throws(CodecError) {
      var reader = ByteReader(bytes)
      try reader.seek(to: position)
      while unitCount == 0 {
        guard arrayCount > 0 else { return nil }
        try reader.skip(1)
        unitCount = Int(try reader.readUInt16BigEndian())
        arrayCount -= 1
      }
      unitCount -= 1
      let byteCount = Int(try reader.readUInt16BigEndian())
      let start = reader.position
      try reader.skip(byteCount)
      position = reader.position
      return start..<position
    } catch {
      failure = CodecError(error.kind, "the decoder configuration ends early", byteOffset: error.byteOffset)
      (arrayCount, unitCount) = (0, 0)
      return nil
    }
  }
}
