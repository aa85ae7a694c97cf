// The boolean entropy encoder (RFC 6386, section 7).

/// Encodes booleans into a partition.
package struct BoolEncoder: Sendable {
  private var bytes: [UInt8] = []
  /// The size of the interval minus 1.
  private var range: Int32 = 254
  private var value: Int32 = 0
  /// The number of bits of the value that are complete, minus 8.
  private var bitCount: Int32 = -8
  /// The number of bytes of 255 that a carry would still change.
  private var pendingByteCount = 0

  package init() {}

  /// The number of bytes so far, without the interval's bits.
  package var byteCount: Int { bytes.count + pendingByteCount }

  /// Appends a boolean.
  ///
  /// - Parameter probability: the probability of `false`, in units of 1/256.
  @inline(__always)
  package mutating func write(_ bit: Bool, _ probability: UInt8) {
    let split = (range &* Int32(probability)) &>> 8
    if bit {
      value &+= split &+ 1
      range &-= split &+ 1
    } else {
      range = split
    }
    guard range < 127 else { return }
    // As many bits as bring the range back to at least 127.
    let shift = Int32(truncatingIfNeeded: (range &+ 1).leadingZeroBitCount &- 24)
    range = ((range &+ 1) &<< shift) &- 1
    value &<<= shift
    bitCount &+= shift
    if bitCount > 0 { storeByte() }
  }

  private mutating func storeByte() {
    let shift = 8 &+ bitCount
    let bits = value &>> shift
    value &-= bits &<< shift
    bitCount &-= 8
    if bits & 0xFF == 0xFF {
      pendingByteCount &+= 1
      return
    }
    let hasCarry = bits & 0x100 != 0
    if hasCarry, !bytes.isEmpty { bytes[bytes.count &- 1] &+= 1 }
    while pendingByteCount > 0 {
      bytes.append(hasCarry ? 0 : 0xFF)
      pendingByteCount &-= 1
    }
    bytes.append(UInt8(truncatingIfNeeded: bits))
  }

  /// Appends a boolean without a preference.
  @inline(__always)
  package mutating func writeFlag(_ bit: Bool) { write(bit, 128) }

  /// Appends the lowest `bitCount` bits of a value, the highest of them first.
  package mutating func writeLiteral(_ value: Int, bitCount: Int) {
    for bit in (0..<bitCount).reversed() { writeFlag(value >> bit & 1 == 1) }
  }

  /// Appends a flag and, unless the value is zero, its magnitude and its sign.
  package mutating func writeOptionalSigned(_ value: Int, bitCount: Int) {
    writeFlag(value != 0)
    guard value != 0 else { return }
    writeLiteral(abs(value), bitCount: bitCount)
    writeFlag(value < 0)
  }

  /// Returns the partition.
  package consuming func finish() -> [UInt8] {
    writeLiteral(0, bitCount: 9 - Int(bitCount))
    bitCount = 0
    storeByte()
    // A carry can no longer come.
    for _ in 0..<pendingByteCount { bytes.append(0xFF) }
    return bytes
  }
}
