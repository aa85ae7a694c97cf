// Setting the dimensions of the picture in an EXIF block without other changes.

internal import ImageCore

/// Returns the block with tags 0xA002 and 0xA003 of its Exif directory each set to one value of type LONG. Missing tags
/// are not added (CIPA DC-008, section 4.6.5).
///
/// A damaged block is left unchanged from the damage on.
package func exifBlock(_ bytes: [UInt8], settingWidth width: Int, height: Int) -> [UInt8] {
  var result = bytes
  guard let (header, image) = exifImageDirectory(bytes.span),
    let offset = try? exifDirectoryOffset(bytes.span, image, isBigEndian: header.isBigEndian),
    let directory = try? TIFFDirectoryLayout(bytes.span, at: offset, header: header)
  else { return bytes }
  for index in 0..<directory.fieldCount {
    let entry = directory.entry(at: index)
    guard entry.upperBound <= bytes.count, let tag = try? directory.tag(at: index, in: bytes.span) else { break }
    guard tag == 0xA002 || tag == 0xA003 else { continue }
    var field = ByteWriter(header.isBigEndian ? .bigEndian : .littleEndian)
    field.append(tag)
    field.append(TIFFFieldType.long.rawValue)
    field.append(1 as UInt32)
    field.append(UInt32(clamping: tag == 0xA002 ? width : height))
    result.replaceSubrange(entry, with: field.bytes)
  }
  return result
}

/// Returns the offset of the Exif directory, regardless of the field's type; `nil` if there is none.
private func exifDirectoryOffset(
  _ bytes: Span<UInt8>, _ image: TIFFDirectoryLayout, isBigEndian: Bool
) throws(CodecError) -> UInt64? {
  for index in 0..<image.fieldCount where try image.tag(at: index, in: bytes) == 0x8769 {
    var reader = ByteReader(bytes)
    try reader.seek(to: image.entry(at: index).lowerBound + 8)
    return try reader.readInteger(byteCount: 4, isBigEndian: isBigEndian)
  }
  return nil
}
