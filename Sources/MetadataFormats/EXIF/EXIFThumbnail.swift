// Where the thumbnail lies in an EXIF block: the second directory points to a whole JPEG stream.

internal import ImageCore

/// The range of the JPEG stream that IFD1 of an EXIF block points to: tags 0x0201 and 0x0202. CIPA DC-008, 4.5.5.
///
/// `nil` where there is none, or it lies outside of the block.
package func exifThumbnailRange(_ bytes: Span<UInt8>) -> Range<Int>? {
  guard let (offset, byteCount) = try? thumbnailTags(bytes), let offset, let byteCount, byteCount > 0,
    offset <= bytes.count, byteCount <= bytes.count - offset
  else { return nil }
  return offset..<offset + byteCount
}

private func thumbnailTags(_ bytes: Span<UInt8>) throws(DecodeError) -> (offset: Int?, byteCount: Int?) {
  var reader = ByteReader(bytes)
  let order = try reader.readUInt16BigEndian()
  guard order == 0x4949 || order == 0x4D4D else { return (nil, nil) }
  let isBigEndian = order == 0x4D4D
  try reader.skip(2)
  try reader.seek(to: Int(try reader.readInteger(byteCount: 4, isBigEndian: isBigEndian)))
  // IFD0 is skipped: what follows its entries is the offset of IFD1.
  try reader.skip(Int(try reader.readInteger(byteCount: 2, isBigEndian: isBigEndian)) * 12)
  let next = Int(try reader.readInteger(byteCount: 4, isBigEndian: isBigEndian))
  if next == 0 { return (nil, nil) }
  try reader.seek(to: next)
  var offset: Int?
  var byteCount: Int?
  for _ in 0..<(try reader.readInteger(byteCount: 2, isBigEndian: isBigEndian)) {
    let tag = try reader.readInteger(byteCount: 2, isBigEndian: isBigEndian)
    try reader.skip(6)
    let value = Int(try reader.readInteger(byteCount: 4, isBigEndian: isBigEndian))
    if tag == 0x0201 { offset = value }
    if tag == 0x0202 { byteCount = value }
  }
  return (offset, byteCount)
}

/// The block without its thumbnail: the directory is no longer linked and the picture's bytes are zero. All other
/// offsets stay valid.
package func exifBlockRemovingThumbnail(_ bytes: [UInt8]) -> [UInt8] {
  var result = bytes
  if let range = exifThumbnailRange(bytes.span) {
    for index in range { result[index] = 0 }
  }
  var reader = ByteReader(bytes.span)
  guard let header = try? TIFFHeader(parsing: &reader), !header.isBig,
    (try? reader.seek(to: Int(clamping: header.firstDirectoryOffset))) != nil,
    let count = try? reader.readInteger(byteCount: 2, isBigEndian: header.isBigEndian),
    (try? reader.skip(Int(count) * 12)) != nil, reader.remaining >= 4
  else { return result }
  result.replaceSubrange(reader.position..<reader.position + 4, with: [0, 0, 0, 0])
  return result
}
