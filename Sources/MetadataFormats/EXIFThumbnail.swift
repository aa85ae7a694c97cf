// Where an EXIF block holds the compressed thumbnail, read without keeping anything else.

internal import ImageCore

/// The indices of the JPEG thumbnail in an EXIF block: a TIFF header and its directories, without any prefix.
///
/// `nil` where the block has none, is damaged or points outside of itself. CIPA DC-008, section 4.5.5: tags 0x0201 and
/// 0x0202 of the directory after the first.
package func exifThumbnailRange(_ exif: Span<UInt8>) -> Range<Int>? {
  (try? readThumbnailRange(exif)) ?? nil
}

private func readThumbnailRange(_ bytes: Span<UInt8>) throws(DecodeError) -> Range<Int>? {
  var reader = ByteReader(bytes)
  let order = try reader.readUInt16BigEndian()
  guard order == 0x4949 || order == 0x4D4D else { return nil }
  let isBigEndian = order == 0x4D4D
  guard try reader.readInteger(byteCount: 2, isBigEndian: isBigEndian) == 42 else { return nil }
  try reader.seek(to: Int(try reader.readInteger(byteCount: 4, isBigEndian: isBigEndian)))
  let entryCount = Int(try reader.readInteger(byteCount: 2, isBigEndian: isBigEndian))
  try reader.skip(entryCount * 12)
  let next = Int(try reader.readInteger(byteCount: 4, isBigEndian: isBigEndian))
  guard next > 0 else { return nil }
  try reader.seek(to: next)
  var offset: Int?
  var byteCount: Int?
  for _ in 0..<Int(try reader.readInteger(byteCount: 2, isBigEndian: isBigEndian)) {
    let tag = try reader.readInteger(byteCount: 2, isBigEndian: isBigEndian)
    try reader.skip(6)
    let value = Int(try reader.readInteger(byteCount: 4, isBigEndian: isBigEndian))
    if tag == 0x0201 { offset = value }
    if tag == 0x0202 { byteCount = value }
  }
  guard let offset, let byteCount, byteCount > 0, offset <= bytes.count, byteCount <= bytes.count - offset else {
    return nil
  }
  return offset..<offset + byteCount
}
