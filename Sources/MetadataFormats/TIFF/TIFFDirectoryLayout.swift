// The positions of a directory's parts, computed without reading its fields (TIFF 6.0, section 2). Used by everything
// that reads directories: images, pages, EXIF blocks, orientation and thumbnails.

package import ImageCore

/// The layout of a directory: a count, entries of equal size, and the offset of the next directory.
package struct TIFFDirectoryLayout: Hashable, Sendable {
  /// The number of entries.
  package let fieldCount: Int
  /// The offset of the first entry, relative to the header.
  package let firstEntry: Int
  private let header: TIFFHeader

  /// Reads the number of entries.
  ///
  /// - Parameter offset: the offset of the directory, relative to the header.
  /// - Throws: `CodecError.Kind.truncated` if the count is outside the input; `CodecError.Kind.malformed` for more
  ///   than 65,535 entries, which only BigTIFF can state.
  package init(
    _ bytes: Span<UInt8>, at offset: UInt64, header: TIFFHeader, format: AssetType? = nil
  ) throws(CodecError) {
    var reader = ByteReader(bytes, format: format)
    try reader.seek(to: Int(clamping: offset))
    let count = try reader.readInteger(byteCount: header.isBig ? 8 : 2, isBigEndian: header.isBigEndian)
    guard count <= 65_535 else { throw reader.error(.malformed, "a directory has \(count) fields") }
    fieldCount = Int(count)
    firstEntry = reader.position
    self.header = header
  }

  /// The number of bytes of one entry.
  package var entryByteCount: Int { header.isBig ? 20 : 12 }

  /// The offset after the last entry, where the offset of the next directory is stored.
  package var linkOffset: Int { firstEntry + fieldCount * entryByteCount }

  /// Returns the range of an entry. May be outside the input.
  package func entry(at index: Int) -> Range<Int> {
    let start = firstEntry + index * entryByteCount
    return start..<start + entryByteCount
  }

  /// Returns the offset of the next directory; 0 if there is none or the input ends before it.
  package func nextOffset(in bytes: Span<UInt8>) -> UInt64 {
    (try? readNextOffset(in: bytes)) ?? 0
  }

  /// Reads the offset of the next directory.
  ///
  /// - Throws: `CodecError.Kind.truncated` if it is outside the input.
  package func readNextOffset(in bytes: Span<UInt8>, format: AssetType? = nil) throws(CodecError) -> UInt64 {
    var reader = ByteReader(bytes, format: format)
    try reader.seek(to: linkOffset)
    return try reader.readInteger(byteCount: header.isBig ? 8 : 4, isBigEndian: header.isBigEndian)
  }

  /// Reads the tag of an entry.
  ///
  /// - Throws: `CodecError.Kind.truncated` if the entry is outside the input.
  package func tag(at index: Int, in bytes: Span<UInt8>) throws(CodecError) -> UInt16 {
    var reader = ByteReader(bytes)
    try reader.seek(to: entry(at: index).lowerBound)
    return UInt16(try reader.readInteger(byteCount: 2, isBigEndian: header.isBigEndian))
  }

  /// Returns the first field with a tag; `nil` if there is none or the input ends before it.
  package func firstField(_ tag: UInt16, in bytes: Span<UInt8>) -> TIFFField? {
    for index in 0..<fieldCount {
      guard let found = try? self.tag(at: index, in: bytes) else { return nil }
      if found == tag { return (try? field(at: index, in: bytes)) ?? nil }
    }
    return nil
  }

  /// Returns the field of an entry; `nil` if its type is unknown or its count is invalid.
  ///
  /// - Throws: `CodecError.Kind.truncated` if the entry is outside the input.
  package func field(at index: Int, in bytes: Span<UInt8>, format: AssetType? = nil) throws(CodecError) -> TIFFField? {
    var reader = ByteReader(bytes, format: format)
    try reader.seek(to: entry(at: index).lowerBound)
    return try TIFFField(parsing: &reader, header: header)
  }
}
