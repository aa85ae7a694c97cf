// The ends of blocks: where the statistics change so much that other codes save more than they take.

/// The division of sequences into blocks.
enum BlockDivision {
  /// The number of symbols after which a block may end.
  private static let partSymbolCount = 3_000
  /// The bits that the codes of a block take, about.
  private static let headerBitCount: UInt64 = 600

  /// Returns the ends of blocks as indices of sequences, the last one included.
  static func ends(_ bytes: Span<UInt8>, from start: Int, _ sequences: Span<DeflateSequence>) -> [Int] {
    var result: [Int] = []
    var (block, blockBitCount) = (SymbolCounts(), UInt64(0))
    var (place, index) = (0, start)
    while place < sequences.count {
      let first = place
      let part = SymbolCounts(bytes, &index, sequences, &place, maximumCount: partSymbolCount)
      let bitCount = part.bitCount
      guard first > 0 else {
        (block, blockBitCount) = (part, bitCount)
        continue
      }
      let joined = block + part
      let joinedBitCount = joined.bitCount
      if joinedBitCount <= blockBitCount + bitCount + headerBitCount {
        (block, blockBitCount) = (joined, joinedBitCount)
      } else {
        result.append(first)
        (block, blockBitCount) = (part, bitCount)
      }
    }
    result.append(sequences.count)
    return result
  }
}
