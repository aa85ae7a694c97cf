// Estimates of the sizes of codes before they are known, by which matches that do not pay are left out.

/// Estimates of the numbers of bits of symbols.
struct SymbolCosts: Sendable {
  /// The cost of each byte as a literal, in eighths of bits.
  private var literals = InlineArray<256, UInt8>(repeating: 48)
  /// The cost of the codes of a length and a distance without extra bits, in eighths of bits.
  private var match = 72
  /// The matches of this length or more pay in any case.
  private static let longLength = 32

  /// Whether nothing has been learned yet.
  private(set) var isInitial = true

  /// Estimates the costs of literals from the frequencies of all bytes of a part.
  mutating func prepare(for bytes: Span<UInt8>) {
    var counts = InlineArray<256, UInt32>(repeating: 1)
    for index in bytes.indices { counts[Int(bytes[index])] &+= 1 }
    setLiterals(counts, total: UInt32(truncatingIfNeeded: bytes.count + 256))
  }

  /// Learns the costs from the symbols of a part.
  mutating func learn(_ symbols: SymbolCounts) {
    isInitial = false
    var counts = InlineArray<256, UInt32>(repeating: 1)
    var (literalCount, matchCount): (UInt32, UInt32) = (256, 0)
    for value in 0..<256 {
      counts[value] &+= symbols.values[value]
      literalCount &+= symbols.values[value]
    }
    for symbol in 257..<DeflateSymbols.literalCount { matchCount &+= symbols.values[symbol] }
    setLiterals(counts, total: literalCount &+ matchCount)
    guard matchCount > 0 else {
      match = 160
      return
    }
    let length = Self.cost(symbols.values[257..<DeflateSymbols.literalCount], total: literalCount &+ matchCount)
    let distance = Self.cost(symbols.values[DeflateSymbols.literalCount...], total: matchCount)
    match = Int((length + distance) / UInt64(matchCount))
  }

  /// The cost of some symbols in eighths of bits.
  private static func cost(_ counts: ArraySlice<UInt32>, total: UInt32) -> UInt64 {
    let logarithm = BinaryLogarithm.fixedPoint(total)
    var sum: UInt64 = 0
    for count in counts where count > 0 {
      sum += UInt64(count) * UInt64(logarithm - BinaryLogarithm.fixedPoint(count))
    }
    return sum >> 13
  }

  private mutating func setLiterals(_ counts: InlineArray<256, UInt32>, total: UInt32) {
    let logarithm = BinaryLogarithm.fixedPoint(total)
    for value in 0..<256 {
      let cost = (logarithm &- BinaryLogarithm.fixedPoint(counts[value])) >> 13
      literals[value] = UInt8(truncatingIfNeeded: min(max(cost, 8), 120))
    }
  }

  /// Whether a match is likely to take fewer bits than its bytes as literals.
  @inline(__always)
  func areHigher(than candidate: DeflateMatch, _ bytes: Span<UInt8>, _ index: Int) -> Bool {
    if candidate.length >= Self.longLength { return true }
    var sum = 0
    for offset in 0..<candidate.length { sum &+= Int(literals[Int(bytes[index &+ offset])]) }
    let extraBitCount = max(0, Int.bitWidth &- 2 &- candidate.distance.leadingZeroBitCount)
    return sum > match &+ 16 &+ 8 &* extraBitCount
  }
}
