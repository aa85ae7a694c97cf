// What an LZW decoder knows between two codes.

/// The string that a code stands for.
struct LZWEntry: Sendable {
  /// Its first eight bytes, the first one lowest; zeros behind its end.
  var prefix: UInt64 = 0
  /// Where it stands in the output; unused for literals.
  var offset: UInt32 = 0
  /// Its length. Codes that stand for no string have one that fits no output.
  var length: UInt32 = .max

  /// No string.
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

  /// This string and one more byte, which stands behind it.
  @inline(__always)
  func appending(_ byte: UInt64) -> LZWEntry {
    // A shift by 64 or more gives zero: the prefix is full.
    LZWEntry(prefix: prefix | byte << UInt64(length &<< 3), offset: offset, length: length &+ 1)
  }

  /// The first byte.
  @inline(__always)
  var firstByte: UInt64 { prefix & 0xFF }
}

/// Bits read ahead, the width of codes, the next free code and the string before.
struct LZWState: Sendable {
  /// Bits that were read and not used; at the low end for the least significant first, else at the high end.
  var bits: UInt64 = 0
  var bitCount = 0
  private(set) var codeWidth: Int
  /// The next free code; 4096 when the table is full.
  private(set) var nextCode: Int
  /// 1 while the table has room, else 0.
  private var step = 1
  /// ``nextCode`` at which codes become wider or the table is full.
  private var limit: Int
  /// 1 for early change, else 0.
  private let earlyChange: Int
  /// The string before, where it was written last.
  var previous = LZWEntry()
  /// Whether there is a string before: not at the start, nor behind a clear code.
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

  /// Counts the code that was added. In a full table there is one entry behind the last code that takes every string.
  @inline(__always)
  mutating func advance() {
    nextCode &+= step
    if nextCode == limit { reachLimit() }
  }

  /// Counts the first code of a table, which adds no string. With literals of one bit it uses up the first width.
  mutating func advancePastFirstCode() {
    if nextCode >= limit { reachLimit() }
  }

  /// Whether ``advance()`` keeps ``nextCode`` within the table.
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

  /// Forgets bits that were read beyond the counted ones; they will be read again.
  mutating func dropBitsReadAhead(isLowFirst: Bool) {
    let counted = UInt64(bitCount)
    bits &= isLowFirst ? 1 &<< counted &- 1 : ~(.max &>> counted)
  }

  /// The next code, byte by byte; `nil` when the input ends before.
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
