// The thumbnail of an EXIF block: a JPEG stream to which IFD1 points.

internal import ImageCore

/// Returns the range of the JPEG stream to which IFD1 of an EXIF block points: tags 0x0201 and 0x0202 (CIPA DC-008,
/// section 4.5.5).
///
/// Returns `nil` if there is none or it is not within the block.
package func exifThumbnailRange(_ bytes: Span<UInt8>) -> Range<Int>? {
  guard let (header, image) = exifImageDirectory(bytes) else { return nil }
  let next = image.nextOffset(in: bytes)
  guard next != 0, let directory = try? TIFFDirectoryLayout(bytes, at: next, header: header),
    let offset = directory.firstField(0x0201, in: bytes)?.integer(in: bytes, header: header),
    let byteCount = directory.firstField(0x0202, in: bytes)?.integer(in: bytes, header: header),
    offset >= 0, byteCount > 0, offset <= bytes.count, byteCount <= bytes.count - offset
  else { return nil }
  return offset..<offset + byteCount
}

/// Returns the block without its thumbnail: IFD1 is unlinked and the bytes of the JPEG stream are zero. All other
/// offsets remain valid.
package func exifBlockRemovingThumbnail(_ bytes: [UInt8]) -> [UInt8] {
  guard let (_, image) = exifImageDirectory(bytes.span), image.linkOffset <= bytes.count - 4 else { return bytes }
  var result = bytes
  for index in exifThumbnailRange(bytes.span) ?? 0..<0 { result[index] = 0 }
  result.replaceSubrange(image.linkOffset..<image.linkOffset + 4, with: [0, 0, 0, 0])
  return result
}
