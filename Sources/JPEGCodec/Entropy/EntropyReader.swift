// Reads bits from byte-stuffed data: the entropy-coded segments of ITU-T T.81, section B.1.1.5, most significant bit
// first.

internal import VectorLanes

/// Reads the bits of an entropy-coded segment up to the next marker.
///
/// After the last byte before a marker or the end of the input, it supplies zero bits indefinitely, as libjpeg does.
/// ``overrun`` tells whether any were consumed. Decoders check it once per MCU, which keeps error paths out of their
/// inner loops.
package struct EntropyReader {
  /// The next bits, left-aligned, with zeros below them.
  var window: UInt64 = 0
  /// The number of valid bits in the window in the low six bits; those above have no meaning. So a whole table entry can
  /// be subtracted, of which the low six bits are the number of bits to consume. No more are consumed than a refill makes
  /// ready.
  private var countBits: UInt32 = 0
  /// The index of the first byte not in the window.
  package var position: Int
  /// The number of bits supplied so far that were padding after the end.
  var paddingBitCount = 0

  package init(position: Int) {
    self.position = position
  }

  /// The number of valid bits in the window, 0…63.
  @inline(__always)
  var bitCount: Int { Int(truncatingIfNeeded: countBits & 63) }

  /// Whether bits were consumed that are not in the input.
  @inline(__always)
  package var overrun: Bool { paddingBitCount > bitCount }

  /// Ensures that at least 32 bits are ready, enough for the longest code and its extra bits.
  @inline(__always)
  package mutating func refill(_ bytes: Span<UInt8>) {
    if countBits & 32 != 0 { return }
    // The condition of the load, so that it is not checked twice.
    if position >= 0, position <= bytes.count &- 8 {
      let next = loadBigEndian64(bytes, at: position)
      // No byte is 0xFF, because none of the inverted bytes is zero.
      if ((~next &- 0x0101_0101_0101_0101) & next & 0x8080_8080_8080_8080) == 0 {
        window |= next &>> UInt64(truncatingIfNeeded: countBits)
        // As many whole bytes as there is room for, which leaves 56…63 bits.
        position &+= 7 &- bitCount &>> 3
        countBits |= 56
        return
      }
    }
    self = refilledBytewise(bytes)
  }

  /// Returns the reader after a refill that handles markers, stuffing and the end of the input.
  ///
  /// Returns a copy, like ``readingLongSymbol(_:)``: a reader whose address is never taken stays in registers.
  @inline(never)
  private func refilledBytewise(_ bytes: Span<UInt8>) -> EntropyReader {
    var copy = self
    copy.refillBytewise(bytes)
    return copy
  }

  @inline(__always)
  private mutating func refillBytewise(_ bytes: Span<UInt8>) {
    // The fast refill leaves bits of the byte at `position` and later ones below the valid bits.
    window &= ~(UInt64.max &>> UInt64(truncatingIfNeeded: countBits))
    while bitCount < 56 {
      if position < bytes.count, bytes[position] != 0xFF {
        append(bytes[position])
        position &+= 1
      } else if let next = endOfStuffedByte(bytes) {
        append(0xFF)
        position = next
      } else {
        countBits &+= 8
        paddingBitCount &+= 8
      }
    }
  }

  /// The maximum number of fill bytes examined before a zero byte.
  static let maximumFillByteCount = 16

  /// Returns the index after an 0xFF, any fill bytes, and the zero that marks it as stuffed; `nil` at a marker or the
  /// end.
  private func endOfStuffedByte(_ bytes: Span<UInt8>) -> Int? {
    // The end has been reached before.
    if paddingBitCount > 0 { return nil }
    var index = position &+ 1
    let end = min(bytes.count, index &+ Self.maximumFillByteCount)
    while index < end, bytes[index] == 0xFF { index &+= 1 }
    return index < end && bytes[index] == 0 ? index &+ 1 : nil
  }

  @inline(__always)
  private mutating func append(_ byte: UInt8) {
    window |= UInt64(byte) &<< UInt64(truncatingIfNeeded: 56 &- bitCount)
    countBits &+= 8
  }

  /// Returns the next `count` bits, 1…32, without consuming them.
  @inline(__always)
  package func peek(_ count: Int) -> Int {
    Int(truncatingIfNeeded: window &>> UInt64(truncatingIfNeeded: 64 &- count))
  }

  /// Consumes `count` bits.
  @inline(__always)
  package mutating func skip(_ count: Int) {
    window = window &<< UInt64(truncatingIfNeeded: count)
    countBits &-= UInt32(truncatingIfNeeded: count)
  }

  /// Consumes the number of bits in the low six bits of an entry of a look-up table.
  @inline(__always)
  mutating func skipCode(of entry: Int32) {
    skip(Int(truncatingIfNeeded: entry))
  }

  /// Reads `size` bits, 1…16, as a coefficient value (RECEIVE and EXTEND).
  @inline(__always)
  package mutating func readExtended(_ size: Int) -> Int32 {
    let extra = Int32(truncatingIfNeeded: window &>> UInt64(truncatingIfNeeded: 64 &- size))
    // All ones if the first bit is 0.
    let isNegative = ~Int32(truncatingIfNeeded: Int64(bitPattern: window) &>> 63)
    skip(size)
    return extra &+ (isNegative & ((-1 &<< Int32(truncatingIfNeeded: size)) &+ 1))
  }

  /// Reads one bit, which a refill must have made ready.
  @inline(__always)
  package mutating func readBit() -> Bool {
    let bit = Int64(bitPattern: window) < 0
    skip(1)
    return bit
  }

  /// Reads a symbol whose code is not in the direct look-up part of its table. Returns 0 if there is no such code, as
  /// in libjpeg.
  ///
  /// - Parameter table: see ``HuffmanLookup``.
  @inline(__always)
  package mutating func readLongSymbol(_ table: Span<Int32>) -> Int {
    let (reader, symbol) = readingLongSymbol(table)
    self = reader
    return symbol
  }

  @inline(never)
  private func readingLongSymbol(_ table: Span<Int32>) -> (EntropyReader, Int) {
    var copy = self
    let next = Int32(truncatingIfNeeded: peek(16))
    var length = HuffmanLookup.bitCount &+ 1
    while length <= 16, next >= table[HuffmanLookup.limits &+ length] { length &+= 1 }
    guard length <= 16 else {
      copy.skip(16)
      copy.foundInvalidCode = true
      return (copy, 0)
    }
    copy.skip(length)
    let place = (next &>> Int32(truncatingIfNeeded: 16 &- length)) &+ table[HuffmanLookup.deltas &+ length]
    return (copy, Int(table[HuffmanLookup.symbols &+ Int(truncatingIfNeeded: place & 255)]))
  }

  /// Whether bits were read that do not form a code of their table.
  package var foundInvalidCode = false

  /// Returns the index of the first byte of which no bit has been consumed.
  ///
  /// It depends only on the bits consumed, not on how far the window is filled.
  func unreadPosition(_ bytes: Span<UInt8>) -> Int {
    var index = position
    for _ in 0..<max(bitCount - paddingBitCount, 0) / 8 {
      index -= index >= 2 && bytes[index - 1] == 0 && bytes[index - 2] == 0xFF ? 2 : 1
    }
    return max(index, 0)
  }

  /// Discards the remaining bits up to the next marker.
  mutating func discardBits() {
    window = 0
    countBits = 0
    paddingBitCount = 0
  }

  /// Discards the padding supplied after the end, because more input may arrive there.
  mutating func discardPadding() {
    countBits = UInt32(truncatingIfNeeded: max(bitCount - paddingBitCount, 0))
    paddingBitCount = 0
  }
}
