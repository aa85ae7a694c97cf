// Bits of a VP8L stream, least significant first (RFC 9649, section 3.2).

internal import VectorLanes

/// Reads bits from a window of the stream.
///
/// Reads past the end return zeros and set ``isOverrun``, so that hot loops need no error path. The reader is a value:
/// a step that lacks input is undone by restoring a copy.
struct LosslessBitReader {
  /// The next bits of the stream. Bits above ``bitCount`` may be set; they equal the bits that follow in the stream.
  private(set) var bits: UInt64 = 0
  /// The number of loaded bits.
  private(set) var bitCount = 0
  /// The index of the next byte to load.
  private(set) var index: Int
  /// The number of zero bits that were loaded past the end.
  private var paddingBitCount = 0

  init(index: Int) {
    self.index = index
  }

  /// Whether more bits were consumed than the stream has.
  var isOverrun: Bool { paddingBitCount > bitCount }

  /// Adjusts the position to another window, in which the previous end of the input is no longer the end.
  ///
  /// - Parameter byteCount: the distance between the starts of the windows, in bytes.
  mutating func moveWindow(by byteCount: Int) {
    index -= byteCount
    bitCount -= paddingBitCount
    paddingBitCount = 0
  }

  /// Loads at least 56 bits, and at most 63.
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
    // A 64th bit would leave the fast path, which may follow in the next window, no bit to shift by.
    while bitCount < 56 {
      if index < bytes.count {
        bits |= UInt64(bytes[index]) &<< UInt64(truncatingIfNeeded: bitCount)
        index &+= 1
      } else {
        paddingBitCount &+= 8
      }
      bitCount &+= 8
    }
  }

  /// Consumes loaded bits.
  @inline(__always)
  mutating func consume(_ count: Int) {
    bits &>>= UInt64(truncatingIfNeeded: count)
    bitCount &-= count
  }

  /// Returns and consumes loaded bits, at most 31 of them.
  @inline(__always)
  mutating func takeLoaded(_ count: Int) -> Int {
    let value = Int(truncatingIfNeeded: bits & (1 &<< UInt64(truncatingIfNeeded: count) &- 1))
    consume(count)
    return value
  }

  /// Reads a number of at most 31 bits.
  mutating func read(_ count: Int, _ bytes: Span<UInt8>) -> Int {
    refill(bytes)
    return takeLoaded(count)
  }

  /// Reads one bit.
  mutating func readFlag(_ bytes: Span<UInt8>) -> Bool { read(1, bytes) == 1 }
}
