// The boolean entropy decoder (RFC 6386, section 7).

internal import VectorLanes

/// Decodes booleans from a partition.
///
/// Reads past the end return what zero bits would, and set ``isExhausted``. The decoder is a value, so that the reads
/// of an incomplete macroblock are undone by restoring a copy.
package struct BoolDecoder {
  /// The bits of the stream that have been loaded but not consumed.
  private var value: UInt64 = 0
  /// The size of the interval minus 1.
  private var range: UInt64 = 254
  /// The number of loaded bits beyond the first eight; negative if more must be loaded.
  private var bits = -8
  /// The index of the next byte in the window.
  package private(set) var index: Int
  /// The end of the partition, clamped to the window.
  private var end: Int
  /// Whether more was read than the window contains of the partition.
  package private(set) var isExhausted = false

  /// - Parameter range: the partition's indices in the window.
  package init(_ range: Range<Int>) {
    index = range.lowerBound
    end = range.upperBound
  }

  /// Adjusts the positions to another window.
  ///
  /// - Parameters:
  ///   - byteCount: the distance between the starts of the windows, in bytes.
  ///   - end: the end of the partition in the new window.
  package mutating func moveWindow(by byteCount: Int, end: Int) {
    index -= byteCount
    self.end = end
  }

  @inline(__always)
  private mutating func load(_ bytes: Span<UInt8>) {
    if index &+ 8 <= end, end <= bytes.count {
      value = value &<< 56 | loadBigEndian64(bytes, at: index) &>> 8
      index &+= 7
      bits &+= 56
    } else {
      self = loadedNearEnd(bytes)
    }
  }

  /// Returns the decoder with one byte more. It is not mutating, so that callers can keep the decoder in registers.
  @inline(never)
  private func loadedNearEnd(_ bytes: Span<UInt8>) -> BoolDecoder {
    var loaded = self
    if index < end {
      loaded.value = value &<< 8 | UInt64(bytes[index])
      loaded.index &+= 1
      loaded.bits &+= 8
    } else if !isExhausted {
      loaded.value = value &<< 8
      loaded.bits &+= 8
      loaded.isExhausted = true
    } else {
      loaded.bits = 0
    }
    return loaded
  }

  /// Reads a boolean.
  ///
  /// - Parameter probability: the probability of `false`, in units of 1/256.
  @inline(__always)
  package mutating func read(_ probability: UInt8, _ bytes: Span<UInt8>) -> Bool {
    if bits < 0 { load(bytes) }
    // The product has sixteen bits; that its upper half is below 256, the compiler sees from the mask only.
    let split = (range &* UInt64(probability)) &>> 8 & 255
    let position = UInt64(truncatingIfNeeded: bits)
    if value &>> position > split {
      // The same as subtracting split + 1, from the value and from the range.
      value &+= ~split &<< position
      normalize(range &+ ~split)
      return true
    }
    normalize(split)
    return false
  }

  /// Doubles the size of the interval until it is at least 128. The next read depends on the range first, which a table
  /// returns sooner than a count of zeros and two shifts.
  ///
  /// - Parameter range: the size of the interval minus 1, 0…254.
  @inline(__always)
  private mutating func normalize(_ range: UInt64) {
    let index = Int(truncatingIfNeeded: range)
    let shift = normalizingShifts[index]
    self.range = UInt64(normalizedRanges[index])
    bits &-= Int(shift)
  }

  /// Reads a sign of even probability and returns the signed magnitude.
  @inline(__always)
  package mutating func readSigned(_ magnitude: Int32, _ bytes: Span<UInt8>) -> Int32 {
    if bits < 0 { load(bytes) }
    let split = range &>> 1
    let position = UInt64(truncatingIfNeeded: bits)
    let mask: UInt64 = value &>> position > split ? ~0 : 0
    bits &-= 1
    range = (range &+ mask) | 1
    value &-= UInt64((split &+ 1) & mask) &<< position
    let sign = Int32(truncatingIfNeeded: mask)
    return (magnitude ^ sign) &- sign
  }

  /// Reads a boolean of even probability.
  mutating func readFlag(_ bytes: Span<UInt8>) -> Bool { read(128, bytes) }

  /// Reads an unsigned number of `bitCount` bits, most significant first.
  mutating func readLiteral(_ bitCount: Int, _ bytes: Span<UInt8>) -> Int {
    var value = 0
    for _ in 0..<bitCount { value = value << 1 | (read(128, bytes) ? 1 : 0) }
    return value
  }

  /// Reads a magnitude of `bitCount` bits, followed by its sign.
  mutating func readSignedLiteral(_ bitCount: Int, _ bytes: Span<UInt8>) -> Int {
    let value = readLiteral(bitCount, bytes)
    return readFlag(bytes) ? -value : value
  }

  /// Reads a flag, and a signed number if the flag is set.
  mutating func readOptionalSignedLiteral(_ bitCount: Int, _ bytes: Span<UInt8>) -> Int? {
    readFlag(bytes) ? readSignedLiteral(bitCount, bytes) : nil
  }
}

/// The number of times that an interval is doubled until it has at least 128 values, by its size minus 1. The last entry
/// is not used: it lets an index of eight bits go unchecked.
private let normalizingShifts: InlineArray<256, UInt8> = [
  7, 6, 6, 5, 5, 5, 5, 4, 4, 4, 4, 4, 4, 4, 4, 3, 3, 3, 3, 3,
  3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2,
  2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
  2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
  1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
]

/// The size of the interval afterwards, minus 1; likewise.
private let normalizedRanges: InlineArray<256, UInt8> = [
  127, 127, 191, 127, 159, 191, 223, 127, 143, 159, 175, 191, 207, 223, 239, 127, 135, 143, 151, 159,
  167, 175, 183, 191, 199, 207, 215, 223, 231, 239, 247, 127, 131, 135, 139, 143, 147, 151, 155, 159,
  163, 167, 171, 175, 179, 183, 187, 191, 195, 199, 203, 207, 211, 215, 219, 223, 227, 231, 235, 239,
  243, 247, 251, 127, 129, 131, 133, 135, 137, 139, 141, 143, 145, 147, 149, 151, 153, 155, 157, 159,
  161, 163, 165, 167, 169, 171, 173, 175, 177, 179, 181, 183, 185, 187, 189, 191, 193, 195, 197, 199,
  201, 203, 205, 207, 209, 211, 213, 215, 217, 219, 221, 223, 225, 227, 229, 231, 233, 235, 237, 239,
  241, 243, 245, 247, 249, 251, 253, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139,
  140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159,
  160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179,
  180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199,
  200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219,
  220, 221, 222, 223, 224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239,
  240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255,
]
