// The writing side of both bitstreams, as the specifications define it.

/// Writes the bits of a VP8L stream, least significant first.
struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var bitCount = 0

  mutating func write(_ value: Int, _ count: Int) {
    for bit in 0..<count {
      if bitCount % 8 == 0 { bytes.append(0) }
      bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(bitCount % 8)
      bitCount += 1
    }
  }

  /// Writes bits of a prefix code, most significant first.
  mutating func writeCode(_ code: (bits: Int, length: Int)) {
    for bit in (0..<code.length).reversed() { write(code.bits >> bit & 1, 1) }
  }

  /// A prefix code of one or two symbols below 256.
  mutating func writeSimpleCode(_ symbols: [Int]) {
    write(1, 1)
    write(symbols.count - 1, 1)
    write(1, 1)
    for symbol in symbols { write(symbol, 8) }
  }

  /// A prefix code of any lengths up to 15, written with a code of 4 bits for each length.
  mutating func writeCode(lengths: [Int]) {
    write(0, 1)
    // Sixteen symbols of four bits each: 0…15, in the order of the specification, which starts with 17, 18.
    write(15, 4)
    for position in 0..<19 { write(position < 2 || position == 8 ? 0 : 4, 3) }
    write(0, 1)
    for length in lengths { writeCode((length, 4)) }
  }
}

/// The canonical codes of an alphabet.
func canonicalCodes(_ lengths: [Int]) -> [(bits: Int, length: Int)] {
  var codes = [(bits: Int, length: Int)](repeating: (0, 0), count: lengths.count)
  var next = 0
  for length in 1...15 {
    for symbol in lengths.indices where lengths[symbol] == length {
      codes[symbol] = (next, length)
      next += 1
    }
    next <<= 1
  }
  return codes
}

/// The boolean entropy encoder of RFC 6386, section 7.3.
struct BoolEncoder {
  private(set) var bytes: [UInt8] = []
  private var range: UInt32 = 255
  private var bottom: UInt32 = 0
  private var bitCount = 24

  mutating func write(_ bit: Bool, _ probability: UInt8) {
    let split = 1 + ((range - 1) * UInt32(probability)) >> 8
    if bit {
      bottom &+= split
      range -= split
    } else {
      range = split
    }
    while range < 128 {
      range <<= 1
      if bottom >> 31 == 1 {
        var index = bytes.count - 1
        while bytes[index] == 255 {
          bytes[index] = 0
          index -= 1
        }
        bytes[index] += 1
      }
      bottom <<= 1
      bitCount -= 1
      if bitCount == 0 {
        bytes.append(UInt8(bottom >> 24))
        bottom &= 0xFF_FFFF
        bitCount = 8
      }
    }
  }

  /// All bits that were written, and what the decoder looks ahead.
  mutating func finish() -> [UInt8] {
    for _ in 0..<32 { write(false, 128) }
    return bytes
  }
}
