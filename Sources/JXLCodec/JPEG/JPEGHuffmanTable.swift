// Huffman tables of JPEG files (ITU-T T.81, B.2.4.2 and annex C).

internal import ImageCoding

/// A Huffman table as it is stored, and its codes.
struct JPEGHuffmanTable: Sendable {
  let isAC: Bool
  /// The destination, 0…3.
  let destination: Int
  /// Whether the table is the last one of its segment.
  let isLast: Bool
  /// The numbers of codes of 1…16 bits.
  private(set) var counts: [UInt8] = []
  /// The symbols in the order of their codes.
  private(set) var symbols: [UInt8] = []

  /// Reads a table. An additional symbol that has the longest code, the last one, is not part of it.
  init(parsing bits: inout BitReader) throws(CodecError) {
    isAC = try bits.readFlag()
    destination = try bits.readInt(2)
    isLast = try bits.readFlag()
    var numbers: [Int] = []
    for _ in 0...16 {
      numbers.append(try bits.readInt(.value(0), .value(1), .bits(3, offset: 2), .bits(8)))
    }
    let count = numbers.reduce(0, +)
    guard let longest = numbers.lastIndex(where: { $0 > 0 }), numbers[0] == 0, count <= 257,
      Self.isPrefixCode(numbers)
    else {
      throw bits.error(.malformed, "the code lengths of a Huffman table are invalid")
    }
    var isUsed = [Bool](repeating: false, count: 257)
    for index in 0..<count {
      let symbol = try bits.readInt(.bits(2), .bits(2, offset: 4), .bits(4, offset: 8), .bits(8, offset: 1))
      guard !isUsed[symbol], (symbol == 256) == (index == count - 1), isAC || symbol < 12 || symbol == 256 else {
        throw bits.error(.malformed, "the symbols of a Huffman table are invalid")
      }
      isUsed[symbol] = true
      if symbol < 256 { symbols.append(UInt8(symbol)) }
    }
    numbers[longest] -= 1
    counts = numbers.dropFirst().map { UInt8(truncatingIfNeeded: $0) }
  }

  private static func isPrefixCode(_ numbers: [Int]) -> Bool {
    var free = 1
    for number in numbers.dropFirst() {
      free = 2 * free - number
      guard free >= 0 else { return false }
    }
    return true
  }

  /// The codes of all symbols: the number of bits above sixteen bits of the code; 0 for symbols that have none.
  var codes: [UInt32] {
    var result = [UInt32](repeating: 0, count: 256)
    var (code, index): (UInt32, Int) = (0, 0)
    for (length, count) in counts.enumerated() {
      for _ in 0..<count {
        result[Int(symbols[index])] = UInt32(length + 1) << 16 | code
        index += 1
        code += 1
      }
      code <<= 1
    }
    return result
  }
}
