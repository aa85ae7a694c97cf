// The headers of an image, up to its pixels.

internal import ImageCoding

/// The headers, the colour table, and the position of the pixels.
package struct BMPPicture: Sendable {
  /// The framing of the information header: the bytes before it, and the extent of the rows that its height counts.
  package enum Framing: Sendable {
    /// A file header of 14 bytes, which states where the pixels are.
    case file
    /// Nothing: a device-independent bitmap (DIB), as on the clipboard.
    case bare
    /// Nothing; the height includes a mask that follows the pixels.
    case icon
  }

  /// Returns the framing of a file or a DIB.
  static func framing(of bytes: Span<UInt8>) -> Framing {
    bytes.count > 1 && bytes[0] == 0x42 && bytes[1] == 0x4D ? .file : .bare
  }

  let header: BMPHeader
  let palette: BMPPalette
  let fields: BitFields?
  /// The number of rows of the picture, without an icon's mask.
  let height: Int
  /// The offset of the pixels from the start of the input.
  let pixelOffset: Int
  /// The descriptions of the headers' defects, which are errors in strict decoding.
  let defects: [String]

  /// Reads the headers.
  ///
  /// - Throws: `CodecError.Kind.truncated` if they are incomplete.
  init(parsing bytes: Span<UInt8>, framing: Framing) throws(CodecError) {
    var reader = ByteReader(bytes, format: BMPDecoder.type)
    var defects: [String] = []
    var statedOffset: Int?
    if framing == .file {
      try reader.skip(10)
      statedOffset = Int(clamping: try reader.readUInt32LittleEndian())
    }
    let header = try BMPHeader(parsing: &reader)
    height = framing == .icon ? header.height / 2 : header.height
    guard header.width > 0, height > 0 else {
      throw reader.error(.malformed, "the image has \(header.width) × \(height) pixels")
    }
    if header.planeCount != 1 { defects.append("the header states \(header.planeCount) planes") }
    if let offset = statedOffset, offset < header.end {
      defects.append("the offset of the pixels is inside the headers")
      statedOffset = nil
    }
    try reader.seek(to: header.end)

    let entryByteCount = header.byteCount < 16 ? 3 : 4
    let maximumCount = (1...8).contains(header.bitsPerPixel) ? 1 << header.bitsPerPixel : 0
    if maximumCount > 0, header.paletteCount > maximumCount {
      defects.append("a palette of \(header.paletteCount) colours")
    }
    // Without an offset, all stated colours precede the pixels, even if there are too many of them.
    let statedCount = header.paletteCount == 0 ? maximumCount : min(header.paletteCount, 1 << 16)
    if maximumCount > 0, let offset = statedOffset, offset - header.end < entryByteCount {
      // Indices without any colour are no image: rather the offset is wrong.
      defects.append("the offset of the pixels leaves no space for the palette")
      statedOffset = nil
    }
    let room = statedOffset.map { ($0 - header.end) / entryByteCount } ?? Int.max
    let count = min(maximumCount, statedCount, room)
    palette = BMPPalette(try reader.read(count * entryByteCount), entryByteCount: entryByteCount)
    if count < min(maximumCount, statedCount) { defects.append("the pixels overlap the palette") }
    pixelOffset = statedOffset ?? header.end + statedCount * entryByteCount

    var masks = header.masks
    if framing == .icon, header.bitsPerPixel == 32, masks.isEmpty {
      masks = [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000]
    }
    fields = masks.isEmpty ? nil : BitFields(masks: masks)
    if let defect = fields?.defect { defects.append(defect) }
    if header.compression.leavesGaps, header.isTopDown {
      defects.append("the rows of \(header.compression.rawValue) are stored from top to bottom")
    }
    self.header = header
    self.defects = defects
  }

  /// The facts about the image.
  var info: ImageInfo {
    var info = header.info(type: BMPDecoder.type)
    info.height = height
    return info
  }
}
