// Writes the lengths of prefix codes (RFC 9649, section 3.7.2.1).

/// A code of one alphabet, ready to write symbols with.
struct WritablePrefixCode {
  /// The lengths; all zero if there is only one symbol, which then needs no bits.
  private(set) var lengths: [UInt8]
  private(set) var codes: [UInt16]

  static let greatestLength = 15

  /// Creates the code of a histogram and writes its lengths.
  init(_ counts: Span<UInt32>, _ writer: inout LosslessBitWriter) {
    var smoothed = [UInt32](repeating: 0, count: counts.count)
    for index in counts.indices { smoothed[index] = counts[index] }
    var span = smoothed.mutableSpan
    smoothForRuns(&span)
    var lengths = prefixCodeLengths(of: span.span, limit: Self.greatestLength)
    codes = canonicalPrefixCodes(lengths.span)
    let symbols = lengths.indices.filter { lengths[$0] != 0 }
    if symbols.count <= 2, symbols.allSatisfy({ $0 < 256 }) {
      Self.writeSimple(symbols, &writer)
    } else {
      Self.writeNormal(lengths, &writer)
    }
    if symbols.count <= 1 { for symbol in symbols { lengths[symbol] = 0 } }
    self.lengths = lengths
  }

  private static func writeSimple(_ symbols: [Int], _ writer: inout LosslessBitWriter) {
    let first = UInt32(symbols.first ?? 0)
    writer.write(1, 1)
    writer.write(symbols.count == 2 ? 1 : 0, 1)
    writer.write(first > 1 ? 1 : 0, 1)
    writer.write(first, first > 1 ? 8 : 1)
    if symbols.count == 2 { writer.write(UInt32(symbols[1]), 8) }
  }

  /// A symbol of the code of code lengths, with its extra bits.
  private struct LengthToken {
    var symbol: Int
    var extraBits: UInt32 = 0
    var extraBitCount = 0
  }

  /// The order in which the lengths of the code of code lengths are stored.
  private static let order = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]

  private static func writeNormal(_ lengths: [UInt8], _ writer: inout LosslessBitWriter) {
    let tokens = runs(lengths)
    var histogram = [UInt32](repeating: 0, count: 19)
    for token in tokens { histogram[token.symbol] += 1 }
    var codeLengths = prefixCodeLengths(of: histogram.span, limit: 7)
    let codes = canonicalPrefixCodes(codeLengths.span)
    writer.write(0, 1)
    let storedCount = max(4, (order.lastIndex { codeLengths[$0] != 0 } ?? 0) + 1)
    writer.write(UInt32(storedCount - 4), 4)
    for index in 0..<storedCount { writer.write(UInt32(codeLengths[order[index]]), 3) }
    if histogram.filter({ $0 != 0 }).count <= 1 { codeLengths = [UInt8](repeating: 0, count: 19) }
    let count = trimmedCount(tokens, codeLengths)
    if let count {
      writer.write(1, 1)
      let value = UInt32(count - 2)
      let pairs = max(1, (33 - value.leadingZeroBitCount) / 2)
      writer.write(UInt32(pairs - 1), 3)
      writer.write(value, 2 * pairs)
    } else {
      writer.write(0, 1)
    }
    for token in tokens.prefix(count ?? tokens.count) {
      writer.write(UInt32(codes[token.symbol]), Int(codeLengths[token.symbol]))
      if token.extraBitCount > 0 { writer.write(token.extraBits, token.extraBitCount) }
    }
  }

  /// Returns the number of tokens without the zeros at the end, if leaving them out is worth the bits of the number.
  private static func trimmedCount(_ tokens: [LengthToken], _ codeLengths: [UInt8]) -> Int? {
    var count = tokens.count
    var savedBits = 0
    while count > 0, let token = tokens[..<count].last, token.symbol == 0 || token.symbol >= 17 {
      savedBits += Int(codeLengths[token.symbol]) + token.extraBitCount
      count -= 1
    }
    return count > 1 && savedBits > 12 ? count : nil
  }

  /// Returns lengths as symbols 0…15, repetitions of the last length that is not zero (16), and runs of zeros (17, 18).
  private static func runs(_ lengths: [UInt8]) -> [LengthToken] {
    var tokens: [LengthToken] = []
    var previous: UInt8 = 8
    var start = 0
    while start < lengths.count {
      let value = lengths[start]
      var end = start + 1
      while end < lengths.count, lengths[end] == value { end += 1 }
      var rest = end - start
      if value == 0 {
        while rest >= 3 {
          let count = min(rest, 138)
          tokens.append(
            count <= 10
              ? LengthToken(symbol: 17, extraBits: UInt32(count - 3), extraBitCount: 3)
              : LengthToken(symbol: 18, extraBits: UInt32(count - 11), extraBitCount: 7))
          rest -= count
        }
      } else {
        if value != previous {
          tokens.append(LengthToken(symbol: Int(value)))
          rest -= 1
          previous = value
        }
        while rest >= 3 {
          let count = min(rest, 6)
          tokens.append(LengthToken(symbol: 16, extraBits: UInt32(count - 3), extraBitCount: 2))
          rest -= count
        }
      }
      for _ in 0..<rest { tokens.append(LengthToken(symbol: Int(value))) }
      start = end
    }
    return tokens
  }

  /// Writes a symbol.
  @inline(__always)
  func write(_ symbol: Int, _ writer: inout LosslessBitWriter) {
    writer.write(UInt32(codes[symbol]), Int(lengths[symbol]))
  }
}
