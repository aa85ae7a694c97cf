// Framing: blocks, their fixed parts and sub-blocks, GIF89a sections 12 to 15, from bytes that arrive in pieces.

internal import ImageCore

/// Walks over the blocks of a GIF.
///
/// Fixed parts are collected and given whole; the data of sub-blocks is given as ranges of the caller's bytes.
struct BlockReader: Sendable {
  /// What was found.
  enum Event {
    /// The screen with the bytes of its colour table.
    case screen(LogicalScreen, colors: [UInt8])
    /// The start of an extension.
    case extensionStart(label: UInt8)
    /// The start of an image with the bytes of its colour table; sub-blocks follow.
    case image(ImageDescriptor, colors: [UInt8], minimumCodeSize: Int)
    /// The start of a sub-block.
    case subBlock(byteCount: Int)
    /// Bytes of a sub-block, as a range of what was given.
    case data(Range<Int>)
    /// The end of an extension or an image.
    case blockEnd
    /// A byte that starts no block.
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
  /// Bytes walked over.
  private(set) var byteOffset = 0

  /// The next event; `nil` when the bytes end before.
  ///
  /// - Parameter position: the index of the next byte in `bytes`.
  mutating func next(_ bytes: Span<UInt8>, position: inout Int) throws(DecodeError) -> Event? {
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

  /// Walks over the sub-blocks of an image up to its end or that of the bytes: as ``next(_:position:)`` does, without
  /// an event for each.
  ///
  /// - Parameter body: is given the data as ranges of `bytes`.
  mutating func readSubBlocks(_ bytes: Span<UInt8>, position: inout Int, body: (Range<Int>) -> Void) {
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
      if count > 0 { body(end..<end + count) }
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

  /// Parses a fixed part that is complete.
  private mutating func endPart() throws(DecodeError) -> Event? {
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
