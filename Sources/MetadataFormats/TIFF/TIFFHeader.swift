// The first bytes of a TIFF structure, which EXIF blocks are too (TIFF 6.0, section 2; BigTIFF by its design note).

package import ImageCore

/// Byte order, width of offsets and where the first directory stands.
package struct TIFFHeader: Hashable, Sendable {
  /// Whether integers have their most significant byte first.
  package let isBigEndian: Bool
  /// Whether counts and offsets have eight bytes.
  package let isBig: Bool
  /// Where the first directory stands, counted from the start of the header.
  package let firstDirectoryOffset: UInt64

  /// Reads a header.
  ///
  /// - Throws: ``CodecError/Kind/malformed`` without a byte order and the number 42 or 43,
  ///   ``CodecError/Kind/truncated``.
  package init(parsing reader: inout ByteReader) throws(CodecError) {
    let order = try reader.readUInt16BigEndian()
    guard order == 0x4949 || order == 0x4D4D else {
      throw reader.error(.malformed, "the byte order is neither II nor MM")
    }
    isBigEndian = order == 0x4D4D
    let version = try reader.readInteger(byteCount: 2, isBigEndian: isBigEndian)
    guard version == 42 || version == 43 else { throw reader.error(.malformed, "the version is neither 42 nor 43") }
    isBig = version == 43
    if isBig {
      guard try reader.readInteger(byteCount: 2, isBigEndian: isBigEndian) == 8 else {
        throw reader.error(.malformed, "offsets of BigTIFF do not have eight bytes")
      }
      try reader.skip(2)
    }
    firstDirectoryOffset = try reader.readInteger(byteCount: isBig ? 8 : 4, isBigEndian: isBigEndian)
  }
}
