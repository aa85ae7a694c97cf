// The extensions that are interpreted: graphic control, comment, and the application extensions for the loop count, an
// XMP packet or an ICC profile. GIF89a sections 23, 24 and 26. All others, including plain text (section 25), are
// skipped.

internal import ImageCoding

/// Collects the sub-blocks of one extension.
struct ExtensionReader: Sendable {
  /// The parsed content of an extension.
  enum Content {
    case graphicControl(GraphicControl)
    case comment(String)
    case loopCount(LoopCount)
    case xmp([UInt8])
    case iccProfile([UInt8])
    /// The extension exceeds the metadata limit.
    case oversized
  }

  private enum Kind: Equatable {
    case skipped
    case graphicControl
    case comment
    case application
    case loops
    case xmp
    case iccProfile
  }

  private let maximumByteCount: Int
  private var kind: Kind
  private var data: [UInt8] = []
  /// The offset in `data` of the sub-block being read.
  private var blockStart = 0
  private var isFirstBlock = true
  private var loopCount: LoopCount?
  private var isOversized = false

  init(label: UInt8, maximumByteCount: Int) {
    self.maximumByteCount = maximumByteCount
    kind =
      switch label {
      case 0xF9: .graphicControl
      case 0xFE: .comment
      case 0xFF: .application
      default: .skipped
      }
  }

  mutating func beginSubBlock(byteCount: Int) {
    endSubBlock()
    // An XMP packet is not divided into sub-blocks: the apparent size bytes are characters of the packet.
    if kind == .xmp { append([UInt8(truncatingIfNeeded: byteCount)].span) }
    blockStart = data.count
  }

  mutating func append(_ bytes: Span<UInt8>) {
    guard kind != .skipped, !isOversized else { return }
    guard data.count + bytes.count <= max(maximumByteCount, 255) else {
      isOversized = true
      data = []
      return
    }
    for index in bytes.indices { data.append(bytes[index]) }
  }

  private mutating func endSubBlock() {
    guard !data.isEmpty, !isOversized else { return }
    switch kind {
    case .application:
      identifyApplication()
    case .loops:
      let block = data[blockStart...]
      // Sub-block 1 holds the loop count. Sub-block 2 holds a buffer size, which every viewer ignores.
      if block.count >= 3, block[blockStart] & 7 == 1 {
        loopCount = Self.loopCount(repetitions: Int(block[blockStart + 1]) | Int(block[blockStart + 2]) << 8)
      }
      data = []
    default: break
    }
  }

  private mutating func identifyApplication() {
    switch data {
    case Array("NETSCAPE2.0".utf8), Array("ANIMEXTS1.0".utf8): kind = .loops
    case Array("XMP DataXMP".utf8): kind = .xmp
    case Array("ICCRGBG1012".utf8): kind = .iccProfile
    default: kind = .skipped
    }
    data = []
  }

  /// The file counts repetitions after the first pass; 0 means forever.
  static func loopCount(repetitions: Int) -> LoopCount {
    repetitions == 0 ? .infinite : .finite(repetitions + 1)
  }

  /// Returns the parsed content, or `nil` if the extension is of no interest.
  mutating func finish() -> Content? {
    endSubBlock()
    if isOversized { return .oversized }
    switch kind {
    case .graphicControl: return GraphicControl(data).map(Content.graphicControl)
    case .comment: return data.isEmpty ? nil : .comment(String(utf8OrLatin1: data.span))
    case .loops: return loopCount.map(Content.loopCount)
    case .xmp: return xmpPacket().map(Content.xmp)
    case .iccProfile: return data.isEmpty ? nil : .iccProfile(data)
    case .application, .skipped: return nil
    }
  }

  /// Removes the trailer of bytes 1, 255, 254 … 0 that leads parsers unaware of XMP to the end of the extension.
  private func xmpPacket() -> [UInt8]? {
    let rampByteCount = 257
    guard data.count > rampByteCount, data[data.count - rampByteCount] == 1, data[data.count - 1] == 0 else {
      return nil
    }
    return Array(data.dropLast(rampByteCount))
  }
}
