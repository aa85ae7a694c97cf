// DEFLATE decompression of a whole zlib stream into memory of known size. Anything but a valid stream is left to
// InflateStream, which also tells what is wrong.

/// Decompresses zlib streams that are in memory as a whole (RFC 1950, RFC 1951).
package struct WholeInflate: Sendable {
  private var decoder = InflateDecoder(isWhole: true)

  package init() {}

  /// Decompresses a stream.
  ///
  /// - Returns: the number of bytes written; `nil` if the stream is damaged, incomplete, requires a dictionary or does
  ///   not fit the output, whose content is then arbitrary.
  package mutating func inflate(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Int? {
    guard input.count >= 6, input[0] & 15 == 8, input[0] >> 4 <= 7, input[1] & 0x20 == 0,
      (Int(input[0]) << 8 | Int(input[1])) % 31 == 0
    else { return nil }
    decoder.restart()
    guard decoder.decode(input.extracting(droppingFirst: 2), into: &output) == .ended else { return nil }
    let end = 2 + decoder.state.position
    guard end <= input.count - 4 else { return nil }
    var stored: UInt32 = 0
    for index in end..<end + 4 { stored = stored << 8 | UInt32(input[index]) }
    let count = decoder.state.written
    var checksum = Adler32()
    checksum.update(output.span.extracting(first: count))
    return checksum.value == stored ? count : nil
  }
}
