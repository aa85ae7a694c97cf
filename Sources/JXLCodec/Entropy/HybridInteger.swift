// Integers as a token and additional bits (ISO/IEC 18181-1, C.2.3).

internal import ImageCoding

/// `HybridUintConfig`: how the tokens of a cluster represent integers.
struct HybridInteger: Hashable, Sendable {
  /// Tokens below 2 to this power are the values.
  let splitExponent: UInt8
  /// The numbers of bits after the leading one, and of the lowest bits, that the token contains.
  let highBitCount: UInt8
  let lowBitCount: UInt8

  init(splitExponent: UInt8, highBitCount: UInt8, lowBitCount: UInt8) {
    self.splitExponent = splitExponent
    self.highBitCount = highBitCount
    self.lowBitCount = lowBitCount
  }

  init(parsing bits: inout BitReader, logAlphabetSize: Int) throws(CodecError) {
    func bitCount(_ maximum: Int) -> Int { Int.bitWidth - maximum.leadingZeroBitCount }
    let split = try bits.readInt(bitCount(logAlphabetSize))
    guard split <= logAlphabetSize else { throw bits.error(.malformed, "the split exponent of integers is \(split)") }
    var (high, low) = (0, 0)
    if split != logAlphabetSize {
      high = try bits.readInt(bitCount(split))
      guard high <= split else { throw bits.error(.malformed, "a token has \(high) high bits of \(split)") }
      low = try bits.readInt(bitCount(split - high))
      guard high + low <= split else { throw bits.error(.malformed, "a token has \(high + low) bits of \(split)") }
    }
    self.init(
      splitExponent: UInt8(split), highBitCount: UInt8(high), lowBitCount: UInt8(low))
  }

  /// Returns the integer of a token, consuming at most 31 loaded bits. Numbers that are too large are truncated.
  @inline(__always)
  @_lifetime(bits: copy bits)
  func value(_ token: UInt32, _ bits: inout BitReader) -> UInt32 {
    let split = UInt32(splitExponent)
    if token < 1 &<< split { return token }
    let (high, low) = (UInt32(highBitCount), UInt32(lowBitCount))
    let count = (split &- high &- low &+ ((token &- 1 &<< split) &>> (high &+ low))) & 31
    let lowBits = token & (1 &<< low &- 1)
    let headBits = ((token &>> low) & (1 &<< high &- 1)) | 1 &<< high
    let extra = bits.takeLoaded(Int(truncatingIfNeeded: count))
    return ((headBits &<< count) | extra) &<< low | lowBits
  }
}
