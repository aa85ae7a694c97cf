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
  private var writer = DeflateBitWriter()
  private var checksum = Adler32()
  private var output: [UInt8]

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
    // DEFLATE with a window of 32 KiB, fastest level. RFC 1950, section 2.2.
    output = [0x78, 0x01]
    writer.position = 2
  }

  /// The number of bytes that are held for the output not taken yet.
  package var outputByteCount: Int { output.count }

  /// Returns the complete bytes since the last call.
  package mutating func takeOutput() -> [UInt8] {
    output.removeLast(output.count - writer.position)
    defer { (output, writer.position) = ([], 0) }
    return output
  }

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
    let sum = checksum.value
    output.removeLast(output.count - writer.position)
    for shift in [24, 16, 8, 0] as [UInt32] { output.append(UInt8(truncatingIfNeeded: sum >> shift)) }
    defer { output = [] }
    return output
  }

  private mutating func compressBlock(isFinal: Bool) {
    let block = blockStart..<bytes.count
    // Moved out of their properties, so that they are mutated in place.
    var (bytes, sequences, output, local) = ([UInt8](), [DeflateSequence](), [UInt8](), writer)
    swap(&bytes, &self.bytes)
    swap(&sequences, &self.sequences)
    swap(&output, &self.output)
    var target = sequences.mutableSpan
    let count = table.divide(bytes.span, block: block, streamOffset: streamOffset, into: &target)
    let found = sequences.span.extracting(first: count)
    let codes = DeflateBlock(bytes.span, block: block, found)
    let storedByteCount = block.count + 5 * (block.count / 65_535 + 1)
    Self.makeRoom(min(codes.bitCount / 8, storedByteCount) + 64, in: &output, at: writer.position)
    var room = output.mutableSpan
    if codes.bitCount <= storedByteCount * 8 {
      codes.write(bytes.span, from: blockStart, found, isFinal: isFinal, to: &local, &room)
      if isFinal { local.alignToByte(in: &room) }
    } else {
      Self.store(bytes.span.extracting(block), isFinal: isFinal, to: &local, &room)
    }
    (self.bytes, self.sequences, self.output, writer) = (bytes, sequences, output, local)
    slide()
  }

  /// Writes a block without compression, in pieces of at most 65,535 bytes.
  private static func store(
    _ block: Span<UInt8>, isFinal: Bool, to writer: inout DeflateBitWriter, _ room: inout MutableSpan<UInt8>
  ) {
    var start = 0
    repeat {
      let count = min(65_535, block.count - start)
      writer.append(isFinal && start + count == block.count ? 1 : 0, count: 3)
      writer.alignToByte(in: &room)
      writer.append(UInt64(count), count: 16)
      writer.append(UInt64(~count & 0xFFFF), count: 16)
      writer.store(in: &room)
      for index in 0..<count { room[writer.position + index] = block[start + index] }
      writer.position += count
      start += count
    } while start < block.count
  }

  /// Keeps a window before the next block.
  private mutating func slide() {
    let excess = max(0, bytes.count - Self.windowByteCount)
    bytes.removeFirst(excess)
    streamOffset &+= UInt32(truncatingIfNeeded: excess)
    blockStart = bytes.count
  }

  private static func makeRoom(_ count: Int, in output: inout [UInt8], at position: Int) {
    let needed = position + count
    if needed > output.count {
      output.append(
        contentsOf: repeatElement(0, count: max(needed, output.count + output.count / 2) - output.count))
    }
  }
}
