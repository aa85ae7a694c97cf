// The bit streams of high-throughput code-blocks (ITU-T T.814, 7.1).

/// Bits from the start of a segment, least significant first. A byte after 0xFF has seven.
package struct HTForwardBits {
  private var position: Int
  private let end: Int
  /// The byte that exhausted input reads as.
  private let filler: UInt8
  private var buffer: UInt64 = 0
  private var bitCount: UInt64 = 0
  private var isAfterFF = false

  package init(_ range: Range<Int>, filler: UInt8) {
    position = range.lowerBound
    end = range.upperBound
    self.filler = filler
  }

  /// Reads up to 32 bits.
  @inline(__always)
  package mutating func read(_ count: UInt64, _ bytes: Span<UInt8>) -> UInt32 {
    while bitCount < count {
      let byte = position < end ? bytes[position] : filler
      position &+= 1
      buffer |= UInt64(isAfterFF ? byte & 0x7F : byte) &<< bitCount
      bitCount &+= isAfterFF ? 7 : 8
      isAfterFF = byte == 0xFF
    }
    let value = UInt32(truncatingIfNeeded: buffer & ((1 &<< count) &- 1))
    buffer &>>= count
    bitCount &-= count
    return value
  }
}

/// Bits from the end of a segment, least significant first. A byte with seven ones before one above 0x8F has seven.
/// Exhausted input reads as zeros.
package struct HTBackwardBits {
  private var position: Int
  private let start: Int
  private var buffer: UInt64 = 0
  private var bitCount: UInt64 = 0
  /// Whether the byte read before is above 0x8F.
  private var isAfterLarge = true

  /// The bits of the refinement pass: all of a segment.
  package init(_ range: Range<Int>) {
    position = range.upperBound - 1
    start = range.lowerBound
  }

  /// The bits of a cleanup segment's suffix, of which the lower half of the last byte belongs to the other stream.
  init(suffix range: Range<Int>, _ bytes: Span<UInt8>) {
    start = range.lowerBound
    position = range.upperBound - 2
    guard position >= range.lowerBound else { return }
    let byte = bytes[position]
    buffer = UInt64(byte >> 4)
    bitCount = byte & 0x70 == 0x70 ? 3 : 4
    buffer &= 1 << bitCount - 1
    isAfterLarge = byte | 0x0F > 0x8F
    position -= 1
  }

  /// Returns the next bits without consuming them.
  @inline(__always)
  mutating func peek(_ count: UInt64, _ bytes: Span<UInt8>) -> UInt32 {
    while bitCount < count {
      let byte = position >= start ? bytes[position] : 0
      position &-= 1
      let isStuffed = isAfterLarge && byte & 0x7F == 0x7F
      buffer |= UInt64(isStuffed ? byte & 0x7F : byte) &<< bitCount
      bitCount &+= isStuffed ? 7 : 8
      isAfterLarge = byte > 0x8F
    }
    return UInt32(truncatingIfNeeded: buffer & ((1 &<< count) &- 1))
  }

  @inline(__always)
  mutating func skip(_ count: UInt64) {
    buffer &>>= count
    bitCount &-= count
  }

  @inline(__always)
  package mutating func read(_ count: UInt64, _ bytes: Span<UInt8>) -> UInt32 {
    let value = peek(count, bytes)
    skip(count)
    return value
  }
}

/// Events that are mostly zero, as run lengths with adaptive codes (MEL).
package struct HTEventDecoder {
  private var position: Int
  /// The index after the last byte, of which the upper half belongs to the other stream.
  private let end: Int
  private var current: UInt8 = 0
  private var bitCount: UInt8 = 0
  private var state = 0
  /// The zeros that remain before the next event of another kind.
  private var zeroCount = 0
  private var hasOne = false

  private static let exponents: InlineArray<13, UInt8> = [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5]

  package init(suffix range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound - 1
  }

  private mutating func readBit(_ bytes: Span<UInt8>) -> UInt8 {
    if bitCount == 0 {
      bitCount = current == 0xFF ? 7 : 8
      current = position < end ? bytes[position] : 0xFF
      if position == end - 1 { current |= 0x0F }
      position += 1
    }
    bitCount -= 1
    return current >> bitCount & 1
  }

  /// Decodes an event.
  package mutating func decode(_ bytes: Span<UInt8>) -> Bool {
    if zeroCount == 0, !hasOne {
      let exponent = Self.exponents[state]
      if readBit(bytes) == 1 {
        zeroCount = 1 << Int(exponent)
        state = min(12, state + 1)
      } else {
        for _ in 0..<exponent { zeroCount = zeroCount << 1 | Int(readBit(bytes)) }
        hasOne = true
        state = max(0, state - 1)
      }
    }
    if zeroCount > 0 {
      zeroCount -= 1
      return false
    }
    hasOne = false
    return true
  }
}
