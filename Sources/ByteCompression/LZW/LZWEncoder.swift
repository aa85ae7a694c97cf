// LZW encoding: bytes to codes.

/// Writes one LZW stream. The table is cleared whenever it is full.
package struct LZWEncoder {
  /// The number of slots in the hash table: twice the number of codes.
  private static let slotCount = 1 << 13
  private static let emptySlot = UInt32.max

  private let coding: LZWCoding
  private let earlyChange: Int
  /// Maps a string, identified by the code of its prefix and its last byte, to its code: `code << 20 | byte << 12 |
  /// code of the string`.
  private var slots = [UInt32](repeating: emptySlot, count: slotCount)
  private var nextCode: Int
  private var codeWidth: Int
  /// The code of the string being extended; `nil` before the first byte.
  private var current: Int?
  private var bits: UInt64 = 0
  private var bitCount = 0
  private var output: [UInt8] = []

  /// Creates an encoder at the start of a stream.
  package init(_ coding: LZWCoding) {
    self.coding = coding
    earlyChange = coding.hasEarlyChange ? 1 : 0
    nextCode = coding.firstStringCode
    codeWidth = coding.initialCodeWidth
    write(coding.clearCode)
  }

  /// Encodes bytes, each below `1 << literalWidth`.
  package mutating func append(_ bytes: Span<UInt8>) {
    var index = 0
    while index < bytes.count {
      let byte = Int(bytes[index]) & (coding.clearCode - 1)
      index += 1
      guard let prefix = current else {
        current = byte
        continue
      }
      let slot = slot(of: prefix, byte)
      if slots[slot] != Self.emptySlot {
        current = Int(slots[slot] & 0xFFF)
        continue
      }
      write(prefix)
      slots[slot] = UInt32(truncatingIfNeeded: prefix << 20 | byte << 12 | nextCode)
      advance()
      if nextCode == LZWCoding.maximumCodeCount - earlyChange { clear() }
      current = byte
    }
  }

  /// The number of complete bytes that have not been taken.
  package var outputByteCount: Int { output.count }

  /// Returns the complete bytes and removes them, for streams that are passed on while they are written.
  package mutating func takeOutput() -> [UInt8] {
    var taken: [UInt8] = []
    swap(&taken, &output)
    return taken
  }

  /// Ends the stream and returns what has not been taken.
  package mutating func finish() -> [UInt8] {
    if let current {
      write(current)
      // A decoder also adds a string after the last code.
      advance()
    }
    write(coding.endCode)
    if bitCount > 0 { appendByte() }
    return output
  }

  /// The slot of a string, or the empty slot where it would be stored.
  private func slot(of prefix: Int, _ byte: Int) -> Int {
    let key = UInt32(truncatingIfNeeded: prefix << 8 | byte)
    // Multiplying by the golden ratio spreads consecutive keys.
    var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B1) >> 19)
    while slots[slot] != Self.emptySlot, slots[slot] >> 12 != key { slot = (slot + 1) & (Self.slotCount - 1) }
    return slot
  }

  /// Counts a new code. The decoder's table is one code behind, and so are the code widths.
  private mutating func advance() {
    nextCode += 1
    if nextCode - 1 == 1 << codeWidth - earlyChange, codeWidth < LZWCoding.maximumCodeWidth { codeWidth += 1 }
  }

  private mutating func clear() {
    write(coding.clearCode)
    for slot in slots.indices { slots[slot] = Self.emptySlot }
    nextCode = coding.firstStringCode
    codeWidth = coding.initialCodeWidth
  }

  private mutating func write(_ code: Int) {
    if coding.bitOrder == .leastSignificantFirst {
      bits |= UInt64(code) << UInt64(bitCount)
    } else {
      bits |= UInt64(code) << UInt64(64 - codeWidth - bitCount)
    }
    bitCount += codeWidth
    while bitCount >= 8 { appendByte() }
  }

  private mutating func appendByte() {
    if coding.bitOrder == .leastSignificantFirst {
      output.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
    } else {
      output.append(UInt8(truncatingIfNeeded: bits >> 56))
      bits <<= 8
    }
    bitCount -= 8
  }
}
