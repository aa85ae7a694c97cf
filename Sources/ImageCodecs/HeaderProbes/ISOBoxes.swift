// Walking the boxes of ISO base media files and of the JPEG 2000 and JPEG XL containers (ISO/IEC 14496-12, 4.2).

internal import ImageCore

/// A box: its type and where its payload lies in the input.
struct ISOBox {
  let type: FourCharacterCode
  let payload: Range<Int>
}

/// The boxes of a range of the input, in order. The last one may be cut off by the end of the input.
struct ISOBoxIterator: ~Escapable {
  private let bytes: Span<UInt8>
  private var position: Int
  private let end: Int

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, in range: Range<Int>) {
    self.bytes = bytes
    end = min(range.upperBound, bytes.count)
    position = min(range.lowerBound, end)
  }

  /// The next box; `nil` at the end, or where no whole box header is left.
  @_lifetime(self: copy self)
  mutating func next() -> ISOBox? {
    let start = position
    guard let size = FourCharacterCode(bytes, at: start), let type = FourCharacterCode(bytes, at: start + 4) else {
      return nil
    }
    var headerByteCount = 8
    var byteCount = UInt64(size.rawValue)
    if byteCount == 1 {
      guard let high = FourCharacterCode(bytes, at: start + 8), let low = FourCharacterCode(bytes, at: start + 12)
      else { return nil }
      byteCount = UInt64(high.rawValue) << 32 | UInt64(low.rawValue)
      headerByteCount = 16
    }
    let available = end - start
    if byteCount == 0 { byteCount = UInt64(available) }
    guard byteCount >= UInt64(headerByteCount), available >= headerByteCount else { return nil }
    position = start + Int(min(byteCount, UInt64(available)))
    return ISOBox(type: type, payload: start + headerByteCount..<position)
  }

  /// The next box of a type.
  @_lifetime(self: copy self)
  mutating func first(_ type: FourCharacterCode) -> ISOBox? {
    while let box = next() {
      if box.type == type { return box }
    }
    return nil
  }
}
