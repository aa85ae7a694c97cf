// The bits of facsimile data, most significant first.

internal import VectorLanes

/// Reads bits from coded data. Beyond the end, bits are 0, which is no code.
struct FaxBits {
  /// The next bits, at the most significant end. Bits beyond ``count`` are 0 or repeated by the next refill.
  private(set) var bits: UInt64 = 0
  /// The number of bits available without a refill.
  private(set) var count = 0
  /// The offset of the next byte.
  private var position = 0

  /// Makes 56…63 bits available.
  @inline(__always)
  mutating func refill(_ input: Span<UInt8>) {
    if position &+ 8 <= input.count {
      bits |= loadBigEndian64(input, at: position) &>> UInt64(truncatingIfNeeded: count)
      position &+= (63 &- count) &>> 3
      count |= 56
    } else {
      refillAtEnd(input)
    }
  }

  @inline(never)
  private mutating func refillAtEnd(_ input: Span<UInt8>) {
    bits &= count == 0 ? 0 : .max &<< UInt64(64 &- count)
    while count < 56 {
      let byte = position < input.count ? input[position] : 0
      bits |= UInt64(byte) &<< UInt64(56 &- count)
      position &+= 1
      count &+= 8
    }
  }

  /// Returns the next 1…32 bits without consuming them.
  @inline(__always)
  func peek(_ bitCount: Int) -> Int {
    Int(truncatingIfNeeded: bits &>> UInt64(truncatingIfNeeded: 64 &- bitCount))
  }

  /// Consumes bits, at most ``count`` of them.
  @inline(__always)
  mutating func consume(_ bitCount: Int) {
    bits &<<= UInt64(truncatingIfNeeded: bitCount)
    count &-= bitCount
  }

  /// The number of bytes of which bits were consumed.
  var byteCount: Int { (position * 8 - count + 7) / 8 }

  /// Whether more bits were consumed than the input has.
  func isExhausted(_ input: Span<UInt8>) -> Bool { position * 8 - count > input.count * 8 }

  /// Skips to a multiple of 8 or 16 bits from the start.
  mutating func align(to bitCount: Int, _ input: Span<UInt8>) {
    refill(input)
    consume((bitCount - (position * 8 - count) % bitCount) % bitCount)
  }

  /// Skips zeros up to the next 1, which is not consumed. Returns `false` at the end of the input.
  mutating func skipZeros(_ input: Span<UInt8>) -> Bool {
    while true {
      refill(input)
      let zeros = min(bits.leadingZeroBitCount, count)
      if zeros < count {
        consume(zeros)
        return true
      }
      consume(zeros)
      if isExhausted(input) { return false }
    }
  }
}
