// Huffman tables in the form needed for writing: the code of every symbol. ITU-T T.81, annex C.

/// The codes of two DC and two AC tables in one array.
struct HuffmanCodes {
  /// For each symbol its code, shifted left by 8, and the length of the code; 0 if the table lacks the symbol.
  private(set) var entries = [UInt32](repeating: 0, count: 2 * 16 + 2 * 256)

  /// For each AC table, run of 0…15 and value of −64…63: the code and the value's bits, shifted left by 8, and the number
  /// of all these bits. Empty until ``prepareSmallValues()``.
  private(set) var smallValues: [UInt32] = []

  /// The index of the value −64 after a run of 0 in ``smallValues``.
  static func smallValueStart(_ table: Int) -> Int { table &* 2048 }

  /// The index of symbol 0 of a DC table.
  static func dcStart(_ table: Int) -> Int { table * 16 }
  /// The index of symbol 0 of an AC table.
  static func acStart(_ table: Int) -> Int { 32 + table * 256 }

  /// The tables of ITU-T T.81, section K.3.
  static let standard: HuffmanCodes = {
    var codes = HuffmanCodes()
    for index in 0..<2 {
      if let table = HuffmanTable.standardDC(index) { codes.set(table, at: dcStart(index)) }
      if let table = HuffmanTable.standardAC(index) { codes.set(table, at: acStart(index)) }
    }
    codes.prepareSmallValues()
    return codes
  }()

  /// Derives ``smallValues`` from the AC tables.
  mutating func prepareSmallValues() {
    var values = [UInt32](repeating: 0, count: 2 * 2048)
    for table in 0..<2 {
      for run in 0..<16 {
        for value in -64..<64 where value != 0 {
          let (size, bits) = extraBits(Int32(value))
          let entry = entries[Self.acStart(table) + run * 16 + size]
          if entry == 0 { continue }
          values[Self.smallValueStart(table) + run * 128 + value + 64] =
            ((entry >> 8) << UInt32(size) | UInt32(truncatingIfNeeded: bits)) << 8 | ((entry & 0xFF) + UInt32(size))
        }
      }
    }
    smallValues = values
  }

  /// Replaces a table.
  mutating func set(_ table: HuffmanTable, at start: Int) {
    let symbolCount = start < 32 ? 16 : 256
    for index in start..<start + symbolCount { entries[index] = 0 }
    var code: UInt32 = 0
    var place = 0
    for (index, count) in table.counts.enumerated() {
      for _ in 0..<count {
        let symbol = Int(table.symbols[place])
        if symbol < symbolCount { entries[start + symbol] = code << 8 | UInt32(index + 1) }
        code += 1
        place += 1
      }
      code <<= 1
    }
  }
}

extension HuffmanTable {
  /// Creates the table of minimal total length for symbols that occur `counts` times. Codes have at most 16 bits, and
  /// none is all ones. ITU-T T.81, section K.2; ties are broken as in libjpeg.
  ///
  /// - Parameter counts: at most 256 counts of at most a billion each.
  package init?(optimalFor counts: [Int]) {
    // A dummy symbol, added last, reserves the code of all ones.
    var frequencies = counts + [Int](repeating: 0, count: max(0, 256 - counts.count)) + [1]
    var lengths = [Int](repeating: 0, count: 257)
    var next = [Int](repeating: -1, count: 257)
    while true {
      guard let first = Self.rarest(frequencies, except: nil) else { break }
      guard let second = Self.rarest(frequencies, except: first) else { break }
      frequencies[first] += frequencies[second]
      frequencies[second] = 0
      var end = first
      lengths[end] += 1
      while next[end] >= 0 {
        end = next[end]
        lengths[end] += 1
      }
      next[end] = second
      end = second
      lengths[end] += 1
      while next[end] >= 0 {
        end = next[end]
        lengths[end] += 1
      }
    }
    let codeCounts = Self.limitedTo16Bits(lengths)
    // Sorted by their lengths before the limit, so that the order of lengths is preserved.
    let symbols = (0..<256).filter { lengths[$0] > 0 }.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
    self.init(counts: codeCounts, symbols: symbols.map { UInt8($0) })
  }

  /// The symbol with the lowest nonzero frequency; the last one if there are several.
  private static func rarest(_ frequencies: [Int], except excluded: Int?) -> Int? {
    var result: Int?
    var least = 1_000_000_000
    for (symbol, frequency) in frequencies.enumerated()
    where frequency > 0 && frequency <= least && symbol != excluded {
      least = frequency
      result = symbol
    }
    return result
  }

  /// The number of codes of each length up to 16 bits, without the code of the dummy symbol.
  private static func limitedTo16Bits(_ lengths: [Int]) -> [UInt8] {
    var counts = [Int](repeating: 0, count: 258)
    for length in lengths where length > 0 { counts[length] += 1 }
    var length = 257
    while length > 16 {
      while counts[length] > 0 {
        // Shorten a pair: one symbol takes their common prefix, the other is paired with a shorter code.
        var shorter = length - 2
        while counts[shorter] == 0 { shorter -= 1 }
        counts[length] -= 2
        counts[length - 1] += 1
        counts[shorter + 1] += 2
        counts[shorter] -= 1
      }
      length -= 1
    }
    while length > 0, counts[length] == 0 { length -= 1 }
    if length > 0 { counts[length] -= 1 }
    return counts[1...16].map { UInt8(truncatingIfNeeded: $0) }
  }
}
