// The tag table of an ICC profile: the element data by signature.

package import ImageCore

/// The positions of the elements of an ICC profile (ICC.1, section 7.3).
package struct ICCTagTable: Hashable, Sendable {
  private let ranges: [FourCharacterCode: Range<Int>]

  /// The maximum number of tags that are read.
  private static let maximumTagCount = 200

  /// Reads the table that follows the header. Tags whose element is outside the profile are omitted, and so are repeated
  /// ones.
  ///
  /// - Throws: `CodecError.Kind.truncated`.
  package init(parsing profile: Span<UInt8>) throws(CodecError) {
    var reader = ByteReader(profile)
    try reader.seek(to: 128)
    var ranges: [FourCharacterCode: Range<Int>] = [:]
    for _ in 0..<min(try reader.readUInt32BigEndian(), UInt32(Self.maximumTagCount)) {
      let signature = FourCharacterCode(rawValue: try reader.readUInt32BigEndian())
      let start = Int(clamping: try reader.readUInt32BigEndian())
      let byteCount = Int(clamping: try reader.readUInt32BigEndian())
      guard start <= profile.count, byteCount <= profile.count - start, ranges[signature] == nil else { continue }
      ranges[signature] = start..<start + byteCount
    }
    self.ranges = ranges
  }

  /// The position of the element of a tag.
  package subscript(signature: FourCharacterCode) -> Range<Int>? { ranges[signature] }
}
