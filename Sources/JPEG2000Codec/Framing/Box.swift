// The boxes of a file (ITU-T T.800, I.4).

internal import ImageCoding

/// The header of a box and the location of its content.
struct Box: Sendable {
  let type: FourCharacterCode
  /// The range of the content in the file, which may exceed the bytes received so far.
  let content: Range<Int>

  /// The number of bytes by which any box can be identified, and which a shorter rest of a file is too short for.
  static let headerByteCount = 8

  /// Reads the header at an offset; `nil` if it is incomplete.
  ///
  /// - Throws: ``CodecError/Kind/malformed`` if the size is less than that of the header.
  init?(_ bytes: Span<UInt8>, at offset: Int) throws(CodecError) {
    guard offset <= bytes.count - Self.headerByteCount, let type = FourCharacterCode(bytes, at: offset + 4),
      let size = FourCharacterCode(bytes, at: offset)?.rawValue
    else { return nil }
    self.type = type
    var start = offset + Self.headerByteCount
    var byteCount = UInt64(size)
    if size == 0 {
      content = start..<Int.max
      return
    }
    if size == 1 {
      guard let high = FourCharacterCode(bytes, at: start)?.rawValue,
        let low = FourCharacterCode(bytes, at: start + 4)?.rawValue
      else { return nil }
      byteCount = UInt64(high) << 32 | UInt64(low)
      start += 8
    }
    guard byteCount >= UInt64(start - offset) else {
      throw CodecError(
        .malformed, "the size of the box '\(type)' is \(byteCount)", format: JPEG2000Decoder.type, byteOffset: offset)
    }
    let (end, overflow) = UInt64(offset).addingReportingOverflow(byteCount)
    content = start..<(overflow || end > UInt64(Int.max) ? .max : Int(end))
  }
}
