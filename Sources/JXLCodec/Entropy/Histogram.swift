// The distributions of ANS (ISO/IEC 18181-1, C.2.5).

internal import ImageCoding

/// The probabilities of the symbols of a cluster, in 4096ths.
struct Histogram: Sendable {
  /// The sum of all probabilities.
  static let total = 4096
  static let logTotal = 12

  /// The probabilities of at most 256 symbols.
  private(set) var probabilities: [UInt16]

  /// The symbol that has all of the probability, if there is one.
  var singleSymbol: Int? { probabilities.firstIndex { Int($0) == Self.total } }

  init(parsing bits: inout BitReader, logAlphabetSize: Int) throws(CodecError) {
    probabilities = []
    if try bits.readFlag() {
      try readOneOrTwo(&bits)
    } else if try bits.readFlag() {
      let count = try Self.readByte(&bits) + 1
      let (each, rest) = Self.total.quotientAndRemainder(dividingBy: count)
      probabilities = (0..<count).map { UInt16(each + ($0 < rest ? 1 : 0)) }
    } else {
      try readGeneral(&bits)
    }
    guard probabilities.count <= 1 << logAlphabetSize else {
      throw bits.error(.malformed, "a distribution has \(probabilities.count) symbols")
    }
  }

  private mutating func readOneOrTwo(_ bits: inout BitReader) throws(CodecError) {
    guard try bits.readFlag() else {
      let symbol = try Self.readByte(&bits)
      probabilities = [UInt16](repeating: 0, count: symbol + 1)
      probabilities[symbol] = UInt16(Self.total)
      return
    }
    let (first, second) = (try Self.readByte(&bits), try Self.readByte(&bits))
    guard first != second else { throw bits.error(.malformed, "a distribution has the same symbol twice") }
    let probability = try bits.readInt(12)
    probabilities = [UInt16](repeating: 0, count: max(first, second) + 1)
    probabilities[first] = UInt16(probability)
    probabilities[second] = UInt16(Self.total - probability)
  }

  /// The logarithm and the number of bits of the code word at the start of each pattern of seven bits.
  private static let logCountTable: [(log: UInt8, bitCount: UInt8)] = (0..<128).map { pattern in
    for (log, word) in logCountCode.enumerated() where pattern & (1 << word.count - 1) == word.bits {
      return (UInt8(log), UInt8(word.count))
    }
    return (0, 7)
  }

  /// The code words of the logarithms 0…13: their bits, the first one least significant, and their number.
  private static let logCountCode: [(bits: Int, count: Int)] = [
    (0b10001, 5), (0b1011, 4), (0b1111, 4), (0b0011, 4), (0b1001, 4), (0b0111, 4), (0b100, 3), (0b010, 3),
    (0b101, 3), (0b110, 3), (0b000, 3), (0b100001, 6), (0b0000001, 7), (0b1000001, 7),
  ]

  private static let runLength: UInt8 = 13

  private mutating func readGeneral(_ bits: inout BitReader) throws(CodecError) {
    var length = 0
    while length < 3, try bits.readFlag() { length += 1 }
    let shift = try bits.readInt(length) + 1 << length - 1
    guard shift <= 13 else { throw bits.error(.malformed, "the precision of a distribution is \(shift)") }
    let count = try Self.readByte(&bits) + 3
    var logs = [UInt8](repeating: 0, count: count)
    // Whether a symbol has the probability of the previous one.
    var isRepeated = [Bool](repeating: false, count: count)
    let omitted = try Self.readLogs(&bits, &logs, &isRepeated)
    guard omitted == count - 1 || !isRepeated[omitted + 1] else {
      throw bits.error(.malformed, "a run of probabilities follows the one that is omitted")
    }
    probabilities = [UInt16](repeating: 0, count: count)
    var (sum, previous) = (0, 0)
    for symbol in 0..<count {
      if isRepeated[symbol] {
        probabilities[symbol] = UInt16(truncatingIfNeeded: previous)
      } else if symbol == omitted {
        previous = 0
        continue
      } else {
        let log = Int(logs[symbol])
        previous = log
        if log > 1 {
          let bitCount = min(max(shift - ((12 - (log - 1)) >> 1), 0), log - 1)
          previous = 1 << (log - 1) + (try bits.readInt(bitCount)) << (log - 1 - bitCount)
        }
        probabilities[symbol] = UInt16(truncatingIfNeeded: previous)
      }
      sum += previous
      guard sum < Self.total else { throw bits.error(.malformed, "the probabilities exceed 1") }
    }
    probabilities[omitted] = UInt16(Self.total - sum)
  }

  /// Reads the logarithms, and returns the symbol whose probability is omitted.
  private static func readLogs(
    _ bits: inout BitReader, _ logs: inout [UInt8], _ isRepeated: inout [Bool]
  ) throws(CodecError) -> Int {
    let table = logCountTable
    var (omitted, largest) = (0, -1)
    var symbol = 0
    while symbol < logs.count {
      bits.refill()
      let entry = table[Int(truncatingIfNeeded: bits.loadedBits & 127)]
      bits.consume(Int(entry.bitCount))
      try bits.checkEnd()
      if entry.log == runLength {
        let length = try readByte(&bits) + 4
        guard symbol + length <= logs.count else {
          throw bits.error(.malformed, "a run of probabilities exceeds the symbols")
        }
        for index in symbol..<symbol + length { isRepeated[index] = true }
        symbol += length
        continue
      }
      logs[symbol] = entry.log
      if Int(entry.log) > largest { (omitted, largest) = (symbol, Int(entry.log)) }
      symbol += 1
    }
    guard largest >= 0 else { throw bits.error(.malformed, "a distribution has no symbol") }
    return omitted
  }

  /// `U8`: a number of 0…255.
  private static func readByte(_ bits: inout BitReader) throws(CodecError) -> Int {
    guard try bits.readFlag() else { return 0 }
    let count = try bits.readInt(3)
    return 1 << count + (try bits.readInt(count))
  }
}
