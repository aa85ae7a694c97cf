// Bits of a Brotli stream, the least significant one of each byte first.

internal import VectorLanes

/// The bits that have been loaded but not consumed.
///
/// After the end of the input it supplies zeros; ``isPastEnd(of:)`` tells.
struct BrotliBits {
  private(set) var bits: UInt64 = 0
  /// The number of valid bits. The bits after these are zero or those that follow in the input.
  private(set) var count = 0
  /// The index of the next byte to load.
  private var position = 0

  /// The index of the first byte of which no bit is consumed.
  var bytePosition: Int { position - count / 8 }

  /// Whether more bits are consumed than the input has.
  func isPastEnd(of input: Span<UInt8>) -> Bool {
    position - count / 8 > input.count
  }

  /// Makes at least 56 bits available.
  @inline(__always)
  mutating func refill(_ input: Span<UInt8>) {
    if position &+ 8 <= input.count {
      bits |= loadLittleEndian64(input, at: position) &<< UInt64(truncatingIfNeeded: count)
      position &+= (63 &- count) &>> 3
      count |= 56
    } else {
      refillNearEnd(input)
    }
  }

  @inline(never)
  private mutating func refillNearEnd(_ input: Span<UInt8>) {
    while count < 56 {
      if position < input.count { bits |= UInt64(input[position]) << UInt64(count) }
      position += 1
      count += 8
    }
  }

  /// Removes bits that are available.
  @inline(__always)
  mutating func drop(_ bitCount: Int) {
    bits &>>= UInt64(truncatingIfNeeded: bitCount)
    count &-= bitCount
  }

  /// Returns up to 32 bits that are available, and removes them.
  @inline(__always)
  mutating func take(_ bitCount: Int) -> Int {
    let value = bits & (1 &<< UInt64(truncatingIfNeeded: bitCount) &- 1)
    drop(bitCount)
    return Int(truncatingIfNeeded: value)
  }

  /// Returns the next bits, up to 32.
  mutating func read(_ bitCount: Int, _ input: Span<UInt8>) -> Int {
    refill(input)
    return take(bitCount)
  }

  /// Consumes the bits up to the next byte and returns whether all are zero.
  mutating func alignToByte() -> Bool {
    take(count & 7) == 0
  }

  /// Continues at a byte. The reader must be aligned.
  mutating func move(to index: Int) {
    self = BrotliBits()
    position = index
  }
}
