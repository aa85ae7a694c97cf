// The representation of prefix codes in the stream (RFC 7932, sections 3.4 and 3.5).

/// A violation of RFC 7932.
struct BrotliDamage: Error {
  let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}

extension BrotliCodes {
  /// The order in which the lengths of the code of lengths are stored.
  private static let lengthOrder: [Int] = [1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15]

  /// Reads a group of codes over one alphabet.
  init(count: Int, alphabetSize: Int, _ bits: inout BrotliBits, _ input: Span<UInt8>) throws(BrotliDamage) {
    var lengths = [UInt8](repeating: 0, count: alphabetSize)
    for _ in 0..<count {
      for index in lengths.indices { lengths[index] = 0 }
      let skippedCount = bits.read(2, input)
      if skippedCount == 1 {
        try BrotliCodes.readSimpleCode(&lengths, &bits, input)
      } else {
        try BrotliCodes.readLengths(&lengths, skippedCount, &bits, input)
      }
      append(lengths: lengths.span)
      if bits.isPastEnd(of: input) { throw BrotliDamage("the stream ends inside a prefix code") }
    }
  }

  /// Reads a code of one to four symbols, which are listed.
  private static func readSimpleCode(
    _ lengths: inout [UInt8], _ bits: inout BrotliBits, _ input: Span<UInt8>
  ) throws(BrotliDamage) {
    let symbolBits = Int.bitWidth - (lengths.count - 1).leadingZeroBitCount
    let count = bits.read(2, input) + 1
    var symbols: [Int] = []
    for _ in 0..<count {
      let symbol = bits.read(symbolBits, input)
      guard symbol < lengths.count else { throw BrotliDamage("a prefix code has a symbol outside its alphabet") }
      guard !symbols.contains(symbol) else { throw BrotliDamage("a prefix code has the same symbol twice") }
      symbols.append(symbol)
    }
    let codeLengths: [UInt8] =
      switch count {
      case 1: [1]
      case 2: [1, 1]
      case 3: [1, 2, 2]
      default: bits.read(1, input) == 0 ? [2, 2, 2, 2] : [1, 2, 3, 3]
      }
    for (symbol, length) in zip(symbols, codeLengths) { lengths[symbol] = length }
  }

  /// Reads the lengths of a code, which are coded themselves.
  private static func readLengths(
    _ lengths: inout [UInt8], _ skippedCount: Int, _ bits: inout BrotliBits, _ input: Span<UInt8>
  ) throws(BrotliDamage) {
    let lengthCode = try readLengthCode(skippedCount, &bits, input)
    let entries = lengthCode.entries.span
    let handle = lengthCode.handles[0]
    var index = 0
    var space = 1 << maximumLength
    var previous: UInt8 = 8
    var (repeated, repeatCount) = (UInt8(0), 0)
    while index < lengths.count, space > 0 {
      bits.refill(input)
      let symbol = BrotliCodes.symbol(entries, handle, &bits)
      if symbol < 16 {
        lengths[index] = UInt8(truncatingIfNeeded: symbol)
        index += 1
        repeatCount = 0
        if symbol > 0 {
          previous = UInt8(truncatingIfNeeded: symbol)
          space -= 1 << (maximumLength - symbol)
        }
        continue
      }
      // Successive repetitions of the same kind are the digits of one number.
      let extraBits = symbol - 14
      let length = symbol == 16 ? previous : 0
      if length != repeated { repeatCount = 0 }
      repeated = length
      let before = repeatCount
      if repeatCount > 0 { repeatCount = (repeatCount - 2) << extraBits }
      repeatCount += 3 + bits.take(extraBits)
      let added = repeatCount - before
      guard added <= lengths.count - index else { throw BrotliDamage("a prefix code has too many lengths") }
      if length > 0 {
        for position in index..<index + added { lengths[position] = length }
        space -= added << (maximumLength - Int(length))
      }
      index += added
    }
    guard space == 0 else { throw BrotliDamage("a prefix code is incomplete or has too many codes") }
  }

  /// Reads the code of the lengths.
  private static func readLengthCode(
    _ skippedCount: Int, _ bits: inout BrotliBits, _ input: Span<UInt8>
  ) throws(BrotliDamage) -> BrotliCodes {
    var lengths = [UInt8](repeating: 0, count: 18)
    var space = 32
    var usedCount = 0
    for symbol in lengthOrder[skippedCount...] where space > 0 {
      bits.refill(input)
      let length: UInt8
      switch bits.bits & 15 {
      case 0, 4, 8, 12: length = 0
      case 2, 6, 10, 14: length = 3
      case 1, 5, 9, 13: length = 4
      case 3, 11: length = 2
      case 7: length = 1
      default: length = 5
      }
      bits.drop([2, 4, 3, 2, 2, 4][Int(length)])
      lengths[symbol] = length
      if length > 0 {
        space -= 32 >> Int(length)
        usedCount += 1
      }
    }
    guard space == 0 || usedCount == 1 else {
      throw BrotliDamage("the code of code lengths is incomplete or has too many codes")
    }
    var code = BrotliCodes()
    code.append(lengths: lengths.span)
    return code
  }
}
