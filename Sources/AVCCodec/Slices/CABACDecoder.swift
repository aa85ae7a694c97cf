// The arithmetic decoder (section 9.3.3.2).
//
// The offset in the interval is the top nine bits below the sign bit of a 64-bit word; the bits below are those of the
// stream to come, so that renormalization is a shift. Decisions are made with masks instead of branches: which symbol
// it is cannot be predicted.

internal import VectorLanes

/// Decodes bins of a slice. Past the end it reads zeros, which ``isExhausted`` tells.
struct CABACDecoder {
  /// The place of `codIOffset` in `value`.
  private static let offsetShift: UInt64 = 54

  /// `codIOffset` in bits 54…62, bits of the stream below.
  private var value: UInt64 = 0
  /// `codIRange`.
  private var range: UInt64 = 510
  /// Bits of the stream in `value` below bit 54.
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
    // Only damaged streams exceed the range. All operations keep the offset below it.
    value = min(value, range &<< Self.offsetShift &- 1)
  }

  /// The index of the first byte of which no bit has been read.
  var alignedIndex: Int { min(end, index &- max(0, available) &>> 3) }

  /// Whether more bits were read than there are.
  var isExhausted: Bool { index &- max(0, available) &>> 3 > end }

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
  mutating func decode(_ context: Int, _ models: inout ContextModels, _ bytes: Span<UInt8>) -> Int {
    let model = models.states[context & 1023]
    let place = UInt8(truncatingIfNeeded: UInt64(model & 0x7E) &<< 1 | (range &>> 6) & 3)
    let lessProbable = UInt64(lessProbableIntervals[Int(place)])
    let probable = range &- lessProbable
    let scaled = probable &<< Self.offsetShift
    let difference = value &- scaled
    // All ones for the more probable symbol.
    let mask = UInt64(bitPattern: Int64(bitPattern: difference) &>> 63)
    value = difference &+ scaled & mask
    range = probable ^ ((probable ^ lessProbable) & ~mask)
    let shift = range.leadingZeroBitCount &- 55
    range &<<= UInt64(truncatingIfNeeded: shift)
    value &<<= UInt64(truncatingIfNeeded: shift)
    available &-= shift
    models.states[context & 1023] = nextModels[Int(model & 0x7F | UInt8(truncatingIfNeeded: ~mask & 128))]
    if available < 0 { refill(bytes) }
    return Int((UInt64(model) ^ ~mask) & 1)
  }

  /// The next equiprobable bin.
  @inline(__always)
  mutating func decodeBypass(_ bytes: Span<UInt8>) -> Int {
    if available < 1 { refill(bytes) }
    let half = range &<< (Self.offsetShift &- 1)
    let difference = value &- half
    let mask = UInt64(bitPattern: Int64(bitPattern: difference) &>> 63)
    value = (difference &+ half & mask) &<< 1
    available &-= 1
    return Int(~mask & 1)
  }

  /// The next bin before which a slice or a macroblock may end (section 9.3.3.2.2.3).
  mutating func decodeTerminate(_ bytes: Span<UInt8>) -> Bool {
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
