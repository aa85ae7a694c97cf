// A fast DEFLATE compressor: one pass, one candidate per position, and separate prefix codes for every 128 KiB.

internal import ImageCore

/// A zlib stream being compressed quickly.
package struct FastDeflateStream: Sendable {
  private static let windowByteCount = 32 << 10
  private static let maximumBlockByteCount = 128 << 10
  /// The number of bytes after which a block ends.
  private let blockByteCount: Int

  /// The bytes before the block in the stream, at most a window, and the block received so far.
  private var bytes: [UInt8] = []
  /// The start of the block in `bytes`.
  private var blockStart = 0
  /// The stream position of the first byte of `bytes`, modulo 2^32. It starts at a window, so that an empty slot of the
  /// table is too far away.
  private var streamOffset: UInt32 = 64 << 10
  private var table = MatchTable()
  private var sequences: [DeflateSequence]
  private var checksum = Adler32()
  private var output = DeflateOutput(header: zlibHeader(level: 1))

  /// Opens a stream.
  ///
  /// - Parameter byteCount: the number of bytes that are expected, so that short streams need little memory.
  package init(byteCount: Int = .max) {
    blockByteCount = min(max(byteCount, 1 << 10), Self.maximumBlockByteCount)
    sequences = [DeflateSequence](
      repeating: DeflateSequence(literalCount: 0, length: 0, distanceMinusOne: 0),
      count: blockByteCount / 4 + 1)
    bytes.reserveCapacity(
      blockByteCount < Self.maximumBlockByteCount ? blockByteCount : Self.windowByteCount + blockByteCount)
  }

  /// The number of bytes that are held for the output not taken yet.
  package var outputByteCount: Int { output.byteCount }

  /// Returns the complete bytes since the last call.
  package mutating func takeOutput() -> [UInt8] { output.take() }

  /// Compresses bytes.
  package mutating func append(_ input: Span<UInt8>) {
    checksum.update(input)
    var start = 0
    while start < input.count {
      let count = min(input.count - start, blockStart + blockByteCount - bytes.count)
      bytes.append(copying: input.extracting(start..<start + count))
      start += count
      if bytes.count == blockStart + blockByteCount { compressBlock(isFinal: false) }
    }
  }

  /// Ends the stream and returns everything since the last ``takeOutput()``.
  package mutating func finish() -> [UInt8] {
    compressBlock(isFinal: true)
    output.append(checksum: checksum.value)
    return output.take()
  }

  private mutating func compressBlock(isFinal: Bool) {
    let block = blockStart..<bytes.count
    // Moved out of their properties, so that they are mutated in place.
    var (bytes, sequences) = ([UInt8](), [DeflateSequence]())
    swap(&bytes, &self.bytes)
    swap(&sequences, &self.sequences)
    var target = sequences.mutableSpan
    let count = table.divide(bytes.span, block: block, streamOffset: streamOffset, into: &target)
    output.append(bytes.span, block: block, sequences.span.extracting(first: count), isFinal: isFinal)
    (self.bytes, self.sequences) = (bytes, sequences)
    slide()
  }

  /// Keeps a window before the next block.
  private mutating func slide() {
    let excess = max(0, bytes.count - Self.windowByteCount)
    bytes.removeFirst(excess)
    streamOffset &+= UInt32(truncatingIfNeeded: excess)
    blockStart = bytes.count
  }
}
