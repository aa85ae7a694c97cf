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
    let split = (range &* UInt64(probability)) &>> 8
    let position = UInt64(truncatingIfNeeded: bits)
    let isSet = value &>> position > split
    var size: UInt64
    if isSet {
      size = range &- split
      value &-= (split &+ 1) &<< position
    } else {
      size = split &+ 1
    }
    let shift = (size | 1).leadingZeroBitCount &- 56
    size &<<= UInt64(truncatingIfNeeded: shift)
    bits &-= shift
    range = size &- 1
    return isSet
  }

  /// Reads a sign of even probability and returns the signed magnitude.
  @inline(__always)
  package mutating func readSigned(_ magnitude: Int32, _ bytes: Span<UInt8>) -> Int32 {
    if bits < 0 { load(bytes) }
    let split = range &>> 1
    let position = UInt64(truncatingIfNeeded: bits)
    let mask = Int64(bitPattern: split &- value &>> position) &>> 63
    bits &-= 1
    range = (range &+ UInt64(bitPattern: mask)) | 1
    value &-= ((split &+ 1) & UInt64(bitPattern: mask)) &<< position
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
