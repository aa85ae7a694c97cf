// GIF: the logical screen; frames and durations by skipping sub-blocks (GIF89a, sections 18–26).

internal import ImageCore

/// Measures GIF files.
struct GIFHeaderProbe: HeaderProbe {
  let types: [AssetType] = [.gif]

  func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(DecodeError) -> ImageInfo {
    var reader = ByteReader(bytes, format: .gif)
    try reader.skip(6)
    let width = try reader.readUInt16LittleEndian()
    let height = try reader.readUInt16LittleEndian()
    let flags = try reader.readUInt8()
    try reader.skip(2)
    var info = ImageInfo(
      type: .gif, width: Int(width), height: Int(height), bitDepth: Int(flags & 7) + 1, colorModel: .palette,
      frameCount: nil)
    if options.indexesFrames {
      if flags & 0x80 != 0 { try? reader.skip(3 << (Int(flags & 7) + 1)) }
      var index = FrameIndex()
      // A damaged file has the frames before the damage.
      try? index.walk(&reader, maximumFrameCount: options.limits.maximumFrameCount)
      index.apply(to: &info)
    }
    return info
  }
}

/// What a walk over the blocks finds.
private struct FrameIndex {
  var frameCount = 0
  var hundredths = 0
  var loopCount: LoopCount?
  var hasTransparency = false
  var isInterlaced = false
  private var delay = 0

  mutating func walk(_ reader: inout ByteReader, maximumFrameCount: Int) throws(DecodeError) {
    while frameCount < maximumFrameCount {
      switch try reader.readUInt8() {
      case 0x2C: try readImage(&reader)
      case 0x21: try readExtension(&reader)
      default: return
      }
    }
  }

  private mutating func readImage(_ reader: inout ByteReader) throws(DecodeError) {
    try reader.skip(8)
    let flags = try reader.readUInt8()
    if flags & 0x80 != 0 { try reader.skip(3 << (Int(flags & 7) + 1)) }
    try reader.skip(1)
    frameCount += 1
    isInterlaced = isInterlaced || (frameCount == 1 && flags & 0x40 != 0)
    hundredths += delay
    delay = 0
    try skipSubBlocks(&reader)
  }

  private mutating func readExtension(_ reader: inout ByteReader) throws(DecodeError) {
    let label = try reader.readUInt8()
    let byteCount = Int(try reader.readUInt8())
    if byteCount == 0 { return }
    let block = try reader.read(byteCount)
    if label == 0xF9, byteCount >= 4 {
      hasTransparency = hasTransparency || block[0] & 1 != 0
      delay = Int(block[1]) | Int(block[2]) << 8
    }
    if label == 0xFF, byteCount == 11, FourCharacterCode(block, at: 0) == "NETS" {
      try readLoopCount(&reader)
    }
    try skipSubBlocks(&reader)
  }

  private mutating func readLoopCount(_ reader: inout ByteReader) throws(DecodeError) {
    let start = reader.position
    let byteCount = Int(try reader.readUInt8())
    let block = try reader.read(byteCount)
    if byteCount >= 3, block[0] == 1 { loopCount = LoopCount(rawCount: Int(block[1]) | Int(block[2]) << 8) }
    try reader.seek(to: start)
  }

  private func skipSubBlocks(_ reader: inout ByteReader) throws(DecodeError) {
    while true {
      let byteCount = Int(try reader.readUInt8())
      if byteCount == 0 { return }
      try reader.skip(byteCount)
    }
  }

  func apply(to info: inout ImageInfo) {
    info.frameCount = max(frameCount, 1)
    info.hasAlpha = hasTransparency
    info.isProgressive = isInterlaced
    if frameCount > 1 {
      info.loopCount = loopCount ?? .finite(1)
      info.duration = .milliseconds(hundredths * 10)
    }
  }
}
