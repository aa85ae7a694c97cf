// The symbol decoder (section 8.2).
//
// `SymbolValue` is a difference between bits of the stream and a sum of interval bounds. The decoder keeps the bits and
// adds the bounds, so that zeros are shifted in. The top 16 bits of a 64-bit word are those compared; the bits of the
// stream to come follow, so that renormalization is a shift.

internal import VectorLanes

/// Decodes the symbols of one tile. Past the end it reads zeros, which ``isExhausted`` records.
package struct SymbolDecoder: Sendable {
  /// 65535 − `SymbolValue` in bits 48…63, bits of the stream below.
  private var window: UInt64 = 1 << 63
  /// `SymbolRange`.
  private var range: UInt32 = 1 << 15
  /// Bits of the stream in `window` below bit 48, minus those missing above.
  private var available = -15
  /// The index of the next byte to load.
  private var index = 0
  /// Whether distributions adapt: the opposite of `disable_cdf_update`.
  private let adapts: Bool

  /// `EC_MIN_PROB`.
  private static let minimumInterval: UInt32 = 4

  /// Starts with the first byte of a tile.
  package init(_ bytes: Span<UInt8>, adapts: Bool) {
    self.adapts = adapts
    refill(bytes)
  }

  /// Whether more bits were read than a valid tile of this many bytes has.
  package func isExhausted(byteCount: Int) -> Bool { (index &- byteCount) &* 8 &- available > 14 }

  @inline(__always)
  private mutating func refill(_ bytes: Span<UInt8>) {
    let word = index <= bytes.count &- 8 ? loadBigEndian64(bytes, at: index) : lastWord(bytes)
    window |= word &>> UInt64(truncatingIfNeeded: 16 &+ available)
    let byteCount = (48 &- available) &>> 3
    index &+= byteCount
    available &+= byteCount &<< 3
  }

  /// The last bytes of the tile, then zeros.
  @inline(never)
  private func lastWord(_ bytes: Span<UInt8>) -> UInt64 {
    var word: UInt64 = 0
    for offset in 0..<8 where index + offset < bytes.count {
      word |= UInt64(bytes[index + offset]) << UInt64(56 - offset * 8)
    }
    return word
  }

  /// `SymbolValue`.
  @inline(__always)
  private var value: UInt32 { UInt32(truncatingIfNeeded: window &>> 48) ^ 0xFFFF }

  /// Continues with an interval, of which the lower bound and the width are given.
  @inline(__always)
  private mutating func select(lower: UInt32, width: UInt32, _ bytes: Span<UInt8>) {
    // The width has one to sixteen bits. That it is not zero is said for the compiler.
    let shift = UInt32(truncatingIfNeeded: (width | 1).leadingZeroBitCount) & 15
    window = (window &+ UInt64(lower) &<< 48) &<< UInt64(shift)
    range = width &<< shift
    available &-= Int(shift)
    if available < 0 { refill(bytes) }
  }

  /// One of two numbers.
  ///
  /// - Parameter mask: all ones for the second one, otherwise zero.
  @inline(__always)
  private func choose(_ first: UInt32, _ second: UInt32, _ mask: UInt32) -> UInt32 {
    first ^ (first ^ second) & mask
  }

  /// The next bit of equal probabilities.
  @inline(__always)
  package mutating func decodeBit(_ bytes: Span<UInt8>) -> Int {
    let bound = (range &>> 8) &<< 7 &+ Self.minimumInterval
    // All ones for a one: which it is cannot be predicted.
    let mask = 0 &- (value &- bound) &>> 31
    select(lower: bound & ~mask, width: choose(range &- bound, bound, mask), bytes)
    return Int(mask & 1)
  }

  /// L(n): the next `count` bits of equal probabilities, the first one most significant; at most 31.
  @inline(__always)
  package mutating func decodeLiteral(_ count: Int, _ bytes: Span<UInt8>) -> Int {
    var result = 0
    for _ in 0..<count { result = result &<< 1 | decodeBit(bytes) }
    return result
  }

  /// NS(n): a number less than `count`, of which the smallest take one bit less.
  package mutating func decodeNonSymmetric(_ count: Int, _ bytes: Span<UInt8>) -> Int {
    guard count > 1 else { return 0 }
    let width = Int.bitWidth - count.leadingZeroBitCount
    let shortCount = 1 << width - count
    let value = decodeLiteral(width - 1, bytes)
    guard value >= shortCount else { return value }
    return value << 1 - shortCount + decodeBit(bytes)
  }

  /// The bound of an interval, from 32768 minus its cumulative probability.
  @inline(__always)
  private func bound(_ probability: UInt16, followingCount: UInt32) -> UInt32 {
    ((range &>> 8) &* UInt32(probability &>> 6)) &>> 1 &+ Self.minimumInterval &* followingCount
  }

  /// Decodes a symbol of two, whose distribution does not adapt.
  ///
  /// - Parameter probability: of the second symbol, in 32768ths.
  @inline(__always)
  package mutating func decodeFlag(probability: UInt16, _ bytes: Span<UInt8>) -> Bool {
    let bound = bound(probability, followingCount: 1)
    let isSet = value < bound
    select(lower: isSet ? 0 : bound, width: isSet ? bound : range &- bound, bytes)
    return isSet
  }

  /// Decodes a symbol of two, whose distribution is one group.
  @inline(__always)
  package mutating func decodeFlag(_ group: Int, _ contexts: CDFContexts, _ bytes: Span<UInt8>) -> Bool {
    let values = contexts[group]
    let probability = UInt32(truncatingIfNeeded: values & 0xFFFF)
    let bound = bound(UInt16(truncatingIfNeeded: probability), followingCount: 1)
    // All ones for the second symbol.
    let mask = 0 &- (value &- bound) &>> 31
    select(lower: bound & ~mask, width: choose(range &- bound, bound, mask), bytes)
    if adapts {
      let count = UInt32(truncatingIfNeeded: values &>> 48)
      let rate = 4 &+ count &>> 4
      let raised = probability &+ (32768 &- probability) &>> rate
      let lowered = probability &- probability &>> rate
      let adapted = UInt64(raised & mask | lowered & ~mask)
      contexts[group] = adapted | UInt64(count &+ (count &- 32) &>> 31) &<< 48
    }
    return mask != 0
  }

  /// Decodes a symbol of three or four, whose distribution is one group.
  @inline(__always)
  package mutating func decodeSymbol4(
    _ group: Int, count symbolCount: UInt32, _ contexts: CDFContexts, _ bytes: Span<UInt8>
  ) -> Int {
    let values = contexts[group]
    let first = bound(UInt16(truncatingIfNeeded: values), followingCount: symbolCount &- 1)
    let second = bound(UInt16(truncatingIfNeeded: values &>> 16), followingCount: symbolCount &- 2)
    let third = bound(UInt16(truncatingIfNeeded: values &>> 32), followingCount: symbolCount &- 3)
    let value = value
    // All ones if the symbol follows each of the first three.
    let (a, b, c) = (
      0 &- (value &- first) &>> 31, 0 &- (value &- second) &>> 31, 0 &- (value &- third) &>> 31
    )
    let symbol = 0 &- (a &+ b &+ c)
    // The masks of later symbols imply those of earlier ones.
    let widths = (range &- first, first &- second, second &- third, third)
    let lower = first &- (widths.1 & a) &- (widths.2 & b) &- (third & c)
    let changes = ((widths.0 ^ widths.1) & a, (widths.1 ^ widths.2) & b, (widths.2 ^ widths.3) & c)
    select(lower: lower, width: (widths.0 ^ changes.0) ^ (changes.1 ^ changes.2), bytes)
    if adapts {
      contexts[group] = adaptedGroup(
        values, before: UInt64(symbol), baseRate: symbolCount == 4 ? 5 : 4)
    }
    return Int(symbol)
  }

  /// Decodes a symbol of two to eight, whose distribution is two groups.
  package mutating func decodeSymbol8(
    _ group: Int, count symbolCount: Int, _ contexts: CDFContexts, _ bytes: Span<UInt8>
  ) -> Int {
    let index = min(group & CDFContexts.indexMask, CDFContexts.indexMask &- 1)
    let values = ProbabilityLanes(contexts[index], contexts[index &+ 1])
    let bounds = values.bounds(range: range, symbolCount: symbolCount, first: 0, hasCounter: true)
    let symbol = indexOfFirstBound(bounds, SIMD8(repeating: 0), notAbove: value)
    let upper = symbol == 0 ? range : UInt32(bounds[(symbol &- 1) & 7])
    let lower = UInt32(bounds[symbol & 7])
    select(lower: lower, width: upper &- lower, bytes)
    guard adapts else { return symbol }
    let count = UInt16(truncatingIfNeeded: contexts[index &+ 1] &>> 48)
    let adapted = values.adapted(rate: (symbolCount < 4 ? 4 : 5) &+ count &>> 4, before: symbol, first: 0)
    contexts[index] = adapted.low
    contexts[index &+ 1] = Self.counted(adapted.high, count)
    return symbol
  }

  /// Decodes a symbol of five to sixteen, whose distribution is four groups.
  package mutating func decodeSymbol16(
    _ group: Int, count symbolCount: Int, _ contexts: CDFContexts, _ bytes: Span<UInt8>
  ) -> Int {
    let index = min(group & CDFContexts.indexMask, CDFContexts.indexMask &- 3)
    let low = ProbabilityLanes(contexts[index], contexts[index &+ 1])
    let high = ProbabilityLanes(contexts[index &+ 2], contexts[index &+ 3])
    let lowBounds = low.bounds(range: range, symbolCount: symbolCount, first: 0, hasCounter: false)
    let highBounds = high.bounds(range: range, symbolCount: symbolCount, first: 8, hasCounter: true)
    let symbol = indexOfFirstBound(lowBounds, highBounds, notAbove: value)
    let lower = symbol < 8 ? lowBounds[symbol & 7] : highBounds[symbol & 7]
    let previous = symbol < 9 ? lowBounds[(symbol &- 1) & 7] : highBounds[(symbol &- 1) & 7]
    let upper = symbol == 0 ? range : UInt32(previous)
    select(lower: UInt32(lower), width: upper &- UInt32(lower), bytes)
    guard adapts else { return symbol }
    let count = UInt16(truncatingIfNeeded: contexts[index &+ 3] &>> 48)
    let rate = 5 &+ count &>> 4
    let newLow = low.adapted(rate: rate, before: symbol, first: 0)
    let newHigh = high.adapted(rate: rate, before: symbol, first: 8)
    contexts[index] = newLow.low
    contexts[index &+ 1] = newLow.high
    contexts[index &+ 2] = newHigh.low
    contexts[index &+ 3] = Self.counted(newHigh.high, count)
    return symbol
  }

  /// A group with a counter as its last value, which ends at 32.
  @inline(__always)
  private static func counted(_ group: UInt64, _ count: UInt16) -> UInt64 {
    group & 0xFFFF_FFFF_FFFF | UInt64(count &+ (count &- 32) &>> 15) &<< 48
  }
}

/// Raises the values before a symbol and lowers the others, four at once, and counts.
@inline(__always)
private func adaptedGroup(_ values: UInt64, before symbol: UInt64, baseRate: UInt64) -> UInt64 {
  let count = values &>> 48
  let rate = baseRate &+ count &>> 4
  // The bits of each value that a shift leaves.
  let rest = (0xFFFF &>> rate) &* 0x0001_0001_0001_0001
  let raised = values &+ ((0x8000_8000_8000_8000 &- values) &>> rate) & rest
  let lowered = values &- (values &>> rate) & rest
  let mask = (1 &<< (symbol &* 16)) &- 1
  let adapted = (raised & mask | lowered & ~mask) & 0xFFFF_FFFF_FFFF
  return adapted | (count &+ (count &- 32) &>> 63) &<< (3 &* 16)
}
