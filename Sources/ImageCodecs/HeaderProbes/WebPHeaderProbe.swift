// WebP: the first chunk of the RIFF container (RFC 9649, sections 2.5–2.7).

internal import ImageCore

/// Measures WebP files.
struct WebPHeaderProbe: HeaderProbe {
  let types: [AssetType] = [.webp]

  func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(DecodeError) -> ImageInfo {
    var reader = ByteReader(bytes, format: .webp)
    try reader.seek(to: 12)
    let chunk = FourCharacterCode(rawValue: try reader.readUInt32BigEndian())
    try reader.skip(4)
    switch chunk {
    case "VP8 ": return try readLossy(&reader)
    case "VP8L": return try readLossless(&reader)
    case "VP8X": return try readExtended(&reader, options: options)
    default: throw reader.error(.malformed, "the first chunk is '\(chunk)'")
    }
  }

  /// The frame header of VP8 (RFC 6386, 9.1).
  private func readLossy(_ reader: inout ByteReader) throws(DecodeError) -> ImageInfo {
    try reader.skip(3)
    guard try reader.readInteger(byteCount: 3, isBigEndian: true) == 0x9D_01_2A else {
      throw reader.error(.malformed, "a VP8 key frame lacks its start code")
    }
    // The upper two bits are a scaling hint.
    let width = Int(try reader.readUInt16LittleEndian() & 0x3FFF)
    let height = Int(try reader.readUInt16LittleEndian() & 0x3FFF)
    return ImageInfo(type: .webp, width: width, height: height, bitDepth: 8, colorModel: .yCbCr, coding: "VP8")
  }

  private func readLossless(_ reader: inout ByteReader) throws(DecodeError) -> ImageInfo {
    guard try reader.readUInt8() == 0x2F else { throw reader.error(.malformed, "VP8L lacks its signature") }
    let bits = try reader.readUInt32LittleEndian()
    return ImageInfo(
      type: .webp, width: Int(bits & 0x3FFF) + 1, height: Int(bits >> 14 & 0x3FFF) + 1, bitDepth: 8,
      colorModel: .rgb, hasAlpha: bits >> 28 & 1 == 1, coding: "VP8L")
  }

  private func readExtended(_ reader: inout ByteReader, options: InfoOptions) throws(DecodeError) -> ImageInfo {
    let flags = try reader.readUInt8()
    try reader.skip(3)
    let width = Int(try reader.readInteger(byteCount: 3, isBigEndian: false)) + 1
    let height = Int(try reader.readInteger(byteCount: 3, isBigEndian: false)) + 1
    var info = ImageInfo(
      type: .webp, width: width, height: height, bitDepth: 8, hasAlpha: flags & 0x10 != 0, coding: "VP8X")
    if flags & 2 != 0 {
      info.frameCount = nil
      info.loopCount = .infinite
      if options.indexesFrames {
        info.frameCount = 0
        info.duration = .zero
        // A damaged file has the frames before the damage.
        try? indexFrames(&reader, into: &info, maximumFrameCount: options.limits.maximumFrameCount)
      }
    }
    return info
  }

  /// Counts the ANMF chunks and adds up their durations.
  private func indexFrames(
    _ reader: inout ByteReader, into info: inout ImageInfo, maximumFrameCount: Int
  ) throws(DecodeError) {
    while (info.frameCount ?? 0) < maximumFrameCount {
      let chunk = FourCharacterCode(rawValue: try reader.readUInt32BigEndian())
      let byteCount = Int(try reader.readUInt32LittleEndian())
      let payload = try reader.read(byteCount)
      if byteCount % 2 == 1 { try? reader.skip(1) }
      if chunk == "ANIM", byteCount >= 6 {
        info.loopCount = LoopCount(rawCount: Int(payload[4]) | Int(payload[5]) << 8)
      }
      if chunk == "ANMF", byteCount >= 16 {
        info.frameCount = (info.frameCount ?? 0) + 1
        let milliseconds = Int(payload[12]) | Int(payload[13]) << 8 | Int(payload[14]) << 16
        info.duration = (info.duration ?? .zero) + .milliseconds(milliseconds)
      }
    }
  }
}
