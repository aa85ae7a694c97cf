// Lookup of variable-length codes. In all of them, at most three bits after the first 1 matter.

/// All tables of CAVLC in one array. Each has eight entries for each number of leading zeros.
enum CodeLookup {
  static let entryCount = 128
  static let firstTotalZeros = coefficientTokens.count
  static let firstRun = firstTotalZeros + totalZeros.count

  /// Symbols, shifted left by five, plus the lengths of code words; 0 where there is none.
  static let entries: [UInt16] = {
    var entries: [UInt16] = []
    for table in coefficientTokens + totalZeros + runsBefore {
      var part = [UInt16](repeating: 0, count: entryCount)
      for zeroCount in 0..<16 {
        for bits in 0..<8 {
          // The bits of the stream that select the entry, followed by zeros, which do not matter.
          let code = (UInt32(8 + bits) << 28) >> UInt32(zeroCount)
          for (symbol, length) in table.lengths.enumerated() where length > 0 {
            if code >> (32 - UInt32(length)) == UInt32(table.values[symbol]) {
              part[zeroCount * 8 + bits] = UInt16(symbol << 5 | Int(length))
            }
          }
        }
      }
      entries += part
    }
    return entries
  }()
}
