// ICO and CUR: the directory; the largest entry stands for the file.

internal import ImageCore

/// Measures icons and cursors.
struct IconHeaderProbe: HeaderProbe {
  let types: [AssetType] = [.ico, .cur]

  func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(DecodeError) -> ImageInfo {
    let type: AssetType = bytes.count > 2 && bytes[2] == 2 ? .cur : .ico
    var reader = ByteReader(bytes, format: type)
    try reader.seek(to: 4)
    let entryCount = Int(try reader.readUInt16LittleEndian())
    guard entryCount > 0 else { throw reader.error(.malformed, "the icon directory is empty") }
    var largest: ImageInfo?
    for _ in 0..<entryCount {
      let entry = try readEntry(&reader, of: bytes, type: type)
      if largest.map({ entry.width * entry.height > $0.width * $0.height }) ?? true { largest = entry }
    }
    return largest ?? ImageInfo(type: type, width: 0, height: 0)
  }

  private func readEntry(
    _ reader: inout ByteReader, of bytes: Span<UInt8>, type: AssetType
  ) throws(DecodeError) -> ImageInfo {
    let width = Int(try reader.readUInt8())
    let height = Int(try reader.readUInt8())
    try reader.skip(4)
    // Of a cursor these two bytes are the hot spot.
    let bitsPerPixel = Int(try reader.readUInt16LittleEndian())
    try reader.skip(4)
    let offset = Int(try reader.readUInt32LittleEndian())
    var info = ImageInfo(
      type: type, width: width == 0 ? 256 : width, height: height == 0 ? 256 : height,
      bitDepth: type == .ico && bitsPerPixel > 0 ? min(bitsPerPixel, 8) : nil, hasAlpha: true)
    // The picture's own header knows better than the directory; a prefix of the file may not hold it.
    if let size = pictureSize(bytes, at: offset) { (info.width, info.height) = (size.width, size.height) }
    return info
  }

  /// The size that an entry's PNG or bitmap states. A bitmap counts the rows of its mask too.
  private func pictureSize(_ bytes: Span<UInt8>, at offset: Int) -> PixelSize? {
    guard let start = FourCharacterCode(bytes, at: offset) else { return nil }
    if start.rawValue == 0x8950_4E47 {
      guard let width = FourCharacterCode(bytes, at: offset + 16)?.rawValue,
        let height = FourCharacterCode(bytes, at: offset + 20)?.rawValue,
        width > 0, height > 0, width <= 1 << 16, height <= 1 << 16
      else { return nil }
      return PixelSize(width: Int(width), height: Int(height))
    }
    var reader = ByteReader(bytes.extracting(offset..<bytes.count))
    guard let header = try? BMPInformationHeader(parsing: &reader), header.width > 0, header.height > 1,
      header.width <= 1 << 16, header.height <= 1 << 17
    else { return nil }
    return PixelSize(width: header.width, height: header.height / 2)
  }
}
