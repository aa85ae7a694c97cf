// Block framing for incremental input: blocks, their fixed parts and data sub-blocks. GIF89a sections 12 to 15.

internal import ImageCoding

/// Splits a GIF into blocks.
///
/// Fixed parts are buffered and reported whole; sub-block data is reported as ranges of the caller's bytes.
struct BlockReader: Sendable {
  /// A syntax element of the file.
  enum Event {
    /// The logical screen, with the bytes of the global colour table.
    case screen(LogicalScreen, colors: [UInt8])
    /// The start of an extension.
    case extensionStart(label: UInt8)
    /// The start of an image, with the bytes of its local colour table; data sub-blocks follow.
    case image(ImageDescriptor, colors: [UInt8], minimumCodeSize: Int)
    /// The start of a data sub-block.
    case subBlock(byteCount: Int)
    /// Sub-block data, as a range of the input span.
    case data(Range<Int>)
    /// The end of an extension or an image.
    case blockEnd
    /// A byte that does not introduce any block.
    case unknownBlock(UInt8)
    /// The end of the file.
    case trailer
  }

  private enum Part {
    case screen
    case globalColors(LogicalScreen)
    case introducer
    case extensionLabel
    case imageDescriptor
    case localColors(ImageDescriptor)
    case minimumCodeSize(ImageDescriptor, [UInt8])
    case subBlockSize
    case subBlock(remaining: Int)
    case ended
  }

  static let imageSeparator: UInt8 = 0x2C
  static let extensionIntroducer: UInt8 = 0x21
  static let trailer: UInt8 = 0x3B

  private var part = Part.screen
  private var field: [UInt8] = []
  private var needed = LogicalScreen.byteCount
  /// The number of bytes consumed so far.
  private(set) var byteOffset = 0

  init() {}

  /// Starts at the first sub-block of an image.
  init(inImageDataAt byteOffset: Int) {
    self.byteOffset = byteOffset
    part = .subBlockSize
  }

  /// Returns the next event, or `nil` when more input is needed.
  ///
  /// - Parameter position: the index of the next unread byte in `bytes`.
  mutating func next(_ bytes: Span<UInt8>, position: inout Int) throws(CodecError) -> Event? {
    while true {
      switch part {
      case .ended: return nil
      case .subBlockSize: return readSubBlockSize(bytes, &position)
      case .subBlock(let remaining): return readSubBlock(remaining, bytes, &position)
      default:
        while field.count < needed {
          guard position < bytes.count else { return nil }
          field.append(bytes[position])
          advance(1, &position)
        }
        if let event = try endPart() { return event }
      }
    }
  }

  private mutating func advance(_ count: Int, _ position: inout Int) {
    position += count
    byteOffset += count
  }

  private mutating func readSubBlockSize(_ bytes: Span<UInt8>, _ position: inout Int) -> Event? {
    guard position < bytes.count else { return nil }
    let byteCount = Int(bytes[position])
    advance(1, &position)
    if byteCount == 0 {
      expect(.introducer, byteCount: 1)
      return .blockEnd
    }
    part = .subBlock(remaining: byteCount)
    return .subBlock(byteCount: byteCount)
  }

  private mutating func readSubBlock(_ remaining: Int, _ bytes: Span<UInt8>, _ position: inout Int) -> Event? {
    let start = position
    let count = min(remaining, bytes.count - start)
    guard count > 0 else { return nil }
    part = remaining == count ? .subBlockSize : .subBlock(remaining: remaining - count)
    advance(count, &position)
    return .data(start..<start + count)
  }

  /// Reads the sub-blocks of an image until the image or the input ends. Equivalent to repeated calls of
  /// ``next(_:position:)``, without the cost of an event for each. If the body throws, the reader must not be used
  /// again.
  ///
  /// - Parameter body: receives the data as ranges of `bytes`.
  mutating func readSubBlocks(
    _ bytes: Span<UInt8>, position: inout Int, body: (Range<Int>) throws(CodecError) -> Void
  ) throws(CodecError) {
    var remaining = 0
    switch part {
    case .subBlock(let count): remaining = count
    case .subBlockSize: break
    default: return
    }
    var end = position
    while end < bytes.count {
      if remaining == 0 {
        remaining = Int(bytes[end])
        if remaining == 0 { break }
        end += 1
      }
      let count = min(remaining, bytes.count - end)
      if count > 0 { try body(end..<end + count) }
      end += count
      remaining -= count
    }
    part = remaining == 0 ? .subBlockSize : .subBlock(remaining: remaining)
    advance(end - position, &position)
  }

  private mutating func expect(_ part: Part, byteCount: Int) {
    self.part = part
    needed = byteCount
  }

  /// Parses a fixed part once it is complete.
  private mutating func endPart() throws(CodecError) -> Event? {
    let field = field
    self.field = []
    var reader = ByteReader(field.span, baseOffset: byteOffset - field.count, format: GIFDecoder.type)
    switch part {
    case .screen:
      let screen = try LogicalScreen(parsing: &reader)
      expect(.globalColors(screen), byteCount: screen.globalColorCount * 3)
    case .globalColors(let screen):
      expect(.introducer, byteCount: 1)
      return .screen(screen, colors: field)
    case .introducer: return beginBlock(field[0])
    case .extensionLabel:
      expect(.subBlockSize, byteCount: 1)
      return .extensionStart(label: field[0])
    case .imageDescriptor:
      let descriptor = try ImageDescriptor(parsing: &reader)
      expect(.localColors(descriptor), byteCount: descriptor.localColorCount * 3)
    case .localColors(let descriptor): expect(.minimumCodeSize(descriptor, field), byteCount: 1)
    case .minimumCodeSize(let descriptor, let colors):
      expect(.subBlockSize, byteCount: 1)
      return .image(descriptor, colors: colors, minimumCodeSize: Int(field[0]))
    case .subBlockSize, .subBlock, .ended: break
    }
    return nil
  }

  private mutating func beginBlock(_ introducer: UInt8) -> Event? {
    switch introducer {
    case Self.imageSeparator: expect(.imageDescriptor, byteCount: ImageDescriptor.byteCount)
    case Self.extensionIntroducer: expect(.extensionLabel, byteCount: 1)
    case Self.trailer:
      part = .ended
      return .trailer
    default: return .unknownBlock(introducer)
    }
    return nil
  }
}
