// The one EXIF tag that decides how pixels are shown, read without keeping anything else.

package import ImageCore

extension ImageOrientation {
  /// Reads tag 0x0112 of IFD0 from an EXIF block: a TIFF header and its directories, without any prefix.
  ///
  /// `nil` where the block is damaged or does not say. CIPA DC-008, section 4.6.4.
  package init?(exif bytes: Span<UInt8>) {
    guard let value = try? Self.orientationTag(exif: bytes), let rawValue = UInt8(exactly: value) else { return nil }
    self.init(rawValue: rawValue)
  }

  private static func orientationTag(exif bytes: Span<UInt8>) throws(DecodeError) -> UInt64? {
    var reader = ByteReader(bytes)
    let order = try reader.readUInt16BigEndian()
    guard order == 0x4949 || order == 0x4D4D else { return nil }
    let isBigEndian = order == 0x4D4D
    guard try reader.readInteger(byteCount: 2, isBigEndian: isBigEndian) == 42 else { return nil }
    try reader.seek(to: Int(try reader.readInteger(byteCount: 4, isBigEndian: isBigEndian)))
    let entryCount = try reader.readInteger(byteCount: 2, isBigEndian: isBigEndian)
    for _ in 0..<entryCount {
      let tag = try reader.readInteger(byteCount: 2, isBigEndian: isBigEndian)
      let type = try reader.readInteger(byteCount: 2, isBigEndian: isBigEndian)
      let count = try reader.readInteger(byteCount: 4, isBigEndian: isBigEndian)
      // A SHORT stands in the first two bytes of the value field, a LONG fills it.
      let value = try reader.readInteger(byteCount: type == 3 ? 2 : 4, isBigEndian: isBigEndian)
      if type == 3 { try reader.skip(2) }
      if tag == 0x0112 { return count == 1 && (type == 3 || type == 4) ? value : nil }
    }
    return nil
  }
}
