// Lengths and distances as a prefix symbol and extra bits (RFC 9649, section 3.6.2.2).

/// A length or distance code of at least 1, split into the symbol that is entropy-coded and the bits that are not.
package struct PrefixValue: Hashable, Sendable {
  package let symbol: Int
  package let extraBitCount: Int
  package let extraBits: UInt32

  /// - Parameter value: at least 1.
  @inline(__always)
  package init(_ value: Int) {
    let value = UInt32(truncatingIfNeeded: value &- 1)
    guard value >= 4 else {
      (symbol, extraBitCount, extraBits) = (Int(value), 0, 0)
      return
    }
    let highestBit = 31 &- value.leadingZeroBitCount
    extraBitCount = highestBit &- 1
    let shift = UInt32(truncatingIfNeeded: extraBitCount)
    symbol = 2 &* highestBit &+ Int((value &>> shift) & 1)
    extraBits = value & ((1 &<< shift) &- 1)
  }

  /// The number of extra bits of a symbol.
  @inline(__always)
  static func extraBitCount(of symbol: Int) -> Int { max(0, (symbol &- 2) &>> 1) }
}
