// Variable-length codes of OBU headers (section 4.10).

internal import PixelPlanes

extension BitReader {
  /// su(n): a signed number of `count` bits in two's complement.
  @_lifetime(self: copy self)
  mutating func readSigned(_ count: Int) -> Int {
    let value = readInt(count)
    return value >> (count - 1) == 0 ? value : value - 1 << count
  }

  /// ns(n): a number less than `count`, of which the smallest take one bit less.
  @_lifetime(self: copy self)
  mutating func readNonSymmetric(_ count: Int) -> Int {
    guard count > 1 else { return 0 }
    let width = Int.bitWidth - count.leadingZeroBitCount
    let shortCount = 1 << width - count
    let value = readInt(width - 1)
    guard value >= shortCount else { return value }
    return value << 1 - shortCount + readInt(1)
  }

  /// uvlc(): a number after as many zeros as it has bits. The largest one after 32 zeros, which are not followed by
  /// digits.
  @_lifetime(self: copy self)
  mutating func readUnsigned() -> UInt32 {
    var zeroCount = 0
    while !readFlag() {
      zeroCount += 1
      guard !isExhausted, zeroCount < 32 else { return .max }
    }
    return read(zeroCount) &+ (1 &<< UInt32(zeroCount) &- 1)
  }
}

/// Reads leb128(): seven bits of each byte, the lowest first.
///
/// - Parameter position: the index of the first byte, then that after the last one.
/// - Returns: `nil` if the code does not end in eight bytes, or before `end`, or exceeds 32 bits.
func readLEB128(_ bytes: Span<UInt8>, at position: inout Int, end: Int) -> UInt32? {
  var value: UInt64 = 0
  for count in 0..<8 {
    guard position < end else { return nil }
    let byte = bytes[position]
    position += 1
    value |= UInt64(byte & 0x7F) << UInt64(count * 7)
    if byte & 0x80 == 0 { return UInt32(exactly: value) }
  }
  return nil
}
