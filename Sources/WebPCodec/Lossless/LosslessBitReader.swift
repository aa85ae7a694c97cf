// Bits of a VP8L stream, least significant first (RFC 9649, section 3.2).

/// Reads bits from a window of the stream.
///
/// Reading past the end returns zeros and is noticed by ``isOverrun``, so that hot loops need no error path. The state is
/// a value: a step that turns out to lack input is undone by assigning the reader from before it.
struct LosslessBitReader {
  /// The next bits of the stream. Those above ``bitCount`` may be set, but are those that follow in the stream.
  private(set) var bits: UInt64 = 0
  /// Bits that are loaded.
  private(set) var bitCount = 0
  /// The index of the next byte to load.
  private(set) var index: Int
  /// Zero bits that were loaded past the end.
  private var paddingBitCount = 0

  init(index: Int) {
    self.index = index
  }

  /// Whether more bits were consumed than the stream has.
  var isOverrun: Bool { paddingBitCount > bitCount }

  /// Prepares for another window: what was the end of the input is so no longer.
  ///
  /// - Parameter byteCount: the distance of the starts of the windows.
  mutating func moveWindow(by byteCount: Int) {
    index -= byteCount
    bitCount -= paddingBitCount
    paddingBitCount = 0
  }

  /// Loads at least 56 bits.
  @inline(__always)
  mutating func refill(_ bytes: Span<UInt8>) {
    if index &+ 8 <= bytes.count {
      bits |= loadLittleEndian64(bytes, at: index) &<< UInt64(truncatingIfNeeded: bitCount)
      index &+= (63 &- bitCount) &>> 3
      bitCount |= 56
    } else {
      refillNearEnd(bytes)
    }
  }

  @inline(never)
  private mutating func refillNearEnd(_ bytes: Span<UInt8>) {
    while bitCount <= 56 {
      if index < bytes.count {
        bits |= UInt64(bytes[index]) &<< UInt64(truncatingIfNeeded: bitCount)
        index &+= 1
      } else {
        paddingBitCount &+= 8
      }
      bitCount &+= 8
    }
  }

  /// Moves on by loaded bits.
  @inline(__always)
  mutating func consume(_ count: Int) {
    bits &>>= UInt64(truncatingIfNeeded: count)
    bitCount &-= count
  }

  /// Loaded bits as a number, at most 31 of them.
  @inline(__always)
  mutating func takeLoaded(_ count: Int) -> Int {
    let value = Int(truncatingIfNeeded: bits & (1 &<< UInt64(truncatingIfNeeded: count) &- 1))
    consume(count)
    return value
  }

  /// The next bits as a number, at most 31 of them.
  mutating func read(_ count: Int, _ bytes: Span<UInt8>) -> Int {
    refill(bytes)
    return takeLoaded(count)
  }

  /// The next bit.
  mutating func readFlag(_ bytes: Span<UInt8>) -> Bool { read(1, bytes) == 1 }
}
