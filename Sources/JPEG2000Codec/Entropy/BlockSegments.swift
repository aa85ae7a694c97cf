// The data of a code-block, collected from the packets.

internal import ImageCoding

/// The bytes and the codeword segments of a code-block. One value is used for all code-blocks of a tile, so that its
/// memory is allocated once.
struct BlockSegments {
  /// A codeword segment.
  struct Segment: Sendable {
    /// The range in the bytes of the code-block.
    let bytes: Range<Int>
    let passCount: Int
  }

  /// The bytes of all segments.
  private(set) var bytes: [UInt8] = []
  private(set) var segments: [Segment] = []

  /// The largest number of bytes of a code-block. Its passes, also incompressible ones of 16-bit samples, have fewer; a
  /// damaged header may announce the whole file.
  static let maximumByteCount = 1 << 18

  /// Collects the data of a code-block.
  mutating func collect(
    _ block: CodeBlock, _ pieces: [SegmentPiece], _ data: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    bytes.removeAll(keepingCapacity: true)
    segments.removeAll(keepingCapacity: true)
    var (start, passCount) = (0, 0)
    var index = Int(block.firstPiece)
    while index >= 0 {
      let piece = pieces[index]
      if piece.startsSegment, passCount > 0 {
        segments.append(Segment(bytes: start..<bytes.count, passCount: passCount))
        (start, passCount) = (bytes.count, 0)
      }
      let length = min(piece.length, Self.maximumByteCount - bytes.count)
      try budget.chargeWork(length + 10)
      let source = data.extracting(piece.offset..<piece.offset + length)
      for index in source.indices { bytes.append(source[index]) }
      passCount += Int(piece.passCount)
      index = Int(piece.next)
    }
    segments.append(Segment(bytes: start..<bytes.count, passCount: passCount))
  }
}
