// TIFF and BigTIFF: the first image file directory (TIFF 6.0, section 2; BigTIFF has 8-byte counts and offsets).

internal import ImageCore

/// Measures TIFF files.
struct TIFFHeaderProbe: HeaderProbe {
  let types: [AssetType] = [.tiff]

  func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(DecodeError) -> ImageInfo {
    var reader = ByteReader(bytes, format: .tiff)
    let isBigEndian = try reader.readUInt16BigEndian() == 0x4D4D
    let isBig = try reader.readInteger(byteCount: 2, isBigEndian: isBigEndian) == 43
    if isBig { try reader.skip(4) }
    let layout = Layout(isBigEndian: isBigEndian, isBig: isBig)
    try reader.seek(to: Int(clamping: try layout.readOffset(&reader)))
    return try readDirectory(&reader, layout: layout)
  }

  private func readDirectory(_ reader: inout ByteReader, layout: Layout) throws(DecodeError) -> ImageInfo {
    var info = ImageInfo(type: .tiff, width: 0, height: 0, bitDepth: 1)
    let entryCount = try reader.readInteger(byteCount: layout.isBig ? 8 : 2, isBigEndian: layout.isBigEndian)
    for _ in 0..<min(entryCount, 65_535) {
      let tag = try reader.readInteger(byteCount: 2, isBigEndian: layout.isBigEndian)
      let value = try layout.readValue(&reader)
      switch tag {
      case 256: info.width = Int(clamping: value)
      case 257: info.height = Int(clamping: value)
      // With several samples the depths stand elsewhere, all alike in practice; they are not followed.
      case 258: info.bitDepth = value <= 64 ? Int(value) : nil
      case 262: info.colorModel = colorModel(ofPhotometricInterpretation: value)
      case 274: info.orientation = UInt8(exactly: value).flatMap { ImageOrientation(rawValue: $0) } ?? .up
      case 338: info.hasAlpha = value == 1 || value == 2
      default: break
      }
    }
    guard info.width > 0, info.height > 0 else {
      throw reader.error(.malformed, "the first directory lacks ImageWidth or ImageLength")
    }
    return info
  }

  private func colorModel(ofPhotometricInterpretation value: UInt64) -> ImageInfo.ColorModel? {
    switch value {
    case 0, 1: .gray
    case 2: .rgb
    case 3: .palette
    case 5: .cmyk
    case 6: .yCbCr
    default: nil
    }
  }

  private struct Layout {
    let isBigEndian: Bool
    let isBig: Bool

    func readOffset(_ reader: inout ByteReader) throws(DecodeError) -> UInt64 {
      try reader.readInteger(byteCount: isBig ? 8 : 4, isBigEndian: isBigEndian)
    }

    /// The first value of an entry whose tag was read; what the offset says where the values stand elsewhere.
    func readValue(_ reader: inout ByteReader) throws(DecodeError) -> UInt64 {
      let type = try reader.readInteger(byteCount: 2, isBigEndian: isBigEndian)
      try reader.skip(isBig ? 8 : 4)
      let fieldByteCount = isBig ? 8 : 4
      let byteCount =
        switch type {
        case 1: 1
        case 3: 2
        case 4: 4
        default: fieldByteCount
        }
      let value = try reader.readInteger(byteCount: byteCount, isBigEndian: isBigEndian)
      try reader.skip(fieldByteCount - byteCount)
      return value
    }
  }
}
