// Fixed-length and Exp-Golomb codes of headers and parameter sets (sections 7.2 and 9.2).

internal import ImageCore

/// Reads a raw byte sequence payload bit by bit. Past the end it returns zeros, which ``isExhausted`` records.
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

  /// The number of unread bits.
  var remainingBitCount: Int { max(0, bytes.count * 8 - position) }

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

  /// An unsigned number of `count` bits, 0…32.
  @_lifetime(self: copy self)
  mutating func read(_ count: Int) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count { value = value &<< 1 | (readFlag() ? 1 : 0) }
    return value
  }

  /// `read` as an index or a size; at most 31 bits.
  @_lifetime(self: copy self)
  mutating func readInt(_ count: Int) -> Int { Int(read(min(count, 31))) }

  /// Skips `count` bits.
  @_lifetime(self: copy self)
  mutating func skip(_ count: Int) {
    guard count >= 0, count <= remainingBitCount else {
      isExhausted = true
      position = bytes.count * 8
      return
    }
    position += count
  }

  /// ue(v). Codes of more than 31 leading zeros are exhaustion.
  @_lifetime(self: copy self)
  mutating func readUnsigned() -> UInt32 {
    var zeroCount = 0
    while !readFlag() {
      zeroCount += 1
      guard zeroCount < 32, !isExhausted else {
        isExhausted = true
        return 0
      }
    }
    return (1 &<< UInt32(zeroCount)) &- 1 &+ read(zeroCount)
  }

  /// se(v).
  @_lifetime(self: copy self)
  mutating func readSigned() -> Int32 {
    let code = readUnsigned()
    let magnitude = Int32(truncatingIfNeeded: (code &>> 1) &+ (code & 1))
    return code & 1 == 1 ? magnitude : 0 &- magnitude
  }

  /// ue(v) within a range.
  ///
  /// - Parameter name: the syntax element, for the error.
  /// - Throws: ``CodecError/Kind/malformed``.
  @_lifetime(self: copy self)
  mutating func readUnsigned(in range: ClosedRange<Int>, _ name: StaticString) throws(CodecError) -> Int {
    let value = readUnsigned()
    guard !isExhausted else { throw CodecError(.malformed, "the parameters end before \(name)") }
    guard Int64(value) >= Int64(range.lowerBound), Int64(value) <= Int64(range.upperBound) else {
      throw CodecError(.malformed, "\(name) is \(value)")
    }
    return Int(value)
  }

  /// se(v) within a range.
  ///
  /// - Parameter name: the syntax element, for the error.
  /// - Throws: ``CodecError/Kind/malformed``.
  @_lifetime(self: copy self)
  mutating func readSigned(in range: ClosedRange<Int>, _ name: StaticString) throws(CodecError) -> Int {
    let value = readSigned()
    guard !isExhausted else { throw CodecError(.malformed, "the parameters end before \(name)") }
    guard range.contains(Int(value)) else { throw CodecError(.malformed, "\(name) is \(value)") }
    return Int(value)
  }
}
