// Bytes divided into literals and matches, and these into blocks.

/// A part of a stream before its codes are written.
struct DividedPart: Sendable {
  private var sequences: [DeflateSequence] = []
  /// The number of sequences.
  private var count = 0
  /// For each block the sequence and the byte after it.
  private var ends: [(sequence: Int, byte: Int)] = []

  /// Divides the bytes of a part.
  ///
  /// - Parameters:
  ///   - bytes: the part, preceded by what matches may refer to.
  ///   - part: the range of the part, which ends with `bytes`.
  ///   - divide: writes the sequences and returns their number.
  mutating func divide(
    _ bytes: Span<UInt8>, _ part: Range<Int>, by divide: (inout MutableSpan<DeflateSequence>) -> Int
  ) {
    let maximumCount = LazyMatching.maximumSequenceCount(byteCount: part.count)
    if sequences.count < maximumCount {
      sequences = [DeflateSequence](
        repeating: DeflateSequence(literalCount: 0, length: 0, distanceMinusOne: 0), count: maximumCount)
    }
    var target = sequences.mutableSpan
    let count = divide(&target)
    self.count = count
    ends = Self.ends(bytes, from: part.lowerBound, sequences.span.extracting(first: count))
  }

  private static func ends(
    _ bytes: Span<UInt8>, from start: Int, _ sequences: Span<DeflateSequence>
  ) -> [(sequence: Int, byte: Int)] {
    var (place, byte) = (0, start)
    return BlockDivision.ends(bytes, from: start, sequences).map { end in
      while place < end {
        byte += Int(sequences[place].literalCount) + Int(sequences[place].length)
        place += 1
      }
      return (end, byte)
    }
  }

  /// The number of bits that the part takes.
  func bitCount(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var result = 0
    forEachBlock(from: start) { block, sequences, _ in
      result += min(DeflateBlock(bytes, block: block, sequences).bitCount, block.count * 8 + 32)
    }
    return result
  }

  /// Writes the part.
  func write(_ bytes: Span<UInt8>, from start: Int, isFinal: Bool, to output: inout DeflateOutput) {
    forEachBlock(from: start) { block, sequences, isLast in
      output.append(bytes, block: block, sequences, isFinal: isFinal && isLast)
    }
  }

  private func forEachBlock(
    from start: Int, _ body: (_ block: Range<Int>, _ sequences: Span<DeflateSequence>, _ isLast: Bool) -> Void
  ) {
    var (sequence, byte) = (0, start)
    for end in ends {
      body(byte..<end.byte, sequences.span.extracting(sequence..<end.sequence), end.sequence == count)
      (sequence, byte) = end
    }
  }
}
