// Fixed-length and variable-length codes of OBU headers (sections 4.10 and 8.1).

internal import ImageCore

/// Reads an OBU bit by bit. Past the end it returns zeros, which ``isExhausted`` records.
struct BitReader: ~Escapable {
  private let bytes: Span<UInt8>
  /// The index of the next bit.
  private(set) var position = 0
  /// Whether bits past the end, or a code that is too long, have been read.
  private(set) var isExhausted = false

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) {
    self.bytes = bytes
  }

  /// The index of the first byte that has not been read in part or in full.
  var alignedIndex: Int { (position + 7) >> 3 }

  /// The next bit.
  @_lifetime(self: copy self)
  mutating func readFlag() -> Bool {
    let index = position >> 3
    guard index < bytes.count else {
      isExhausted = true
      return false
    }
    let bit = bytes[index] >> UInt8(7 - position & 7) & 1
    position += 1
    return bit != 0
  }

  /// f(n): an unsigned number of `count` bits, 0…31.
  @_lifetime(self: copy self)
  mutating func read(_ count: Int) -> Int {
    var value: UInt32 = 0
    for _ in 0..<min(count, 31) { value = value &<< 1 | (readFlag() ? 1 : 0) }
    return Int(value)
  }

  /// Skips `count` bits.
  @_lifetime(self: copy self)
  mutating func skip(_ count: Int) {
    guard count >= 0, count <= bytes.count * 8 - position else {
      isExhausted = true
      position = bytes.count * 8
      return
    }
    position += count
  }

  /// su(n): a signed number of `count` bits in two's complement.
  @_lifetime(self: copy self)
  mutating func readSigned(_ count: Int) -> Int {
    let value = read(count)
    return value >> (count - 1) == 0 ? value : value - 1 << count
  }

  /// ns(n): a number less than `count`, of which the smallest take one bit less.
  @_lifetime(self: copy self)
  mutating func readNonSymmetric(_ count: Int) -> Int {
    guard count > 1 else { return 0 }
    let width = Int.bitWidth - count.leadingZeroBitCount
    let shortCount = 1 << width - count
    let value = read(width - 1)
    guard value >= shortCount else { return value }
    return value << 1 - shortCount + read(1)
  }

  /// uvlc(): a number after as many zeros as it has bits.
  @_lifetime(self: copy self)
  mutating func readUnsigned() -> UInt32 {
    var zeroCount = 0
    while !readFlag() {
      zeroCount += 1
      guard !isExhausted else { return 0 }
    }
    guard zeroCount < 32 else { return .max }
    return UInt32(read(zeroCount)) &+ (1 &<< UInt32(zeroCount) &- 1)
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
