// The tables by which ANS finds symbols (ISO/IEC 18181-1, C.2.6).

/// The alias method: the states modulo 4096 are divided into buckets of equal size. Each bucket belongs to its own
/// symbol up to a cutoff, and to another symbol from there on.
package enum AliasTable {
  /// Returns the entries of the buckets. From the least significant bit: 8 bits of the cutoff, 8 of the other symbol,
  /// 16 of the other symbol's offset, 16 of the bucket's own probability, 16 of the other's.
  package static func entries(_ probabilities: [UInt16], logAlphabetSize: Int) -> [UInt64] {
    let count = 1 << logAlphabetSize
    let bucketSize = Histogram.total >> logAlphabetSize
    func probability(_ symbol: Int) -> Int { symbol < probabilities.count ? Int(probabilities[symbol]) : 0 }
    func entry(_ bucket: Int, _ cutoff: Int, _ symbol: Int, _ offset: Int) -> UInt64 {
      UInt64(cutoff) | UInt64(symbol) << 8 | UInt64(offset) << 16 | UInt64(probability(bucket)) << 32
        | UInt64(probability(symbol)) << 48
    }
    if let single = probabilities.firstIndex(where: { Int($0) == Histogram.total }) {
      return (0..<count).map { entry($0, 0, single, $0 * bucketSize) }
    }
    var cutoffs = (0..<count).map(probability)
    var symbols = Array(0..<count)
    var offsets = [Int](repeating: 0, count: count)
    var over = symbols.filter { cutoffs[$0] > bucketSize }
    var under = symbols.filter { cutoffs[$0] < bucketSize }
    while let large = over.popLast(), let small = under.popLast() {
      cutoffs[large] -= bucketSize - cutoffs[small]
      symbols[small] = large
      offsets[small] = cutoffs[large]
      if cutoffs[large] > bucketSize {
        over.append(large)
      } else if cutoffs[large] < bucketSize {
        under.append(large)
      }
    }
    return (0..<count).map { bucket in
      let cutoff = cutoffs[bucket]
      // A full bucket is as one that belongs to the symbol itself from 0 on.
      if cutoff == bucketSize { return entry(bucket, 0, bucket, 0) }
      return entry(bucket, cutoff, symbols[bucket], offsets[bucket] - cutoff)
    }
  }
}
