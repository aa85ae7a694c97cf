// The bytes of a DEFLATE stream as it is written.

/// A growing buffer for blocks.
struct DeflateOutput: Sendable {
  private var bytes: [UInt8]
  private var writer = DeflateBitWriter()

  /// - Parameter header: bytes before the first block.
  init(header: [UInt8]) {
    bytes = header
    writer.position = header.count
  }

  /// The number of complete bytes that are held.
  var byteCount: Int { writer.position }

  /// Returns the complete bytes since the last call.
  mutating func take() -> [UInt8] {
    bytes.removeLast(bytes.count - writer.position)
    defer { (bytes, writer.position) = ([], 0) }
    return bytes
  }

  /// Writes a block with codes, or without compression if that is smaller.
  ///
  /// - Parameter block: the range of the block in `input`.
  mutating func append(
    _ input: Span<UInt8>, block: Range<Int>, _ sequences: Span<DeflateSequence>, isFinal: Bool
  ) {
    let codes = DeflateBlock(input, block: block, sequences)
    let storedByteCount = block.count + 5 * (block.count / 65_535 + 1)
    guard codes.bitCount <= storedByteCount * 8 else {
      return store(input.extracting(block), isFinal: isFinal)
    }
    makeRoom(codes.bitCount / 8 + 64)
    var writer = self.writer
    var room = bytes.mutableSpan
    codes.write(input, from: block.lowerBound, sequences, isFinal: isFinal, to: &writer, &room)
    if isFinal { writer.alignToByte(in: &room) }
    self.writer = writer
  }

  /// Writes a block without compression, in pieces of at most 65,535 bytes. It ends on a byte boundary, even if it is
  /// empty.
  mutating func store(_ block: Span<UInt8>, isFinal: Bool) {
    makeRoom(block.count + 5 * (block.count / 65_535 + 1) + 64)
    var writer = self.writer
    var room = bytes.mutableSpan
    var start = 0
    repeat {
      let count = min(65_535, block.count - start)
      writer.append(isFinal && start + count == block.count ? 1 : 0, count: 3)
      writer.alignToByte(in: &room)
      writer.append(UInt64(count), count: 16)
      writer.append(UInt64(~count & 0xFFFF), count: 16)
      writer.store(in: &room)
      copyBytes(block.extracting(start..<start + count), into: &room, at: writer.position)
      writer.position += count
      start += count
    } while start < block.count
    self.writer = writer
  }

  /// Writes a checksum after the last block.
  mutating func append(checksum: UInt32) {
    bytes.removeLast(bytes.count - writer.position)
    for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: checksum >> shift)) }
    writer.position = bytes.count
  }

  private mutating func makeRoom(_ count: Int) {
    let needed = writer.position + count
    if needed > bytes.count {
      bytes.append(contentsOf: repeatElement(0, count: max(needed, bytes.count + bytes.count / 2) - bytes.count))
    }
  }
}
