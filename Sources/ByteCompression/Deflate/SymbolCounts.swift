// The statistics of the symbols of a block, from which the sizes of codes are estimated.

/// The numbers of times that symbols occur.
struct SymbolCounts: Sendable {
  /// The counts of literals and lengths, followed by those of distances.
  private(set) var values = [UInt32](
    repeating: 0, count: DeflateSymbols.literalCount + DeflateSymbols.distanceCount)

  init() {}

  /// Counts the symbols of sequences from `place` on, until there are at least `maximumCount`.
  ///
  /// - Parameters:
  ///   - index: the start of the sequences in `bytes`, and then their end.
  ///   - place: the first sequence, and then the first one that is not counted.
  init(
    _ bytes: Span<UInt8>, _ index: inout Int, _ sequences: Span<DeflateSequence>, _ place: inout Int,
    maximumCount: Int = .max
  ) {
    let lengths = DeflateSymbols.lengths
    var counts = values.mutableSpan
    var symbolCount = 0
    while place < sequences.count, symbolCount < maximumCount {
      let sequence = sequences[place]
      place += 1
      for _ in 0..<sequence.literalCount {
        counts[Int(bytes[index])] &+= 1
        index &+= 1
      }
      symbolCount &+= Int(sequence.literalCount) &+ 1
      if sequence.length == 0 { continue }
      counts[Int(lengths[Int(sequence.length) &- 3] & 0x1FF)] &+= 1
      counts[DeflateSymbols.literalCount &+ DeflateSymbols.distance(sequence.distanceMinusOne).symbol] &+= 1
      index &+= Int(sequence.length)
    }
  }

  /// The number of bits of all symbols with the best codes, without the codes themselves.
  var bitCount: UInt64 {
    Self.bitCount(values[..<DeflateSymbols.literalCount]) + Self.bitCount(values[DeflateSymbols.literalCount...])
  }

  /// The entropy of some symbols in bits.
  private static func bitCount(_ counts: ArraySlice<UInt32>) -> UInt64 {
    var total: UInt32 = 0
    var sum: UInt64 = 0
    for count in counts where count > 0 {
      total &+= count
      sum &+= UInt64(count) &* UInt64(BinaryLogarithm.fixedPoint(count))
    }
    return total == 0 ? 0 : (UInt64(total) &* UInt64(BinaryLogarithm.fixedPoint(total)) &- sum) >> 16
  }

  static func + (first: SymbolCounts, second: SymbolCounts) -> SymbolCounts {
    var sum = first
    for index in second.values.indices { sum.values[index] &+= second.values[index] }
    return sum
  }
}
