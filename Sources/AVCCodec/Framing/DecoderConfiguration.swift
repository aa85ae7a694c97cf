// The decoder configuration record of ISO/IEC 14496-15, section 5.3.3: the content of an avcC box.

internal import ImageCoding

/// A configuration record. Its NAL units are read one by one.
struct DecoderConfiguration {
  /// Bytes of the length before each NAL unit of the payload: 1, 2 or 4.
  let lengthByteCount: Int
  /// The error at which reading of the record ended.
  private(set) var failure: CodecError?

  private var position = 6
  /// The units after the current one, of the sequence parameter sets and, until their count is read, of the picture
  /// parameter sets.
  private var unitCount: Int
  private var isPictureCountRead = false

  private static let headerByteCount = 6

  /// - Throws: `CodecError.Kind.truncated` if the length of lengths is not known.
  init(_ bytes: Span<UInt8>) throws(CodecError) {
    guard bytes.count >= Self.headerByteCount else {
      throw CodecError(.truncated, "the decoder configuration has fewer than \(Self.headerByteCount) bytes")
    }
    lengthByteCount = Int(bytes[4] & 3) + 1
    unitCount = Int(bytes[5] & 31)
  }

  /// Returns the range of the next NAL unit, header included; `nil` at the end. The rest of the record, after the picture
  /// parameter sets, repeats values of the sequence parameter sets.
  mutating func nextUnit(_ bytes: Span<UInt8>) -> Range<Int>? {
    do throws(CodecError) {
      var reader = ByteReader(bytes)
      try reader.seek(to: position)
      if unitCount == 0, !isPictureCountRead {
        unitCount = Int(try reader.readUInt8())
        isPictureCountRead = true
      }
      guard unitCount > 0 else { return nil }
      unitCount -= 1
      let byteCount = Int(try reader.readUInt16BigEndian())
      let start = reader.position
      try reader.skip(byteCount)
      position = reader.position
      return start..<position
    } catch {
      failure = CodecError(error.kind, "the decoder configuration ends early", byteOffset: error.byteOffset)
      (unitCount, isPictureCountRead) = (0, true)
      return nil
    }
  }
}
