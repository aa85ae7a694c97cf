// The symbol decoder (section 8.2).
//
// `SymbolValue` is a difference between bits of the stream and a sum of interval bounds. The decoder keeps the bits and
// adds the bounds, so that zeros are shifted in. The top 16 bits of a 64-bit word are those compared; the bits of the
// stream to come follow, so that renormalization is a shift.

internal import VectorLanes

/// Decodes the symbols of one tile. Past the end it reads zeros, which ``isExhausted`` records.
struct SymbolDecoder {
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
  init(_ bytes: Span<UInt8>, adapts: Bool) {
    self.adapts = adapts
    refill(bytes)
  }

  /// Whether more bits were read than a valid tile of this many bytes has.
  func isExhausted(byteCount: Int) -> Bool { (index &- byteCount) &* 8 &- available > 14 }

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

  /// Continues with the interval between two bounds.
  @inline(__always)
  private mutating func select(lower: UInt32, upper: UInt32, _ bytes: Span<UInt8>) {
    let range = upper &- lower
    let shift = UInt32(truncatingIfNeeded: range.leadingZeroBitCount) & 31 &- 16
    window = (window &+ UInt64(lower) &<< 48) &<< UInt64(shift)
    self.range = range &<< shift
    available &-= Int(shift)
    if available < 0 { refill(bytes) }
  }

  /// The next bit of equal probabilities.
  @inline(__always)
  mutating func decodeBit(_ bytes: Span<UInt8>) -> Int {
    let bound = (range &>> 8) &<< 7 &+ Self.minimumInterval
    let isOne = value < bound
    select(lower: isOne ? 0 : bound, upper: isOne ? bound : range, bytes)
    return isOne ? 1 : 0
  }

  /// L(n): the next `count` bits of equal probabilities, the first one most significant; at most 31.
  @inline(__always)
  mutating func decodeLiteral(_ count: Int, _ bytes: Span<UInt8>) -> Int {
    var result = 0
    for _ in 0..<count { result = result &<< 1 | decodeBit(bytes) }
    return result
  }

  /// NS(n): a number less than `count`, of which the smallest take one bit less.
  mutating func decodeNonSymmetric(_ count: Int, _ bytes: Span<UInt8>) -> Int {
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
  mutating func decodeFlag(probability: UInt16, _ bytes: Span<UInt8>) -> Bool {
    let bound = bound(probability, followingCount: 1)
    let isSet = value < bound
    select(lower: isSet ? 0 : bound, upper: isSet ? bound : range, bytes)
    return isSet
  }

  /// Decodes a symbol of two, whose distribution is one group.
  @inline(__always)
  mutating func decodeFlag(_ group: Int, _ contexts: inout CDFContexts, _ bytes: Span<UInt8>) -> Bool {
    let index = group & CDFContexts.indexMask
    var values = contexts.groups[index]
    let probability = values.x
    let bound = bound(probability, followingCount: 1)
    let isSet = value < bound
    select(lower: isSet ? 0 : bound, upper: isSet ? bound : range, bytes)
    guard adapts else { return isSet }
    let count = values.w
    let rate = 4 &+ (count &>> 4)
    values.x = isSet ? probability &+ ((32768 &- probability) &>> rate) : probability &- (probability &>> rate)
    values.w = count &+ (count < 32 ? 1 : 0)
    contexts.groups[index] = values
    return isSet
  }

  /// Decodes a symbol of three or four, whose distribution is one group.
  @inline(__always)
  mutating func decodeSymbol4(
    _ group: Int, count symbolCount: UInt32, _ contexts: inout CDFContexts, _ bytes: Span<UInt8>
  ) -> Int {
    let index = group & CDFContexts.indexMask
    var values = contexts.groups[index]
    let first = bound(values.x, followingCount: symbolCount &- 1)
    let second = bound(values.y, followingCount: symbolCount &- 2)
    let third = bound(values.z, followingCount: symbolCount &- 3)
    let value = value
    let isAfterFirst = value < first
    let isAfterSecond = value < second
    let isAfterThird = value < third
    let symbol = (isAfterFirst ? 1 : 0) &+ (isAfterSecond ? 1 : 0) &+ (isAfterThird ? 1 : 0)
    let lower = isAfterThird ? 0 : isAfterSecond ? third : isAfterFirst ? second : first
    let upper = isAfterThird ? third : isAfterSecond ? second : isAfterFirst ? first : range
    select(lower: lower, upper: upper, bytes)
    guard adapts else { return symbol }
    let count = values.w
    let rate = (symbolCount == 4 ? 5 : 4) &+ (count &>> 4)
    let rates = SIMD4<UInt16>(repeating: rate)
    let isBefore = SIMD4<UInt16>(0, 1, 2, 3) .< SIMD4(repeating: UInt16(truncatingIfNeeded: symbol))
    let raised = values &+ ((SIMD4(repeating: 32768) &- values) &>> rates)
    values = (values &- (values &>> rates)).replacing(with: raised, where: isBefore)
    values.w = count &+ (count < 32 ? 1 : 0)
    contexts.groups[index] = values
    return symbol
  }

  /// Decodes a symbol of two to eight, whose distribution is two groups.
  @inline(__always)
  mutating func decodeSymbol8(
    _ group: Int, count symbolCount: Int, _ contexts: inout CDFContexts, _ bytes: Span<UInt8>
  ) -> Int {
    let index = min(group & CDFContexts.indexMask, CDFContexts.indexMask &- 1)
    let next = index &+ 1
    let values = SIMD8(lowHalf: contexts.groups[index], highHalf: contexts.groups[next])
    let bounds = bounds(values, symbolCount: symbolCount, first: 0)
    let symbol = indexOfFirstBound(bounds, SIMD8(repeating: 0), notAbove: value)
    let lower = bounds[symbol & 7]
    let upper = symbol == 0 ? range : UInt32(bounds[(symbol &- 1) & 7])
    select(lower: UInt32(lower), upper: upper, bytes)
    guard adapts else { return symbol }
    var adapted = Self.adapt(
      values, rate: (symbolCount < 4 ? 4 : 5) &+ (values[7] &>> 4), before: symbol, first: 0)
    adapted[7] = values[7] &+ (values[7] < 32 ? 1 : 0)
    contexts.groups[index] = adapted.lowHalf
    contexts.groups[next] = adapted.highHalf
    return symbol
  }

  /// Decodes a symbol of five to sixteen, whose distribution is four groups.
  mutating func decodeSymbol16(
    _ group: Int, count symbolCount: Int, _ contexts: inout CDFContexts, _ bytes: Span<UInt8>
  ) -> Int {
    let index = min(group & CDFContexts.indexMask, CDFContexts.indexMask &- 3)
    let low = SIMD8(lowHalf: contexts.groups[index], highHalf: contexts.groups[index &+ 1])
    let high = SIMD8(lowHalf: contexts.groups[index &+ 2], highHalf: contexts.groups[index &+ 3])
    let lowBounds = bounds(low, symbolCount: symbolCount, first: 0)
    let highBounds = bounds(high, symbolCount: symbolCount, first: 8)
    let symbol = indexOfFirstBound(lowBounds, highBounds, notAbove: value)
    let all = SIMD16(lowHalf: lowBounds, highHalf: highBounds)
    let upper = symbol == 0 ? range : UInt32(all[(symbol &- 1) & 15])
    select(lower: UInt32(all[symbol & 15]), upper: upper, bytes)
    guard adapts else { return symbol }
    let count = high[7]
    let rate = 5 &+ (count &>> 4)
    let newLow = Self.adapt(low, rate: rate, before: symbol, first: 0)
    var newHigh = Self.adapt(high, rate: rate, before: symbol, first: 8)
    newHigh[7] = count &+ (count < 32 ? 1 : 0)
    contexts.groups[index] = newLow.lowHalf
    contexts.groups[index &+ 1] = newLow.highHalf
    contexts.groups[index &+ 2] = newHigh.lowHalf
    contexts.groups[index &+ 3] = newHigh.highHalf
    return symbol
  }

  /// The bounds of the intervals of eight symbols. That of the last symbol is 0, as are those of lanes that follow it.
  @inline(__always)
  private func bounds(_ values: SIMD8<UInt16>, symbolCount: Int, first: Int) -> SIMD8<UInt16> {
    let steps = SIMD8<UInt16>(0, 1, 2, 3, 4, 5, 6, 7)
    let last = SIMD8<UInt16>(repeating: UInt16(truncatingIfNeeded: max(0, symbolCount &- 1 &- first)))
    let minimum = subtractSaturating(last, steps) &<< 2
    let isPresent = steps .< last
    let scaled = multiplyHighUnsigned(
      (values & 0xFFC0) &<< 1, SIMD8(repeating: UInt16(truncatingIfNeeded: range & 0xFF00)))
    return (scaled &+ minimum).replacing(with: 0, where: .!isPresent)
  }

  @inline(__always)
  private static func adapt(
    _ values: SIMD8<UInt16>, rate: UInt16, before symbol: Int, first: Int
  ) -> SIMD8<UInt16> {
    let rates = SIMD8<UInt16>(repeating: rate)
    let steps = SIMD8<UInt16>(0, 1, 2, 3, 4, 5, 6, 7) &+ UInt16(truncatingIfNeeded: first)
    let raised = values &+ ((SIMD8(repeating: 32768) &- values) &>> rates)
    let lowered = values &- (values &>> rates)
    return lowered.replacing(with: raised, where: steps .< SIMD8(repeating: UInt16(truncatingIfNeeded: symbol)))
  }
}
