// Finds repeated strings in one pass: a single candidate per position, taken from a hash table of four bytes.

internal import VectorLanes

/// Literals, followed by a match.
struct DeflateSequence {
  /// The number of literals.
  var literalCount: Int32
  /// The length of the match, 4…258; 0 at the end of a block.
  var length: UInt16
  /// The distance of the match minus 1, 0…32,767.
  var distanceMinusOne: UInt16
}

/// The positions at which strings occurred last.
struct MatchTable {
  private static let bitCount = 14
  /// For each hash the stream position of the last string, modulo 2^32.
  private var positions = [UInt32](repeating: 0, count: 1 << bitCount)

  /// Divides the bytes of a block into literals and matches.
  ///
  /// - Parameters:
  ///   - bytes: the block, preceded by up to 32 KiB or more of what comes before it in the stream.
  ///   - block: the range of the block, which is not empty.
  ///   - streamOffset: the stream position of the first byte of `bytes`, modulo 2^32.
  ///   - sequences: receives the sequences; has room for one per four bytes of the block and one more.
  /// - Returns: the number of sequences. The last one has no match.
  @inline(never)
  mutating func divide(
    _ bytes: Span<UInt8>, block: Range<Int>, streamOffset: UInt32, into sequences: inout MutableSpan<DeflateSequence>
  ) -> Int {
    var table = positions.mutableSpan
    var count = 0
    var index = block.lowerBound
    var anchor = index
    var missCount = 0
    let lastStart = block.upperBound &- 8
    while index <= lastStart {
      let word = loadLittleEndian32(bytes, at: index)
      let slot = Self.hash(word)
      let position = streamOffset &+ UInt32(truncatingIfNeeded: index)
      let difference = position &- table[slot]
      let distance = Int(truncatingIfNeeded: difference)
      table[slot] = position
      guard difference &- 1 < 32_768, distance <= index,
        loadLittleEndian32(bytes, at: index &- distance) == word
      else {
        // Where matches are rare, fewer positions are tried.
        missCount &+= 1
        index &+= 1 &+ missCount &>> 5
        continue
      }
      let length = matchLength(bytes, index, distance, limit: min(258, block.upperBound &- index))
      sequences[count] = DeflateSequence(
        literalCount: Int32(truncatingIfNeeded: index &- anchor), length: UInt16(truncatingIfNeeded: length),
        distanceMinusOne: UInt16(truncatingIfNeeded: distance &- 1))
      count &+= 1
      index &+= length
      anchor = index
      missCount = 0
      if index <= lastStart {
        let inner = index &- 2
        table[Self.hash(loadLittleEndian32(bytes, at: inner))] = streamOffset &+ UInt32(truncatingIfNeeded: inner)
      }
    }
    sequences[count] = DeflateSequence(
      literalCount: Int32(truncatingIfNeeded: block.upperBound &- anchor), length: 0, distanceMinusOne: 0)
    return count &+ 1
  }

  @inline(__always)
  private static func hash(_ word: UInt32) -> Int {
    // 2³² divided by the golden ratio.
    Int((word &* 0x9E37_79B1) &>> UInt32(32 - bitCount))
  }
}

/// The length of the match at `index`, of which four bytes are known.
@inline(__always)
func matchLength(_ bytes: Span<UInt8>, _ index: Int, _ distance: Int, limit: Int) -> Int {
  var length = 4
  while length &+ 8 <= limit {
    let difference =
      loadLittleEndian64(bytes, at: index &+ length)
      ^ loadLittleEndian64(bytes, at: index &+ length &- distance)
    if difference != 0 { return length &+ difference.trailingZeroBitCount &>> 3 }
    length &+= 8
  }
  while length < limit, bytes[index &+ length] == bytes[index &+ length &- distance] { length &+= 1 }
  return length
}
