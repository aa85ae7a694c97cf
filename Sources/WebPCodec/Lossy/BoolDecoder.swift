// The boolean entropy decoder (RFC 6386, section 7).

/// Decodes booleans from a partition.
///
/// Reading past the end returns what zeros would, and is noticed by ``isExhausted``. The state is a value, so that what was
/// read of an incomplete macroblock is undone by assigning the decoder from before it.
package struct BoolDecoder {
  /// The bits of the stream that have been loaded and not consumed.
  private var value: UInt64 = 0
  /// The size of the interval, less 1.
  private var range: UInt64 = 254
  /// Loaded bits beyond the first eight; below zero when more must be loaded.
  private var bits = -8
  /// The index of the next byte in the window.
  package private(set) var index: Int
  /// The end of the partition, as far as it is in the window.
  private var end: Int
  /// Whether more was read than the partition has, as far as it is in the window.
  package private(set) var isExhausted = false

  /// - Parameter range: the partition's indices in a window.
  package init(_ range: Range<Int>) {
    index = range.lowerBound
    end = range.upperBound
  }

  /// Prepares for another window.
  ///
  /// - Parameters:
  ///   - byteCount: the distance of the starts of the windows.
  ///   - end: the end of the partition in the new one.
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
      loadNearEnd(bytes)
    }
  }

  @inline(never)
  private mutating func loadNearEnd(_ bytes: Span<UInt8>) {
    if index < end {
      value = value &<< 8 | UInt64(bytes[index])
      index &+= 1
      bits &+= 8
    } else if !isExhausted {
      value = value &<< 8
      bits &+= 8
      isExhausted = true
    } else {
      bits = 0
    }
  }

  /// The next boolean.
  ///
  /// - Parameter probability: that it is false, in 1/256.
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

  /// A value or its negative, by an even chance.
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

  /// The next boolean, by an even chance.
  mutating func readFlag(_ bytes: Span<UInt8>) -> Bool { read(128, bytes) }

  /// An unsigned number of some bits, most significant first.
  mutating func readLiteral(_ bitCount: Int, _ bytes: Span<UInt8>) -> Int {
    var value = 0
    for _ in 0..<bitCount { value = value << 1 | (read(128, bytes) ? 1 : 0) }
    return value
  }

  /// A number of some bits, then its sign.
  mutating func readSignedLiteral(_ bitCount: Int, _ bytes: Span<UInt8>) -> Int {
    let value = readLiteral(bitCount, bytes)
    return readFlag(bytes) ? -value : value
  }

  /// A signed number if a flag says that there is one.
  mutating func readOptionalSignedLiteral(_ bitCount: Int, _ bytes: Span<UInt8>) -> Int? {
    readFlag(bytes) ? readSignedLiteral(bitCount, bytes) : nil
  }
}
