// Bits of the headers of H.264 and H.265, and the payloads of NAL units.

/// Writes bits, most significant first.
package struct BitWriter {
  package private(set) var bytes: [UInt8] = []
  private var freeCount = 0

  /// The number of bits written, including those that align.
  package var bitCount: Int { bytes.count * 8 - freeCount }

  /// Creates a writer of no bits.
  package init() {}

  package mutating func write(_ value: Int, _ count: Int) {
    if freeCount == 0, count == 8 {
      bytes.append(UInt8(truncatingIfNeeded: value))
      return
    }
    for bit in (0..<count).reversed() {
      if freeCount == 0 {
        bytes.append(0)
        freeCount = 8
      }
      freeCount -= 1
      bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(freeCount)
    }
  }

  package mutating func unsigned(_ value: Int) {
    let width = Int.bitWidth - (value + 1).leadingZeroBitCount
    write(0, width - 1)
    write(value + 1, width)
  }

  package mutating func signed(_ value: Int) { unsigned(value > 0 ? 2 * value - 1 : -2 * value) }

  package mutating func align() { freeCount = 0 }

  /// The bytes after a stop bit.
  package var finished: [UInt8] {
    var writer = self
    writer.write(1, 1)
    return writer.bytes
  }
}

/// A payload with emulation prevention bytes.
package func escaped(_ payload: [UInt8]) -> [UInt8] {
  var bytes: [UInt8] = []
  var zeroCount = 0
  for byte in payload {
    if zeroCount >= 2, byte <= 3 {
      bytes.append(3)
      zeroCount = 0
    }
    bytes.append(byte)
    zeroCount = byte == 0 ? zeroCount + 1 : 0
  }
  return bytes
}
