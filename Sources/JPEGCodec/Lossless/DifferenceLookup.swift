// The look-up form of the Huffman tables of the lossless process: most differences are found in one step. ITU-T T.81,
// section H.1.2.2.

internal import ImageCoding

/// The tables of the components of a scan.
///
/// A table has 4,096 words that are indexed by the next twelve bits of the stream, followed by a ``HuffmanLookup`` for
/// longer codes:
///
///     31            16     11     10    6 5       0
///     ┌───────────────┬───┬──────┬───────┬─────────┐
///     │ difference    │ 0 │ flag │ size  │ bits    │
///     └───────────────┴───┴──────┴───────┴─────────┘
///
/// With the flag, the word holds the difference, and `bits` is the length of the code and its extra bits. Without it,
/// `bits` is the length of the code and `size` the number of extra bits. The word 0 means that the code is longer.
struct DifferenceLookup {
  /// The words of all components, one table after the other.
  private(set) var words: [Int32] = []
  /// Whether all components have the same table.
  let isShared: Bool

  static let bitCount = 12
  static let hasDifference: Int32 = 1 << 11
  /// The number of words of a table.
  static let wordCount = 1 << bitCount + HuffmanLookup.wordCount

  /// The number of bytes of the tables of the components.
  static func byteCount(componentCount: Int) -> Int { wordCount * 4 * componentCount }

  /// Builds the tables of a scan.
  ///
  /// - Throws: `CodecError.Kind.malformed` if a table is not defined or has a category above 16.
  init(_ scan: LosslessScanHeader, _ tables: [HuffmanTable?], byteOffset: Int) throws(CodecError) {
    isShared = scan.tables.allSatisfy { $0 == scan.tables[0] }
    for selector in isShared ? [scan.tables[0]] : scan.tables {
      guard selector < tables.count, let table = tables[selector], table.symbols.allSatisfy({ $0 <= 16 }) else {
        throw CodecError(
          .malformed, "the scan uses a Huffman table that is not defined, or is none of differences",
          format: JPEGDecoder.type, byteOffset: byteOffset)
      }
      append(table)
    }
  }

  private mutating func append(_ table: HuffmanTable) {
    let start = words.count
    words.append(contentsOf: repeatElement(0, count: Self.wordCount))
    var code = 0
    var place = 0
    for length in 1...Self.bitCount {
      for _ in 0..<table.counts[length - 1] {
        let size = Int(table.symbols[place])
        // The category 16 has no extra bits: its difference is 32,768.
        let extra = size == 16 ? 0 : size
        let first = code << (Self.bitCount - length)
        for index in first..<first + (1 << (Self.bitCount - length)) {
          words[start + index] = Self.word(index, length: length, size: size, extra: extra)
        }
        code += 1
        place += 1
      }
      code <<= 1
    }
    let long = start + 1 << Self.bitCount
    var tail = words.mutableSpan._consumingExtracting(long..<start + Self.wordCount)
    HuffmanLookup.build(table, isDC: true, into: &tail)
  }

  private static func word(_ index: Int, length: Int, size: Int, extra: Int) -> Int32 {
    guard length + extra <= bitCount else { return Int32(truncatingIfNeeded: size << 6 | length) }
    let bits = (index >> (bitCount - length - extra)) & ((1 << extra) - 1)
    let difference = size == 16 ? 32_768 : HuffmanLookup.extend(bits, size: size)
    return Int32(truncatingIfNeeded: difference << 16 | Int(hasDifference) | length + extra)
  }
}
