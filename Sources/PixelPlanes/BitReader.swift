// Bits of the headers of coded pictures.

/// Reads the header of a coded picture bit by bit. Past the end it returns zeros, which ``isExhausted`` records.
package struct BitReader: ~Escapable {
  private let bytes: Span<UInt8>
  /// The index of the next bit.
  package private(set) var position = 0
  /// Whether bits past the end, or an invalid code, have been read.
  package var isExhausted = false

  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>) {
    self.bytes = bytes
  }

  /// The number of unread bits.
  package var remainingBitCount: Int { max(0, bytes.count * 8 - position) }
  /// The index of the first byte that has not been read in part or in full.
  package var alignedIndex: Int { (position + 7) >> 3 }

  /// The next bit.
  @_lifetime(self: copy self)
  package mutating func readFlag() -> Bool {
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
  package mutating func read(_ count: Int) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count { value = value &<< 1 | (readFlag() ? 1 : 0) }
    return value
  }

  /// `read` as an index or a size; at most 31 bits.
  @_lifetime(self: copy self)
  package mutating func readInt(_ count: Int) -> Int { Int(read(min(count, 31))) }

  /// Skips `count` bits.
  @_lifetime(self: copy self)
  package mutating func skip(_ count: Int) {
    guard count >= 0, count <= remainingBitCount else {
      isExhausted = true
      position = bytes.count * 8
      return
    }
    position += count
  }
}
