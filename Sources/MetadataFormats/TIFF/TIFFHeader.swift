// The header of a TIFF structure, such as a TIFF file or an EXIF block (TIFF 6.0, section 2; BigTIFF design note).

package import ImageCore

/// The byte order, the width of offsets and the position of the first directory.
package struct TIFFHeader: Hashable, Sendable {
  /// Whether integers are big-endian.
  package let isBigEndian: Bool
  /// Whether counts and offsets have eight bytes.
  package let isBig: Bool
  /// The offset of the first directory, relative to the start of the header.
  package let firstDirectoryOffset: UInt64

  /// Creates the header of a structure that has the directories of TIFF, but another number instead of 42.
  package init(isBigEndian: Bool, firstDirectoryOffset: UInt64) {
    self.isBigEndian = isBigEndian
    isBig = false
    self.firstDirectoryOffset = firstDirectoryOffset
  }

  /// Reads a header.
  ///
  /// - Throws: `CodecError.Kind.malformed` if the byte order or the number 42 or 43 is missing,
  ///   `CodecError.Kind.truncated`.
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
