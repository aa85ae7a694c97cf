// The bits of a VP8L stream, least significant bit first (RFC 9649, section 3.3).

/// Appends fields of up to 32 bits to a byte array.
package struct LosslessBitWriter: Sendable {
  private var bytes: [UInt8]
  private var pending: UInt64 = 0
  private var pendingBitCount: UInt64 = 0

  /// - Parameter bytes: the bytes that precede the stream.
  package init(after bytes: [UInt8] = []) {
    self.bytes = bytes
  }

  /// The number of bytes that the stream has so far, complete or not.
  package var byteCount: Int { bytes.count + Int(truncatingIfNeeded: (pendingBitCount + 7) / 8) }

  /// Makes room for a number of bits. Returns the number of bytes by which the array may grow.
  package mutating func reserve(bitCount: Int) -> Int {
    let needed = bytes.count + bitCount / 8 + 8
    guard needed > bytes.capacity else { return 0 }
    bytes.reserveCapacity(needed)
    return needed - bytes.count
  }

  /// Appends the lowest `bitCount` bits of a value whose other bits are zero.
  @inline(__always)
  package mutating func write(_ value: UInt32, _ bitCount: Int) {
    pending |= UInt64(value) &<< pendingBitCount
    pendingBitCount &+= UInt64(truncatingIfNeeded: bitCount)
    if pendingBitCount >= 32 { storeWord() }
  }

  private mutating func storeWord() {
    bytes.append(UInt8(truncatingIfNeeded: pending))
    bytes.append(UInt8(truncatingIfNeeded: pending &>> 8))
    bytes.append(UInt8(truncatingIfNeeded: pending &>> 16))
    bytes.append(UInt8(truncatingIfNeeded: pending &>> 24))
    pending &>>= 32
    pendingBitCount &-= 32
  }

  /// Returns the bytes, the last one padded with zero bits.
  package consuming func finish() -> [UInt8] {
    while pendingBitCount > 0 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending &>>= 8
      pendingBitCount = pendingBitCount > 8 ? pendingBitCount - 8 : 0
    }
    return bytes
  }
}
