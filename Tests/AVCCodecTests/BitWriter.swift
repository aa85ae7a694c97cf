// Bits of headers, and NAL units.

/// Writes bits, most significant first.
struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var freeCount = 0

  mutating func write(_ value: Int, _ count: Int) {
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

  mutating func unsigned(_ value: Int) {
    let width = Int.bitWidth - (value + 1).leadingZeroBitCount
    write(0, width - 1)
    write(value + 1, width)
  }

  mutating func signed(_ value: Int) { unsigned(value > 0 ? 2 * value - 1 : -2 * value) }

  mutating func align() { freeCount = 0 }

  /// The bytes after a stop bit.
  var finished: [UInt8] {
    var writer = self
    writer.write(1, 1)
    return writer.bytes
  }
}

/// A NAL unit after a start code, with emulation prevention.
func nalUnit(_ type: Int, _ payload: [UInt8]) -> [UInt8] {
  [0, 0, 1, UInt8(3 << 5 | type)] + escaped(payload)
}

/// A payload with emulation prevention bytes.
func escaped(_ payload: [UInt8]) -> [UInt8] {
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
