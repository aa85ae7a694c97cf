// The state of an LZW decoder between two codes.

/// The string that a code represents.
struct LZWEntry: Sendable {
  /// The first eight bytes, the first one lowest; zeros after the end of the string.
  var prefix: UInt64 = 0
  /// The string's offset in the output; unused for literals.
  var offset: UInt32 = 0
  /// The string's length. Codes without a string have a length that fits no output.
  var length: UInt32 = .max

  /// An entry without a string.
  init() {}

  init(literal: UInt8) {
    prefix = UInt64(literal)
    length = 1
  }

  @inline(__always)
  init(prefix: UInt64, offset: UInt32, length: UInt32) {
    self.prefix = prefix
    self.offset = offset
    self.length = length
  }

  /// The string extended by the byte that follows it in the output.
  @inline(__always)
  func appending(_ byte: UInt64) -> LZWEntry {
    // A shift by 64 or more yields zero: the prefix is full.
    LZWEntry(prefix: prefix | byte << UInt64(length &<< 3), offset: offset, length: length &+ 1)
  }

  /// The first byte.
  @inline(__always)
  var firstByte: UInt64 { prefix & 0xFF }
}

/// Bits read ahead, the code width, the next free code and the previous string.
struct LZWState: Sendable {
  /// Bits read but not consumed: at the low end if the least significant bit comes first, otherwise at the high end.
  var bits: UInt64 = 0
  var bitCount = 0
  private(set) var codeWidth: Int
  /// The next free code; 4096 when the table is full.
  private(set) var nextCode: Int
  /// 1 while the table has room, else 0.
  private var step = 1
  /// The value of ``nextCode`` at which the code width increases or the table is full.
  private var limit: Int
  /// 1 for early change, else 0.
  private let earlyChange: Int
  /// The previous string, at its most recent position in the output.
  var previous = LZWEntry()
  /// Whether there is a previous string: not at the start, nor after a clear code.
  var hasPrevious = false

  init(_ coding: LZWCoding) {
    codeWidth = coding.initialCodeWidth
    nextCode = coding.firstStringCode
    earlyChange = coding.hasEarlyChange ? 1 : 0
    limit = 0
    limit = limit(ofWidth: codeWidth)
  }

  /// Forgets all strings.
  mutating func clear(_ coding: LZWCoding) {
    codeWidth = coding.initialCodeWidth
    nextCode = coding.firstStringCode
    step = 1
    limit = limit(ofWidth: codeWidth)
    hasPrevious = false
  }

  private func limit(ofWidth width: Int) -> Int {
    width == LZWCoding.maximumCodeWidth ? LZWCoding.maximumCodeCount : 1 << width - earlyChange
  }

  /// Counts the code that was added. In a full table, a spare entry after the last code absorbs every new string.
  @inline(__always)
  mutating func advance() {
    nextCode &+= step
    if nextCode == limit { reachLimit() }
  }

  /// Counts the first code after a clear, which adds no string. With literals of one bit this exhausts the first code
  /// width.
  mutating func advancePastFirstCode() {
    if nextCode >= limit { reachLimit() }
  }

  /// Whether ``advance()`` is guaranteed to keep ``nextCode`` within the table.
  var isSound: Bool {
    step == 0
      ? nextCode == LZWCoding.maximumCodeCount
      : step == 1 && nextCode < limit && limit <= LZWCoding.maximumCodeCount
        && codeWidth <= LZWCoding.maximumCodeWidth
  }

  @inline(never)
  private mutating func reachLimit() {
    if codeWidth == LZWCoding.maximumCodeWidth {
      step = 0
      limit = .max
    } else {
      codeWidth += 1
      limit = limit(ofWidth: codeWidth)
    }
  }

  /// Discards bits read beyond the counted ones; they will be read again.
  mutating func dropBitsReadAhead(isLowFirst: Bool) {
    let counted = UInt64(bitCount)
    bits &= isLowFirst ? 1 &<< counted &- 1 : ~(.max &>> counted)
  }

  /// Reads the next code byte by byte; `nil` if the input ends first.
  mutating func readCode(_ input: Span<UInt8>, _ position: inout Int, bitOrder: LZWCoding.BitOrder) -> Int? {
    while bitCount < codeWidth {
      guard position < input.count else { return nil }
      let byte = UInt64(input[position])
      position += 1
      bits |= bitOrder == .leastSignificantFirst ? byte &<< UInt64(bitCount) : byte &<< UInt64(56 - bitCount)
      bitCount += 8
    }
    let code: UInt64
    if bitOrder == .leastSignificantFirst {
      code = bits & (1 &<< UInt64(codeWidth) &- 1)
      bits &>>= UInt64(codeWidth)
    } else {
      code = bits &>> UInt64(64 - codeWidth)
      bits &<<= UInt64(codeWidth)
    }
    bitCount -= codeWidth
    return Int(code)
  }
}
