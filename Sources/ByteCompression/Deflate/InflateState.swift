// The place within a DEFLATE stream, of which bits are taken from the least significant end.

/// The bits and bytes that a decompressor has reached.
struct InflateState: Sendable {
  /// Bits read but not consumed. Those beyond `count` are 0.
  var bits: UInt64 = 0
  /// The number of bits read but not consumed. No byte is read before a bit of it is needed.
  var count: UInt64 = 0
  /// The offset of the next byte of the input.
  var position = 0
  /// The number of bytes written.
  var written = 0
  /// The length of a match that is decoded but not copied, or 0.
  var matchLength = 0
  /// The distance of that match.
  var matchDistance = 0

  /// Makes up to 32 bits available. Returns `false` if the input ends before, all of which is then read.
  @inline(__always)
  mutating func require(_ bitCount: UInt64, _ input: Span<UInt8>) -> Bool {
    while count < bitCount {
      guard pull(input) else { return false }
    }
    return true
  }

  /// Reads a byte. Returns `false` at the end of the input.
  @inline(__always)
  mutating func pull(_ input: Span<UInt8>) -> Bool {
    guard position < input.count else { return false }
    bits |= UInt64(input[position]) &<< count
    position &+= 1
    count &+= 8
    return true
  }

  /// Takes up to 32 bits, which must be available.
  @inline(__always)
  mutating func take(_ bitCount: UInt64) -> Int {
    let value = peek(bitCount)
    drop(bitCount)
    return value
  }

  /// Returns up to 31 bits, which must be available.
  @inline(__always)
  func peek(_ bitCount: UInt64) -> Int {
    Int(truncatingIfNeeded: bits & (1 &<< bitCount &- 1))
  }

  /// Consumes bits, which must be available.
  @inline(__always)
  mutating func drop(_ bitCount: UInt64) {
    bits &>>= bitCount
    count &-= bitCount
  }

  /// Consumes the rest of a byte of which bits are consumed.
  mutating func dropPartialByte() { drop(count & 7) }

  /// Takes the next code of a table with all checks, without its extra bits. Returns its entry; `nil` if the input ends
  /// before, all of which is then read.
  ///
  /// Bits that are not read yet are 0. An entry is right if its code is no longer than those that are.
  mutating func takeCode(_ table: Span<UInt32>, indexBits: UInt64, _ input: Span<UInt8>) -> UInt32? {
    while true {
      var entry = table[peek(indexBits)]
      var length = InflateTables.codeBitCount(entry)
      if entry & InflateTables.subtableFlag != 0 {
        let index = Int(entry &>> 16) &+ Int(truncatingIfNeeded: bits &>> indexBits & (1 &<< length &- 1))
        entry = table[index & (table.count &- 1)]
        length = indexBits &+ InflateTables.codeBitCount(entry)
      }
      if length <= count {
        drop(length)
        return entry
      }
      guard pull(input) else { return nil }
    }
  }
}

/// The effect of a call to a decompressor.
enum InflateOutcome: Hashable, Sendable {
  /// All input is consumed, or more room for the output is needed.
  case needsMore
  /// The end of the block, or of the stream, is reached.
  case ended
  /// The data is invalid.
  case damaged(InflateDamage)
}

/// A violation of RFC 1951.
enum InflateDamage: Hashable, Sendable {
  case blockType
  case storedLength
  case codeCounts
  case codeLengthCode
  case lengthRepetition
  case missingEndOfBlock
  case literalCode
  case distanceCode
  case literal
  case distance
  case distanceTooFar

  /// The reason, in zlib's words.
  var reason: String {
    switch self {
    case .blockType: "invalid block type"
    case .storedLength: "invalid stored block lengths"
    case .codeCounts: "too many length or distance symbols"
    case .codeLengthCode: "invalid code lengths set"
    case .lengthRepetition: "invalid bit length repeat"
    case .missingEndOfBlock: "invalid code -- missing end-of-block"
    case .literalCode: "invalid literal/lengths set"
    case .distanceCode: "invalid distances set"
    case .literal: "invalid literal/length code"
    case .distance: "invalid distance code"
    case .distanceTooFar: "invalid distance too far back"
    }
  }
}
