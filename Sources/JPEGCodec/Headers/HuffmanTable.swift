// DHT: code lengths and symbols to canonical codes to look-up tables for the bit reader. ITU-T T.81, sections B.2.4.2,
// C.2 and F.2.2.3.

internal import ImageCoding

/// A Huffman table as stored in the file.
package struct HuffmanTable: Hashable, Sendable {
  /// The number of codes of each length, 1…16 bits (Li); index 0 is length 1.
  package private(set) var counts: [UInt8]
  /// The symbols in order of their codes (Vij).
  package private(set) var symbols: [UInt8]

  /// Creates a table from its definition; `nil` unless the lengths form a prefix code and the number of symbols
  /// matches.
  package init?(counts: [UInt8], symbols: [UInt8]) {
    let total = counts.reduce(0) { $0 + Int($1) }
    guard counts.count == 16, total == symbols.count, total <= 256 else { return nil }
    var code = 0
    for (index, count) in counts.enumerated() {
      code += Int(count)
      // The code of all ones is accepted, as in libjpeg, although the specification reserves it.
      guard code <= 1 << (index + 1) else { return nil }
      code <<= 1
    }
    self.counts = counts
    self.symbols = symbols
  }

  /// Whether all symbols are valid sizes of DC differences.
  var isValidForDC: Bool { symbols.allSatisfy { $0 < 16 } }

  /// The four DC and four AC tables that a file can define.
  struct Set {
    var dc: [HuffmanTable?] = [nil, nil, nil, nil]
    var ac: [HuffmanTable?] = [nil, nil, nil, nil]
  }

  /// Parses a DHT segment into `tables`.
  static func parseSegment(_ reader: inout ByteReader, into tables: inout Set) throws(CodecError) {
    // A tail that is too short for a table is ignored, as in libjpeg.
    while reader.remaining > 16 {
      let head = Int(try reader.readUInt8())
      guard head & 15 < 4, head >> 4 < 2 else {
        throw reader.error(.malformed, "the destination of a Huffman table is not 0…3, or its class not 0…1")
      }
      var counts: [UInt8] = []
      for _ in 0..<16 { counts.append(try reader.readUInt8()) }
      let total = counts.reduce(0) { $0 + Int($1) }
      guard total <= 256, total <= reader.remaining else {
        throw reader.error(.malformed, "a Huffman table has too many symbols")
      }
      var symbols: [UInt8] = []
      for _ in 0..<total { symbols.append(try reader.readUInt8()) }
      guard let table = HuffmanTable(counts: counts, symbols: symbols) else {
        throw reader.error(.malformed, "the code lengths of a Huffman table do not form a prefix code")
      }
      if head >> 4 == 0 { tables.dc[head & 15] = table } else { tables.ac[head & 15] = table }
    }
  }
}

/// The look-up form of a Huffman table: a fixed number of words, so that the tables of a scan fit in one array.
///
/// Words `0..<1024` are indexed by the next ten bits of the stream:
///
///     31            16 15    10 9    6 5       0
///     ┌───────────────┬────────┬──────┬─────────┐
///     │ value         │ run    │ size │ bits    │
///     └───────────────┴────────┴──────┴─────────┘
///
/// If a coefficient's code and extra bits fit in ten bits, its entry holds the value, and `bits` is their combined
/// length; such a value is never zero. Otherwise the value is 0, `bits` is the length of the code and `size` the number
/// of extra bits. In a DC table, a run of 1 marks entries with a value, which may be zero. The word 0 means that the
/// code is longer than ten bits or does not exist.
///
/// Three arrays follow. The first holds for each length the code after the last one, left-aligned to 16 bits, by which
/// the length of codes above ten bits is found. The second holds for each length the offset from a code to the index of
/// its symbol. The third holds the symbols.
package enum HuffmanLookup {
  /// The number of bits used to index the direct look-up.
  package static let bitCount = 10
  static let limits = 1 << bitCount
  static let deltas = limits + 18
  static let symbols = deltas + 18
  /// The number of words in a table.
  package static let wordCount = symbols + 256

  /// Fills `words`, initially all zero, with the look-up form of `table`.
  package static func build(
    _ table: HuffmanTable, isDC: Bool, into words: inout MutableSpan<Int32>
  ) {
    precondition(words.count == wordCount, "the words do not hold exactly one table")
    var code = 0
    var place = 0
    for length in 1...16 {
      words[deltas + length] = Int32(truncatingIfNeeded: place - code)
      for _ in 0..<table.counts[length - 1] {
        let symbol = Int(table.symbols[place])
        words[symbols + place] = Int32(symbol)
        if length <= bitCount {
          fillEntries(of: code, length: length, symbol: symbol, isDC: isDC, into: &words)
        }
        code += 1
        place += 1
      }
      words[limits + length] = Int32(truncatingIfNeeded: code << (16 - length))
      code <<= 1
    }
    words[limits + 17] = .max
  }

  private static func fillEntries(
    of code: Int, length: Int, symbol: Int, isDC: Bool, into words: inout MutableSpan<Int32>
  ) {
    let size = symbol & 15
    let run = isDC ? 0 : symbol >> 4
    let used = length + size
    let first = code << (bitCount - length)
    for index in first..<first + (1 << (bitCount - length)) {
      if used <= bitCount, size > 0 || isDC {
        let extra = (index >> (bitCount - used)) & ((1 << size) - 1)
        words[index] = Int32(truncatingIfNeeded: extend(extra, size: size) << 16 | (isDC ? 1 : run) << 10 | used)
      } else {
        words[index] = Int32(truncatingIfNeeded: run << 10 | size << 6 | length)
      }
    }
  }

  /// Returns the value of `size` extra bits (EXTEND). ITU-T T.81, figure F.12.
  package static func extend(_ extra: Int, size: Int) -> Int {
    size > 0 && extra < 1 << (size - 1) ? extra - (1 << size) + 1 : extra
  }
}
