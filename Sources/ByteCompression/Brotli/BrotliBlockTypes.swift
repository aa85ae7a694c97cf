// The division of literals, commands and distances into blocks of different types (RFC 7932, section 6).

/// The block types of one kind of symbols, and the current block.
struct BrotliBlockTypes {
  /// The number of types, 1…256.
  let count: Int
  /// The type of the current block.
  private(set) var current = 0
  /// The number of symbols that remain in the current block.
  var remaining: Int
  private var previous = 1
  private let typeCodes: BrotliCodes
  private let lengthCodes: BrotliCodes

  /// The smallest block lengths and the number of bits that are added to them, by symbol.
  private static let lengths = BrotliCodedNumbers(
    first: 1, extraBits: [2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 7, 8, 9, 10, 11, 12, 13, 24])

  /// Reads the types and the length of the first block.
  init(_ bits: inout BrotliBits, _ input: Span<UInt8>) throws(BrotliDamage) {
    count = BrotliContexts.readCount(&bits, input)
    if count == 1 {
      (typeCodes, lengthCodes) = (BrotliCodes(), BrotliCodes())
      remaining = .max
    } else {
      typeCodes = try BrotliCodes(count: 1, alphabetSize: count + 2, &bits, input)
      lengthCodes = try BrotliCodes(
        count: 1, alphabetSize: BrotliBlockTypes.lengths.count, &bits, input)
      remaining = 0
      remaining = readLength(&bits, input)
    }
  }

  private func readLength(_ bits: inout BrotliBits, _ input: Span<UInt8>) -> Int {
    let symbol = lengthCodes.symbol(0, &bits, input)
    let (first, extraBits) = BrotliBlockTypes.lengths[symbol]
    return first + bits.read(extraBits, input)
  }

  /// Begins the next block.
  @inline(never)
  mutating func advance(_ bits: inout BrotliBits, _ input: Span<UInt8>) {
    guard count > 1 else {
      remaining = .max
      return
    }
    let symbol = typeCodes.symbol(0, &bits, input)
    let next =
      switch symbol {
      case 0: previous
      case 1: current + 1 == count ? 0 : current + 1
      default: symbol - 2
      }
    (previous, current) = (current, next)
    remaining = readLength(&bits, input)
  }
}

/// Numbers that are coded as a symbol and extra bits. The ranges of successive symbols adjoin.
struct BrotliCodedNumbers: Sendable {
  private let numbers: [(first: Int, extraBits: Int)]

  init(first: Int, extraBits: [Int]) {
    var first = first
    numbers = extraBits.map { bits in
      defer { first += 1 << bits }
      return (first, bits)
    }
  }

  /// The number of symbols.
  var count: Int { numbers.count }

  subscript(symbol: Int) -> (first: Int, extraBits: Int) { numbers[symbol] }
}
