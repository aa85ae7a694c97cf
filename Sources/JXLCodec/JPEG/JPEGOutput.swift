// The bytes of a JPEG file, and the bits of its entropy-coded segments (ITU-T T.81, F.1.2.3).

internal import ImageCoding

/// Appends bytes, and bits with the most significant one first, to memory that is charged before it is used.
struct JPEGOutput: Sendable {
  /// The memory, of which the first ``count`` bytes are used.
  private var bytes: [UInt8] = []
  private var count = 0
  /// The bits that are not stored yet, fewer than eight between two calls; those above are stored.
  private var bits: UInt64 = 0
  private var bitCount = 0

  /// Makes room for bytes.
  mutating func makeRoom(_ byteCount: Int, _ budget: inout ResourceBudget) throws(CodecError) {
    guard byteCount > bytes.count - count else { return }
    let size = max(count + byteCount, bytes.count * 2, 4096)
    try budget.allocate(size)
    try budget.chargeWorkInParts(count: size, unitsEach: 1)
    let old = bytes.count
    var larger: [UInt8] = []
    larger.reserveCapacity(size)
    larger.append(contentsOf: bytes[..<count])
    larger.append(contentsOf: repeatElement(0, count: size - count))
    bytes = larger
    budget.release(old)
  }

  /// Appends a byte, for which there is room.
  mutating func append(_ byte: UInt8) {
    bytes[count] = byte
    count += 1
  }

  /// Makes room for bytes and appends them.
  mutating func append(_ other: [UInt8], _ budget: inout ResourceBudget) throws(CodecError) {
    try makeRoom(other.count, &budget)
    for byte in other { append(byte) }
  }

  /// Appends the low bits of a value, at most 32. Each byte 0xFF is followed by a zero.
  @inline(__always)
  mutating func append(_ value: UInt32, bitCount added: Int) {
    let mask = UInt64(1) &<< UInt64(truncatingIfNeeded: added) &- 1
    bits = bits &<< UInt64(truncatingIfNeeded: added) | UInt64(value) & mask
    bitCount &+= added
    while bitCount >= 8 {
      bitCount &-= 8
      let byte = UInt8(truncatingIfNeeded: bits &>> UInt64(truncatingIfNeeded: bitCount))
      append(byte)
      if byte == 0xFF { append(0) }
    }
  }

  /// Fills the last byte with padding, or with set bits if there is none. Returns whether there is enough of it.
  mutating func align(_ padding: inout JPEGPadding?) -> Bool {
    let missing = (8 - bitCount) & 7
    guard missing > 0 else { return true }
    guard padding != nil else {
      append(0xFF, bitCount: missing)
      return true
    }
    guard let value = padding?.next(missing) else { return false }
    append(value, bitCount: missing)
    return true
  }

  /// Returns the bytes.
  consuming func finish() -> [UInt8] {
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
