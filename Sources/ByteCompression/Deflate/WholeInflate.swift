// DEFLATE decompression of a whole zlib stream into memory of known size, in about half of zlib's time. Anything but a
// valid stream is left to InflateStream, which also tells what is wrong.

internal import VectorLanes

/// Decompresses zlib streams that are in memory as a whole (RFC 1950, RFC 1951).
package struct WholeInflate: Sendable {
  private var tables = InflateTables()

  package init() {}

  /// Decompresses a stream.
  ///
  /// - Returns: the number of bytes written; `nil` if the stream is damaged, incomplete, requires a dictionary or does
  ///   not fit the output, whose content is then arbitrary.
  package mutating func inflate(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Int? {
    guard input.count >= 6, input[0] & 15 == 8, input[0] >> 4 <= 7, input[1] & 0x20 == 0,
      (Int(input[0]) << 8 | Int(input[1])) % 31 == 0
    else { return nil }
    var state = InflateState(position: 2)
    var isLast = false
    while !isLast {
      state.refill(input)
      isLast = state.take(1) == 1
      let isDone: Bool
      switch state.take(2) {
      case 0: isDone = state.copyStored(input, into: &output)
      case 1:
        tables.buildFixed()
        isDone = inflateBlock(input, tables, &state, into: &output)
      case 2:
        guard tables.build(input, &state) else { return nil }
        isDone = inflateBlock(input, tables, &state, into: &output)
      default: return nil
      }
      guard isDone else { return nil }
    }
    let end = state.bytePosition
    guard end <= input.count - 4 else { return nil }
    var stored: UInt32 = 0
    for index in end..<end + 4 { stored = stored << 8 | UInt32(input[index]) }
    var checksum = Adler32()
    checksum.update(output.span.extracting(0..<state.written))
    return checksum.value == stored ? state.written : nil
  }
}

/// The position within a stream: bits are taken from the least significant end.
struct InflateState {
  /// Bits read but not consumed. Those beyond `count` are 0 or repeated by the next refill.
  var bits: UInt64 = 0
  var count: UInt64 = 0
  /// The offset of the next byte of the input. May exceed the input, whose end is followed by zeros.
  var position: Int
  /// The number of bytes written.
  var written = 0

  init(position: Int) {
    self.position = position
  }

  /// The offset of the first byte of which no bit is consumed.
  var bytePosition: Int { position - Int(count / 8) }

  /// Makes at least 56 bits available.
  @inline(__always)
  mutating func refill(_ input: Span<UInt8>) {
    bits &= count == 0 ? 0 : .max &>> (64 &- count)
    if position <= input.count &- 8 {
      bits |= loadLittleEndian64(input, at: position) &<< count
      position &+= Int(truncatingIfNeeded: (63 &- count) &>> 3)
      count |= 56
    } else {
      refillNearEnd(input)
    }
  }

  private mutating func refillNearEnd(_ input: Span<UInt8>) {
    while count < 56 {
      if position < input.count { bits |= UInt64(input[position]) &<< count }
      position += 1
      count += 8
    }
  }

  /// Takes up to 32 bits, which must be available.
  mutating func take(_ bitCount: UInt64) -> Int {
    let value = bits & (1 &<< bitCount &- 1)
    bits &>>= bitCount
    count &-= bitCount
    return Int(truncatingIfNeeded: value)
  }

  /// Copies a block that is not compressed. Returns `false` if it is damaged or does not fit.
  mutating func copyStored(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Bool {
    _ = take(count % 8)
    let start = bytePosition
    guard start <= input.count - 4 else { return false }
    let length = Int(input[start]) | Int(input[start + 1]) << 8
    let complement = Int(input[start + 2]) | Int(input[start + 3]) << 8
    guard length ^ complement == 0xFFFF, length <= input.count - start - 4, length <= output.count - written else {
      return false
    }
    for index in 0..<length { output[written + index] = input[start + 4 + index] }
    written += length
    self = InflateState(position: start + 4 + length, written: written)
    return true
  }

  private init(position: Int, written: Int) {
    self.position = position
    self.written = written
  }
}
