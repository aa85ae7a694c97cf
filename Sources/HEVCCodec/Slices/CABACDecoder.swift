// The arithmetic decoder (section 9.3.4.3).
//
// The interval's offset is the top nine bits below the sign bit of a 64-bit word; the bits below are those of the
// stream to come, so that renormalization is a shift. Decisions are made with masks instead of branches: which symbol
// it is cannot be predicted.

internal import VectorLanes

/// Decodes bins of one substream. Past the end it reads zeros, which ``isExhausted`` tells.
package struct CABACDecoder {
  /// The place of `ivlOffset` in `value`.
  private static let offsetShift: UInt64 = 54

  /// `ivlOffset` in bits 54…62, bits of the stream below.
  private var value: UInt64 = 0
  /// `ivlCurrRange`.
  private var range: UInt64 = 510
  /// Bits of the stream in `value` below bit 54.
  private var available = -9
  /// The index of the next byte to load.
  private var index: Int
  /// The index after the last byte.
  private let end: Int

  /// A decoder that must be restarted before use.
  package init(end: Int) {
    index = end
    self.end = end
  }

  /// Starts a substream (section 9.3.2.5).
  package mutating func restart(at index: Int, _ bytes: Span<UInt8>) {
    self.index = min(index, end)
    value = 0
    range = 510
    available = -9
    refill(bytes)
    limitOffset()
  }

  /// Bounds the offset by the range, which it exceeds in damaged streams only. All operations keep it bounded.
  private mutating func limitOffset() {
    value = min(value, range &<< Self.offsetShift &- 1)
  }

  /// The index of the byte after the last one that has been read by the arithmetic decoder.
  package var alignedIndex: Int { min(end, index &- max(0, available) &>> 3) }

  /// Whether more bits were read than there are.
  package var isExhausted: Bool { index &- max(0, available) / 8 > end }

  @inline(__always)
  private mutating func refill(_ bytes: Span<UInt8>) {
    // Zeros follow the last whole word.
    let word = index <= bytes.count &- 8 ? loadBigEndian64(bytes, at: index) : 0
    value |= word &>> UInt64(truncatingIfNeeded: 10 &+ available)
    let byteCount = (54 &- available) &>> 3
    index &+= byteCount
    available &+= byteCount &<< 3
  }

  /// The next bin of a context model.
  @inline(__always)
  package mutating func decode(_ context: Int, _ models: inout ContextModels, _ bytes: Span<UInt8>) -> Int {
    let model = models.states[context & 255]
    let place = UInt8(truncatingIfNeeded: UInt64(model & 0x7E) &<< 1 | (range &>> 6) & 3)
    let interval = UInt64(intervalTable[Int(place)])
    let probable = range &- (interval &>> 4) & 0x1FF
    let scaled = probable &<< Self.offsetShift
    let difference = value &- scaled
    // All ones for the more probable symbol.
    let mask = UInt64(bitPattern: Int64(bitPattern: difference) &>> 63)
    let isHalved = (probable &>> 8) ^ 1
    value = difference &+ scaled & mask
    range = (probable &<< isHalved) & mask | (interval &>> 16) & ~mask
    let shift = isHalved & mask | interval & 7 & ~mask
    value &<<= shift
    available &-= Int(truncatingIfNeeded: shift)
    models.states[context & 255] = transitionTable[Int(model & 0x7F | UInt8(truncatingIfNeeded: ~mask & 128))]
    if available < 0 { refill(bytes) }
    return Int((UInt64(model) ^ ~mask) & 1)
  }

  /// The next equiprobable bin.
  @inline(__always)
  package mutating func decodeBypass(_ bytes: Span<UInt8>) -> Int {
    if available < 1 { refill(bytes) }
    let half = range &<< (Self.offsetShift &- 1)
    let difference = value &- half
    let mask = UInt64(bitPattern: Int64(bitPattern: difference) &>> 63)
    value = (difference &+ half & mask) &<< 1
    available &-= 1
    return Int(~mask & 1)
  }

  /// The next equiprobable bins, up to 21, the first one most significant.
  @inline(__always)
  package mutating func decodeBypass(count: Int, _ bytes: Span<UInt8>) -> Int {
    if available < count { refill(bytes) }
    let quotient = peek(count)
    consume(quotient, count)
    return Int(truncatingIfNeeded: quotient)
  }

  /// The next `count` equiprobable bins without consuming them. They must be available.
  @inline(__always)
  private func peek(_ count: Int) -> UInt64 {
    let dividend = value &>> UInt64(truncatingIfNeeded: 54 &- count)
    return (dividend &* UInt64(reciprocalTable[Int(truncatingIfNeeded: range & 255)])) &>> 39
  }

  @inline(__always)
  private mutating func consume(_ bins: UInt64, _ count: Int) {
    value &-= (bins &* range) &<< UInt64(truncatingIfNeeded: 54 &- count)
    value &<<= UInt64(truncatingIfNeeded: count)
    available &-= count
  }

  /// `coeff_abs_level_remaining` (section 9.3.3.11).
  @inline(__always)
  package mutating func decodeRemaining(rice: Int, _ bytes: Span<UInt8>) -> Int {
    if available < 21 { refill(bytes) }
    let bins = peek(21)
    let prefix = UInt32(truncatingIfNeeded: ~(bins &<< 11)).leadingZeroBitCount
    let count = prefix < 4 ? prefix &+ 1 &+ rice : 2 &* prefix &- 2 &+ rice
    guard count <= 21 else { return decodeLongRemaining(rice: rice, bytes) }
    let code = bins &>> UInt64(truncatingIfNeeded: 21 &- count)
    consume(code, count)
    let suffixCount = count &- prefix &- 1
    let suffix = Int(truncatingIfNeeded: code) & (1 &<< suffixCount &- 1)
    let base = prefix < 4 ? prefix : 1 &<< (prefix &- 3) &+ 2
    return base &<< rice &+ suffix
  }

  @inline(never)
  private mutating func decodeLongRemaining(rice: Int, _ bytes: Span<UInt8>) -> Int {
    var prefix = 0
    while prefix < 32, decodeBypass(bytes) == 1 { prefix += 1 }
    guard prefix >= 4 else { return prefix << rice + decodeBits(rice, bytes) }
    // Levels have 16 bits: longer codes are damage, and any value will do.
    let suffixCount = prefix - 3 + rice
    let suffix = decodeBits(suffixCount, bytes)
    return ((1 << (prefix - 3) + 2) << rice &+ suffix) & 0xFF_FFFF
  }

  /// Equiprobable bins as a number, up to 62.
  private mutating func decodeBits(_ count: Int, _ bytes: Span<UInt8>) -> Int {
    var value = 0
    var rest = count
    while rest > 0 {
      let part = min(rest, 16)
      value = value &<< part | decodeBypass(count: part, bytes)
      rest -= part
    }
    return value
  }

  /// The next bin before which a substream may end (section 9.3.4.3.5).
  package mutating func decodeTerminate(_ bytes: Span<UInt8>) -> Bool {
    range &-= 2
    if value >= range &<< Self.offsetShift { return true }
    if range < 256 {
      range &<<= 1
      value &<<= 1
      available &-= 1
      if available < 0 { refill(bytes) }
    }
    return false
  }

  /// Sets the range so that equiprobable bins are bits of the stream (section 9.3.4.3.6).
  package mutating func alignBypass() {
    range = 256
    limitOffset()
  }

  /// An Exp-Golomb code of order 0 of equiprobable bins.
  package mutating func decodeExpGolomb(_ bytes: Span<UInt8>) -> Int {
    var order = 0
    while order < 20, decodeBypass(bytes) == 1 { order += 1 }
    return (1 << order - 1) + decodeBits(order, bytes)
  }
}
