// The bits of packet headers (ITU-T T.800, B.10.1).

/// Reads bits, most significant first. A byte after 0xFF has seven. Exhausted input reads as zeros and is counted.
package struct PacketBitReader: Sendable {
  /// The offset of the next byte.
  private(set) var position: Int
  private var current: UInt8 = 0
  private var bitCount = 0
  /// Whether bits beyond the end were read.
  package private(set) var isExhausted = false

  package init(at position: Int) {
    self.position = position
  }

  /// Reads a bit.
  mutating func read(_ bytes: Span<UInt8>) -> UInt32 {
    if bitCount == 0 {
      bitCount = current == 0xFF ? 7 : 8
      if position < bytes.count {
        current = bytes[position]
        position += 1
      } else {
        current = 0
        isExhausted = true
      }
    }
    bitCount -= 1
    return UInt32(current >> UInt8(bitCount)) & 1
  }

  /// Reads up to 32 bits.
  mutating func read(_ count: Int, _ bytes: Span<UInt8>) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count { value = value << 1 | read(bytes) }
    return value
  }

  /// Skips the rest of the last byte, and the byte that is stuffed after 0xFF.
  mutating func align(_ bytes: Span<UInt8>) {
    bitCount = 0
    guard current == 0xFF else { return }
    current = 0
    if position < bytes.count { position += 1 } else { isExhausted = true }
  }

  /// Reads a number of coding passes, 1…164 (B.10.6).
  mutating func readPassCount(_ bytes: Span<UInt8>) -> Int {
    if read(bytes) == 0 { return 1 }
    if read(bytes) == 0 { return 2 }
    let two = read(2, bytes)
    if two < 3 { return 3 + Int(two) }
    let five = read(5, bytes)
    if five < 31 { return 6 + Int(five) }
    return 37 + Int(read(7, bytes))
  }
}
