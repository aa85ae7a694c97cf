// The arithmetic decoder (section 9.3.3.2).

internal import VectorLanes

/// Decodes bins of a slice. Past the end it reads zeros, which ``isExhausted`` tells.
struct CABACDecoder {
  /// `codIRange`.
  private var range: UInt64 = 510
  /// `codIOffset`, followed by `available` bits of the stream. It is less than the range at the same scale.
  private var value: UInt64 = 0
  private var available = -9
  /// The index of the next byte to load.
  private var index = 0
  /// The index after the last byte.
  let end: Int

  /// A decoder that must be restarted before use.
  init(end: Int) { self.end = end }

  /// Starts at a byte (section 9.3.1.2).
  mutating func restart(at index: Int, _ bytes: Span<UInt8>) {
    self.index = min(index, end)
    (value, range, available) = (0, 510, -9)
    refill(bytes)
    // Only damaged streams exceed the range.
    value = min(value, range &<< shift(available) &- 1)
  }

  /// The index of the first byte of which no bit has been read.
  var alignedIndex: Int { min(end, index &- available &>> 3) }

  /// Whether more bits were read than there are.
  var isExhausted: Bool { index &- available &>> 3 > end }

  @inline(__always)
  private func shift(_ count: Int) -> UInt64 { UInt64(truncatingIfNeeded: count) }

  @inline(__always)
  private mutating func refill(_ bytes: Span<UInt8>) {
    // Zeros follow the last whole word.
    let word = index <= bytes.count &- 8 ? loadBigEndian64(bytes, at: index) : 0
    value = value &<< UInt64(40) | word &>> UInt64(24)
    index &+= 5
    available &+= 40
  }

  /// The next bin of a context model.
  @inline(__always)
  mutating func decode(_ context: Int, _ models: inout ContextModels, _ bytes: Span<UInt8>) -> Int {
    let model = models.states[context & 1023]
    let state = Int(model &>> 1)
    let lessProbable = UInt64(
      lessProbableIntervals[(state &<< 2 | Int(truncatingIfNeeded: range &>> 6) & 3) & 255])
    let probable = range &- lessProbable
    let scaled = probable &<< shift(available)
    let symbol: Int
    if value < scaled {
      symbol = Int(model & 1)
      range = probable
      if state < 62 { models.states[context & 1023] = model &+ 2 }
    } else {
      symbol = Int(model & 1) ^ 1
      value &-= scaled
      range = lessProbable
      models.states[context & 1023] =
        statesAfterLessProbable[state & 63] &<< 1 | (state == 0 ? UInt8(symbol) : model & 1)
    }
    renormalize(bytes)
    return symbol
  }

  @inline(__always)
  private mutating func renormalize(_ bytes: Span<UInt8>) {
    let count = range.leadingZeroBitCount &- 55
    range &<<= shift(count)
    available &-= count
    if available < 1 { refill(bytes) }
  }

  /// The next equiprobable bin.
  @inline(__always)
  mutating func decodeBypass(_ bytes: Span<UInt8>) -> Int {
    available &-= 1
    let scaled = range &<< shift(available)
    let isSet = value >= scaled
    if isSet { value &-= scaled }
    if available < 1 { refill(bytes) }
    return isSet ? 1 : 0
  }

  /// The next bin before which a slice or a macroblock may end (section 9.3.3.2.2.3).
  mutating func decodeTerminate(_ bytes: Span<UInt8>) -> Bool {
    range &-= 2
    if value >= range &<< shift(available) { return true }
    renormalize(bytes)
    return false
  }

  /// An Exp-Golomb code of order 0 of equiprobable bins, the suffix of a level. Levels have less than 24 bits: longer
  /// codes are damage, and any value will do.
  mutating func decodeExpGolomb(_ bytes: Span<UInt8>) -> Int {
    var order = 0
    while order < 24, decodeBypass(bytes) == 1 { order &+= 1 }
    var value = 1 &<< order &- 1
    while order > 0 {
      order &-= 1
      value &+= decodeBypass(bytes) &<< order
    }
    return value
  }
}
