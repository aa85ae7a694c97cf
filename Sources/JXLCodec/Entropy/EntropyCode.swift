// The codes of an entropy-coded stream (ISO/IEC 18181-1, C.2).

internal import ImageCoding

/// The header of an entropy-coded stream: a map of contexts to clusters, and a code for each cluster.
///
/// All codes are in one flat table, so that readers of several threads can share it as spans.
struct EntropyCode: Sendable {
  /// The coding of tokens.
  enum Coding: Sendable {
    case ans
    case prefix
  }

  /// The code of a cluster.
  struct Cluster: Sendable {
    var integers: HybridInteger
    /// The index of the cluster's first entry in the table.
    var tableStart: Int32
    /// The token of a code with a single symbol that takes no bits; -1 otherwise.
    var singleToken: Int32
  }

  /// The parameters of copies of earlier values.
  struct Copies: Sendable {
    /// The first token that is the length of a copy.
    var firstToken: UInt32
    var minimumLength: UInt32
    var lengths: HybridInteger
    /// The cluster of distances.
    var distanceCluster: Int
  }

  let coding: Coding
  /// The binary logarithm of the number of entries of an ANS table, 5…8.
  let logAlphabetSize: Int
  /// The clusters of the contexts; that of distances is last, if there are copies.
  let contextMap: [UInt8]
  let clusters: [Cluster]
  /// The entries of ``AliasTable`` or ``PrefixTable``.
  let table: [UInt64]
  let copies: Copies?

  /// Reads the header.
  ///
  /// The memory of the code remains charged.
  init(
    parsing bits: inout BitReader, contextCount: Int, allowsCopies: Bool = true, budget: inout ResourceBudget
  ) throws(CodecError) {
    var count = contextCount
    var copies: Copies?
    if try bits.readFlag() {
      guard allowsCopies else { throw bits.error(.malformed, "a short context map uses copies") }
      copies = try Copies(parsing: &bits)
      count += 1
    }
    try budget.allocate(count)
    try budget.chargeWork(count)
    contextMap = count > 1 ? try ContextMap.read(&bits, count: count, budget: &budget) : [0]
    let clusterCount = Int(contextMap.max() ?? 0) + 1
    copies?.distanceCluster = Int(contextMap.last ?? 0)
    self.copies = copies

    coding = try bits.readFlag() ? .prefix : .ans
    logAlphabetSize = coding == .prefix ? 15 : 5 + (try bits.readInt(2))
    var integers: [HybridInteger] = []
    for _ in 0..<clusterCount {
      integers.append(try HybridInteger(parsing: &bits, logAlphabetSize: logAlphabetSize))
    }
    var table: [UInt64] = []
    switch coding {
    case .ans:
      clusters = try Self.readDistributions(&bits, integers, logAlphabetSize, &table, &budget)
    case .prefix:
      clusters = try Self.readPrefixCodes(&bits, integers, &table, &budget)
    }
    self.table = table
    try bits.checkEnd()
  }

  private static func readDistributions(
    _ bits: inout BitReader, _ integers: [HybridInteger], _ logAlphabetSize: Int, _ table: inout [UInt64],
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> [Cluster] {
    var clusters: [Cluster] = []
    try budget.allocate(count: integers.count << logAlphabetSize, bytesEach: 8)
    try budget.chargeWork(count: integers.count, unitsEach: 3000 + 20 << logAlphabetSize)
    for configuration in integers {
      let histogram = try Histogram(parsing: &bits, logAlphabetSize: logAlphabetSize)
      clusters.append(
        Cluster(
          integers: configuration, tableStart: Int32(truncatingIfNeeded: table.count),
          singleToken: histogram.singleSymbol.map { Int32(truncatingIfNeeded: $0) } ?? -1))
      table += AliasTable.entries(histogram.probabilities, logAlphabetSize: logAlphabetSize)
    }
    return clusters
  }

  private static func readPrefixCodes(
    _ bits: inout BitReader, _ integers: [HybridInteger], _ table: inout [UInt64], _ budget: inout ResourceBudget
  ) throws(CodecError) -> [Cluster] {
    var sizes: [Int] = []
    for _ in integers {
      guard try bits.readFlag() else {
        sizes.append(1)
        continue
      }
      let count = try bits.readInt(4)
      let size = 1 + (1 << count) + (try bits.readInt(count))
      guard size <= 1 << 15 else { throw bits.error(.malformed, "a prefix code has \(size) symbols") }
      sizes.append(size)
    }
    var clusters: [Cluster] = []
    for (configuration, size) in zip(integers, sizes) {
      // The table has at most twice as many entries as there are symbols, and those of the root.
      try budget.chargeWork(2000 + size * 8)
      let code = try PrefixCode(parsing: &bits, alphabetSize: size)
      try budget.allocate(count: code.entries.count, bytesEach: 8)
      clusters.append(
        Cluster(
          integers: configuration, tableStart: Int32(truncatingIfNeeded: table.count),
          singleToken: code.singleSymbol.map { Int32(truncatingIfNeeded: $0) } ?? -1))
      table += code.entries
    }
    return clusters
  }
}

extension EntropyCode.Copies {
  fileprivate init(parsing bits: inout BitReader) throws(CodecError) {
    firstToken = try bits.readU32(.value(224), .value(512), .value(4096), .bits(15, offset: 8))
    minimumLength = try bits.readU32(.value(3), .value(4), .bits(2, offset: 5), .bits(8, offset: 9))
    lengths = try HybridInteger(parsing: &bits, logAlphabetSize: 8)
    distanceCluster = 0
  }
}
