// The bits that fill the last bytes of entropy-coded segments of a JPEG file (ITU-T T.81, F.1.2.3).

internal import ImageCoding

/// Bits that were stored because not all of them are set.
struct JPEGPadding: Sendable {
  private let words: [UInt32]
  private let count: Int
  private var position = 0

  init(parsing bits: inout BitReader, budget: inout ResourceBudget) throws(CodecError) {
    count = try bits.readInt(24)
    let wordCount = (count + 31) / 32
    try budget.allocate(count: wordCount, bytesEach: 4)
    try budget.chargeWork(count: wordCount, unitsEach: 10, byteOffset: bits.byteOffset)
    var words: [UInt32] = []
    for index in 0..<wordCount { words.append(try bits.readBits(min(32, count - index * 32))) }
    self.words = words
  }

  /// Whether all bits have been returned.
  var isAtEnd: Bool { position == count }

  /// Returns the next bits, at most seven, of which the first one is the most significant; `nil` if there are fewer.
  mutating func next(_ bitCount: Int) -> UInt32? {
    guard bitCount <= count - position else { return nil }
    var result: UInt32 = 0
    for _ in 0..<bitCount {
      result = result << 1 | words[position / 32] >> UInt32(position % 32) & 1
      position += 1
    }
    return result
  }
}
