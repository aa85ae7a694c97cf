// The boxes of JPEG 2000 and JPEG XL files (ITU-T T.800, I.4; ISO/IEC 18181-2, 9.1).

/// The header of a box and the location of its content.
package struct Box: Sendable {
  package let type: FourCharacterCode
  /// The range of the content in the file, which may exceed the bytes received so far.
  package let content: Range<Int>

  /// The number of bytes by which any box can be identified, and which a shorter rest of a file is too short for.
  package static let headerByteCount = 8

  /// Reads the header at an offset; `nil` if it is incomplete.
  ///
  /// - Parameter format: the format that errors name.
  /// - Throws: ``CodecError/Kind/malformed`` if the size is less than that of the header.
  package init?(_ bytes: Span<UInt8>, at offset: Int, format: AssetType) throws(CodecError) {
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
        .malformed, "the size of the box '\(type)' is \(byteCount)", format: format, byteOffset: offset)
    }
    let (end, overflow) = UInt64(offset).addingReportingOverflow(byteCount)
    content = start..<(overflow || end > UInt64(Int.max) ? .max : Int(end))
  }
}
