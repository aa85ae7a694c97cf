// The decoder configuration record of ISO/IEC 14496-15, section 8.3.2: the content of an hvcC box.

internal import ImageCore

/// What a configuration record states.
struct DecoderConfiguration {
  /// Bytes of the length before each NAL unit of the payload: 1, 2 or 4.
  let lengthByteCount: Int
  /// The NAL units of the record, headers included: ranges of its bytes.
  private(set) var units: [Range<Int>] = []

  /// Why the record could not be read to its end.
  private(set) var failure: CodecError?

  /// - Throws: ``CodecError/Kind/truncated`` if the length of lengths is not known.
  init(_ bytes: Span<UInt8>) throws(CodecError) {
    guard bytes.count >= 23 else { throw CodecError(.truncated, "the decoder configuration has fewer than 23 bytes") }
    lengthByteCount = Int(bytes[21] & 3) + 1
    do throws(CodecError) {
      try readUnits(bytes)
    } catch {
      failure = CodecError(error.kind, "the decoder configuration ends early", byteOffset: error.byteOffset)
    }
  }

  private mutating func readUnits(_ bytes: Span<UInt8>) throws(CodecError) {
    var reader = ByteReader(bytes)
    try reader.seek(to: 22)
    for _ in 0..<(try reader.readUInt8()) {
      try reader.skip(1)
      for _ in 0..<(try reader.readUInt16BigEndian()) {
        let byteCount = Int(try reader.readUInt16BigEndian())
        let start = reader.position
        try reader.skip(byteCount)
        units.append(start..<start + byteCount)
      }
    }
  }
}
