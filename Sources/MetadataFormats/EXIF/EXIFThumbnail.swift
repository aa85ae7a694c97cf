// The thumbnail of an EXIF block: the second directory points to a whole JPEG stream.

internal import ImageCore

/// The range of the JPEG stream that IFD1 of an EXIF block points to: tags 0x0201 and 0x0202. CIPA DC-008, 4.5.5.
///
/// `nil` where there is none, or it is not within the block.
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

/// The block without its thumbnail: the directory is no longer linked and the picture's bytes are zero. All other
/// offsets stay valid.
package func exifBlockRemovingThumbnail(_ bytes: [UInt8]) -> [UInt8] {
  guard let (_, image) = exifImageDirectory(bytes.span), image.linkOffset <= bytes.count - 4 else { return bytes }
  var result = bytes
  for index in exifThumbnailRange(bytes.span) ?? 0..<0 { result[index] = 0 }
  result.replaceSubrange(image.linkOffset..<image.linkOffset + 4, with: [0, 0, 0, 0])
  return result
}
