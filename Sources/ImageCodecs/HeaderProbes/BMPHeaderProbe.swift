// BMP: the information header behind the file header, in all its versions.

internal import ImageCore

/// Measures Windows and OS/2 bitmaps.
struct BMPHeaderProbe: HeaderProbe {
  let types: [AssetType] = [.bmp]

  func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(DecodeError) -> ImageInfo {
    var reader = ByteReader(bytes, format: .bmp)
    try reader.seek(to: 14)
    return try BMPInformationHeader(parsing: &reader).info(type: .bmp)
  }
}

/// BITMAPCOREHEADER (12 bytes), the OS/2 headers (16…64), BITMAPINFOHEADER (40) and its extensions (52, 56, 108, 124).
struct BMPInformationHeader {
  let width: Int
  let height: Int
  let bitsPerPixel: Int
  let hasAlpha: Bool

  init(parsing reader: inout ByteReader) throws(DecodeError) {
    let byteCount = try reader.readUInt32LittleEndian()
    guard byteCount >= 12, byteCount <= 1024 else {
      throw reader.error(.malformed, "an information header of \(byteCount) bytes")
    }
    if byteCount == 12 {
      width = Int(try reader.readUInt16LittleEndian())
      height = Int(try reader.readUInt16LittleEndian())
      try reader.skip(2)
      bitsPerPixel = Int(try reader.readUInt16LittleEndian())
      hasAlpha = false
      return
    }
    // Rows run from the top where the height is negative.
    width = Int(Int32(bitPattern: try reader.readUInt32LittleEndian()))
    height = abs(Int(Int32(bitPattern: try reader.readUInt32LittleEndian())))
    guard width >= 0 else { throw reader.error(.malformed, "the width is negative") }
    try reader.skip(2)
    bitsPerPixel = Int(try reader.readUInt16LittleEndian())
    // The alpha mask stands behind the three colour masks, 36 bytes after the bit count.
    hasAlpha = byteCount >= 56 && byteCount != 64 && Self.readAlphaMask(&reader) != 0
  }

  private static func readAlphaMask(_ reader: inout ByteReader) -> UInt32 {
    guard let compression = try? reader.readUInt32LittleEndian(), compression == 3 || compression == 6,
      (try? reader.skip(32)) != nil, let mask = try? reader.readUInt32LittleEndian()
    else { return 0 }
    return mask
  }

  func info(type: AssetType) -> ImageInfo {
    ImageInfo(
      type: type, width: width, height: height, bitDepth: bitsPerPixel <= 8 ? bitsPerPixel : 8,
      colorModel: bitsPerPixel <= 8 ? .palette : .rgb, hasAlpha: hasAlpha)
  }
}
