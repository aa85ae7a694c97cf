// The EXIF orientation, read without keeping any other tags.

package import ImageCore

extension ImageOrientation {
  /// Reads tag 0x0112 of IFD0 from an EXIF block: a TIFF header and its directories, without any prefix (CIPA DC-008,
  /// section 4.6.4).
  ///
  /// Returns `nil` if the block is damaged or has no such tag.
  package init?(exif bytes: Span<UInt8>) {
    guard let (header, image) = exifImageDirectory(bytes), let field = image.firstField(0x0112, in: bytes),
      field.count == 1, field.type == .short || field.type == .long,
      let value = field.integer(in: bytes, header: header), let rawValue = UInt8(exactly: value)
    else { return nil }
    self.init(rawValue: rawValue)
  }
}

/// Returns the header of an EXIF block and the layout of its IFD0; `nil` if the block has none.
func exifImageDirectory(_ bytes: Span<UInt8>) -> (header: TIFFHeader, directory: TIFFDirectoryLayout)? {
  var reader = ByteReader(bytes)
  guard let header = try? TIFFHeader(parsing: &reader), !header.isBig,
    let directory = try? TIFFDirectoryLayout(bytes, at: header.firstDirectoryOffset, header: header)
  else { return nil }
  return (header, directory)
}
