// Prefix codes of minimal length for DEFLATE, limited in length and always complete. RFC 1951, section 3.2.

/// The code of an alphabet: for each symbol a length, and the bits in the order in which they are written.
struct PrefixCodes {
  /// The length of each symbol's code in bits; 0 for symbols that do not occur.
  private(set) var lengths: [UInt8]
  /// The code of each symbol, first bit lowest, with the length above 24 bits.
  private(set) var entries: [UInt32]

  /// Creates the codes of symbols that occur `counts` times.
  ///
  /// At least two symbols receive a code, so that it is complete.
  /// - Parameters:
  ///   - counts: at most 288 counts, whose sum is below 2^30.
  ///   - maximumLength: 7 or 15.
  init(counts: [UInt32], maximumLength: Int) {
    var used = counts.indices.filter { counts[$0] > 0 }
    for symbol in 0..<2 where used.count < 2 && !used.contains(symbol) { used.append(symbol) }
    // By falling frequency, which is also by rising length.
    used.sort { (counts[$1], $0) < (counts[$0], $1) }
    let lengthCounts = Self.lengthCounts(used.reversed().map { max(1, counts[$0]) }, maximumLength: maximumLength)
    var lengths = [UInt8](repeating: 0, count: counts.count)
    var place = 0
    for (length, count) in lengthCounts.enumerated() {
      for _ in 0..<count {
        lengths[used[place]] = UInt8(truncatingIfNeeded: length)
        place += 1
      }
    }
    self.init(lengths: lengths, maximumLength: maximumLength)
  }

  /// Creates the codes of given lengths, which are complete.
  init(lengths: [UInt8], maximumLength: Int) {
    self.lengths = lengths
    entries = [UInt32](repeating: 0, count: lengths.count)
    var next: UInt32 = 0
    for length in 1...maximumLength {
      next <<= 1
      for symbol in lengths.indices where Int(lengths[symbol]) == length {
        var reversed: UInt32 = 0
        for bit in 0..<length { reversed |= (next >> UInt32(bit) & 1) << UInt32(length - 1 - bit) }
        entries[symbol] = reversed | UInt32(length) << 24
        next += 1
      }
    }
  }

  /// The number of bits of symbols that occur `counts` times.
  func bitCount(of counts: [UInt32]) -> Int {
    var result = 0
    for (count, length) in zip(counts, lengths) { result += Int(count) * Int(length) }
    return result
  }

  /// The number of codes of each length.
  ///
  /// - Parameter weights: at least two, in rising order.
  private static func lengthCounts(_ weights: [UInt32], maximumLength: Int) -> [Int] {
    // Huffman's tree by two queues: leaves in order of weight, and inner nodes, which arise in order of weight.
    let leafCount = weights.count
    var nodeWeights = weights
    var parents = [Int](repeating: 0, count: 2 * leafCount - 1)
    var (leaf, inner) = (0, leafCount)
    while nodeWeights.count < 2 * leafCount - 1 {
      var sum: UInt32 = 0
      for _ in 0..<2 {
        let takesLeaf =
          leaf < leafCount && (inner >= nodeWeights.count || nodeWeights[leaf] <= nodeWeights[inner])
        let node = takesLeaf ? leaf : inner
        if takesLeaf { leaf += 1 } else { inner += 1 }
        sum &+= nodeWeights[node]
        parents[node] = nodeWeights.count
      }
      nodeWeights.append(sum)
    }
    var depths = [Int](repeating: 0, count: parents.count)
    // Depths are below 48, because weights of such a tree grow like Fibonacci's numbers.
    var counts = [Int](repeating: 0, count: max(64, maximumLength + 1))
    for node in stride(from: parents.count - 2, through: 0, by: -1) {
      depths[node] = depths[parents[node]] + 1
      if node < leafCount { counts[depths[node]] += 1 }
    }
    // Shorten a pair of codes that are too long: one takes their common prefix, the other is paired with a shorter code.
    for length in stride(from: counts.count - 1, to: maximumLength, by: -1) {
      while counts[length] > 0 {
        var shorter = length - 2
        while counts[shorter] == 0 { shorter -= 1 }
        counts[length] -= 2
        counts[length - 1] += 1
        counts[shorter + 1] += 2
        counts[shorter] -= 1
      }
    }
    return Array(counts[...maximumLength])
  }
}
