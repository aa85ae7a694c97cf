// The decoder configuration record of the AV1 codec ISO media file format binding, section 2.3: the content of av1C.

internal import ImageCoding

/// A decoder configuration record. All values but the OBUs are repeated in the sequence header.
enum DecoderConfiguration {
  private static let headerByteCount = 4

  /// Returns the range of the OBUs in a record; empty if it has none or is empty.
  ///
  /// - Throws: `CodecError.Kind.truncated`, `CodecError.Kind.malformed`.
  static func units(_ record: Span<UInt8>) throws(CodecError) -> Range<Int> {
    guard !record.isEmpty else { return 0..<0 }
    guard record.count >= headerByteCount else {
      throw CodecError(.truncated, "the decoder configuration has fewer than \(headerByteCount) bytes")
    }
    guard record[0] == 0x81 else {
      throw CodecError(.malformed, "the version of the decoder configuration is \(record[0] & 0x7F)")
    }
    return headerByteCount..<record.count
  }
}
