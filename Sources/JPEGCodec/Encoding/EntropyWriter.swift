// Writes bits to bytes, most significant bit first, with a zero byte stuffed after every 0xFF. ITU-T T.81, section
// F.1.2.3.

internal import VectorLanes

/// The state of a bit writer. The bytes are in an array owned by the caller, so that a copy of the state stays in
/// registers.
struct EntropyWriter {
  /// The bits not stored yet, in the low ``used`` bits; the bits above have been stored.
  private var bits: UInt64 = 0
  private var free = 64
  /// The index of the next byte.
  var position: Int

  /// The maximum number of bytes for a block of coefficients: 64 codes of 16 bits with 11 extra bits each, every byte
  /// stuffed.
  static let maximumBlockByteCount = 512

  /// Creates a writer whose first byte is at `position`.
  init(position: Int) {
    self.position = position
  }

  /// Appends the low `count` bits of a value, at most 32; all other bits must be 0.
  @inline(__always)
  mutating func append(_ value: UInt64, count: Int, _ output: inout MutableSpan<UInt8>) {
    free &-= count
    if free < 0 {
      let full =
        (bits &<< UInt64(truncatingIfNeeded: count &+ free)) | (value &>> UInt64(truncatingIfNeeded: 0 &- free))
      store(full, &output)
      free &+= 64
      bits = value
    } else {
      bits = (bits &<< UInt64(truncatingIfNeeded: count)) | value
    }
  }

  @inline(__always)
  private mutating func store(_ value: UInt64, _ output: inout MutableSpan<UInt8>) {
    // Whether a byte is 0xFF: its complement is 0.
    if ((~value &- 0x0101_0101_0101_0101) & value & 0x8080_8080_8080_8080) == 0 {
      storeBigEndian64(value, into: &output, at: position)
      position &+= 8
    } else {
      position = Self.storeStuffed(value, byteCount: 8, at: position, &output)
    }
  }

  /// Stores bytes individually and returns the index of the next. Static, so that the state can stay in registers.
  @inline(never)
  private static func storeStuffed(
    _ value: UInt64, byteCount: Int, at start: Int, _ output: inout MutableSpan<UInt8>
  ) -> Int {
    var position = start
    var shift = UInt64(truncatingIfNeeded: byteCount &* 8)
    while shift > 0 {
      shift &-= 8
      let byte = UInt8(truncatingIfNeeded: value &>> shift)
      output[position] = byte
      position &+= 1
      if byte == 0xFF {
        output[position] = 0
        position &+= 1
      }
    }
    return position
  }

  /// Pads the last byte with ones and stores the remaining bits.
  mutating func flush(_ output: inout MutableSpan<UInt8>) {
    let used = 64 - free
    let padding = (8 - used & 7) & 7
    let value = (bits &<< UInt64(padding)) | (1 << UInt64(padding) - 1)
    position = Self.storeStuffed(value, byteCount: (used + padding) / 8, at: position, &output)
    bits = 0
    free = 64
  }

  /// Ends a restart interval and appends its marker, one of eight in cyclic order.
  mutating func appendRestartMarker(_ index: Int, _ output: inout MutableSpan<UInt8>) {
    flush(&output)
    output[position] = 0xFF
    output[position + 1] = 0xD0 | UInt8(truncatingIfNeeded: index & 7)
    position += 2
  }
}

extension [UInt8] {
  /// Ensures that at least `count` bytes follow `position`.
  mutating func makeRoom(_ count: Int, at position: Int) {
    let needed = position + count
    if needed > self.count {
      append(contentsOf: repeatElement(0, count: Swift.max(needed, self.count + self.count / 2) - self.count))
    }
  }
}
