// What an LZW decoder knows between two codes.

/// The string that a code stands for.
struct LZWEntry: Sendable {
  /// Its first eight bytes, the first one lowest; zeros behind its end.
  var prefix: UInt64 = 0
  /// Where it stands in the output; unused for literals.
  var offset: UInt32 = 0
  /// Its length; 0 for a code that stands for no string.
  var length: UInt32 = 0

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

  /// The first byte.
  @inline(__always)
  var firstByte: UInt64 { prefix & 0xFF }

  /// A prefix of `length` bytes with one more behind it, if that still is among the first eight.
  @inline(__always)
  static func appending(_ byte: UInt64, to prefix: UInt64, length: UInt32) -> UInt64 {
    // A shift by 64 or more gives zero.
    prefix | (length < 8 ? byte &<< UInt64(length &* 8) : 0)
  }
}

/// Bits read ahead, the width of codes, the next free code and the string before.
struct LZWState: Sendable {
  /// Bits that were read and not used; at the low end for the least significant first, else at the high end.
  var bits: UInt64 = 0
  var bitCount = 0
  var codeWidth: Int
  /// The next free code; 4096 when the table is full.
  var nextCode: Int
  /// ``nextCode`` at which codes become wider.
  var widthLimit: Int
  /// 1 for early change, else 0.
  private let earlyChange: Int
  /// The string before: 0 bytes long at the start and after a clear code.
  var previousPrefix: UInt64 = 0
  var previousOffset: UInt32 = 0
  var previousLength: UInt32 = 0

  init(_ coding: LZWCoding) {
    codeWidth = coding.initialCodeWidth
    nextCode = coding.firstStringCode
    earlyChange = coding.hasEarlyChange ? 1 : 0
    widthLimit = 1 << codeWidth - earlyChange
  }

  /// Forgets all strings.
  mutating func clear(_ coding: LZWCoding) {
    codeWidth = coding.initialCodeWidth
    nextCode = coding.firstStringCode
    widthLimit = 1 << codeWidth - earlyChange
    previousLength = 0
  }

  /// The entry of ``nextCode`` if the next string starts with the same byte as the one before, which is so where it is
  /// that very entry.
  @inline(__always)
  var pendingEntry: LZWEntry {
    LZWEntry(
      prefix: LZWEntry.appending(previousPrefix & 0xFF, to: previousPrefix, length: previousLength),
      offset: previousOffset, length: previousLength &+ 1)
  }

  /// Sets the entry of ``nextCode``: the string before and the first byte of this one.
  @inline(__always)
  mutating func addString(endingWith entry: LZWEntry, to table: inout MutableSpan<LZWEntry>) {
    table[nextCode] = LZWEntry(
      prefix: LZWEntry.appending(entry.firstByte, to: previousPrefix, length: previousLength),
      offset: previousOffset, length: previousLength &+ 1)
    advance()
  }

  /// Counts the code that was added.
  @inline(__always)
  mutating func advance() {
    guard nextCode < LZWCoding.maximumCodeCount else { return }
    nextCode &+= 1
    if nextCode == widthLimit, codeWidth < LZWCoding.maximumCodeWidth {
      codeWidth &+= 1
      widthLimit = (1 &<< codeWidth) &- earlyChange
    }
  }

  @inline(__always)
  mutating func setPrevious(_ entry: LZWEntry, at offset: Int) {
    previousPrefix = entry.prefix
    previousOffset = UInt32(truncatingIfNeeded: offset)
    previousLength = entry.length
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
