// Prefix codes, which have the form of Brotli's (RFC 7932, sections 3.4 and 3.5).

internal import ImageCoding

/// The decoding table of a prefix code.
struct PrefixCode: Sendable {
  /// The number of bits by which the first entries are found.
  static let rootBitCount = 8
  private static let maximumLength = 15

  /// For each pattern of ``rootBitCount`` bits: the length in the low 8 bits, the symbol above. The low 8 bits of
  /// longer codes are 0x80 plus the number of bits by which the second entry is found, with its index above.
  private(set) var entries: [UInt64] = []
  /// The symbol of a code of which no bits are stored.
  private(set) var singleSymbol: Int?

  init(parsing bits: inout BitReader, alphabetSize: Int) throws(CodecError) {
    guard alphabetSize > 1 else {
      setSingle(0)
      return
    }
    var lengths = [UInt8](repeating: 0, count: alphabetSize)
    let skipped = try bits.readInt(2)
    if skipped == 1 {
      try readSimple(&bits, &lengths)
    } else {
      try readLengths(&bits, &lengths, skipped)
    }
  }

  private mutating func setSingle(_ symbol: Int) {
    singleSymbol = symbol
    entries = [UInt64](repeating: UInt64(symbol) << 8, count: 1 << Self.rootBitCount)
  }

  private mutating func readSimple(_ bits: inout BitReader, _ lengths: inout [UInt8]) throws(CodecError) {
    let count = try bits.readInt(2) + 1
    let bitCount = Int.bitWidth - (lengths.count - 1).leadingZeroBitCount
    var symbols: [Int] = []
    for _ in 0..<count {
      let symbol = try bits.readInt(bitCount)
      guard symbol < lengths.count, !symbols.contains(symbol) else {
        throw bits.error(.malformed, "the symbol \(symbol) of a prefix code is repeated or too large")
      }
      symbols.append(symbol)
    }
    let shape: [UInt8]
    switch count {
    case 1:
      setSingle(symbols[0])
      return
    case 2: shape = [1, 1]
    case 3: shape = [1, 2, 2]
    default: shape = try bits.readFlag() ? [1, 2, 3, 3] : [2, 2, 2, 2]
    }
    for (symbol, length) in zip(symbols, shape) { lengths[symbol] = length }
    setEntries(lengths)
  }

  private static let lengthOrder = [1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15]

  private mutating func readLengths(
    _ bits: inout BitReader, _ lengths: inout [UInt8], _ skipped: Int
  ) throws(CodecError) {
    var codeLengths = [UInt8](repeating: 0, count: 18)
    var (space, usedCount) = (32, 0)
    for position in skipped..<18 where space > 0 {
      let length = try Self.readCodeLength(&bits)
      codeLengths[Self.lengthOrder[position]] = length
      if length > 0 {
        space -= 32 >> Int(length)
        usedCount += 1
      }
    }
    guard space == 0 || usedCount == 1 else { throw bits.error(.malformed, "a code of code lengths is not complete") }
    var code = self
    if usedCount == 1 {
      code.setSingle(codeLengths.firstIndex { $0 > 0 } ?? 0)
    } else {
      code.setEntries(codeLengths)
    }
    try Self.readSymbolLengths(&bits, code, &lengths)
    setEntries(lengths)
  }

  /// Reads a length of 0…5 by a fixed code.
  private static func readCodeLength(_ bits: inout BitReader) throws(CodecError) -> UInt8 {
    switch try bits.readBits(2) {
    case 0: return 0
    case 1: return 4
    case 2: return 3
    default: break
    }
    guard try bits.readFlag() else { return 2 }
    return try bits.readFlag() ? 5 : 1
  }

  private static func readSymbolLengths(
    _ bits: inout BitReader, _ code: PrefixCode, _ lengths: inout [UInt8]
  ) throws(CodecError) {
    var (space, previous, symbol) = (1 << maximumLength, UInt8(8), 0)
    var (repeated, repeatCount): (UInt8?, Int) = (nil, 0)
    while symbol < lengths.count, space > 0 {
      bits.refill()
      let entry = code.entries[Int(truncatingIfNeeded: bits.loadedBits & 255)]
      bits.consume(Int(truncatingIfNeeded: entry & 255))
      let token = UInt8(truncatingIfNeeded: entry >> 8)
      if token < 16 {
        lengths[symbol] = token
        symbol += 1
        repeated = nil
        if token > 0 {
          previous = token
          space -= 1 << (maximumLength - Int(token))
        }
        continue
      }
      let (bitCount, length): (Int, UInt8) = token == 16 ? (2, previous) : (3, 0)
      let old = repeated == length ? repeatCount : 0
      repeatCount = (old > 0 ? (old - 2) << bitCount : 0) + Int(bits.takeLoaded(bitCount)) + 3
      repeated = length
      let added = repeatCount - old
      guard symbol + added <= lengths.count else { throw bits.error(.malformed, "code lengths exceed their symbols") }
      for index in symbol..<symbol + added { lengths[index] = length }
      symbol += added
      if length > 0 { space -= added << (maximumLength - Int(length)) }
    }
    try bits.checkEnd()
    guard space == 0 else { throw bits.error(.malformed, "a prefix code is not complete") }
  }

  /// Assigns canonical codes: shorter ones first, and symbols of equal length in ascending order.
  private mutating func setEntries(_ lengths: [UInt8]) {
    let root = Self.rootBitCount
    entries = [UInt64](repeating: 0, count: 1 << root)
    var counts = [Int](repeating: 0, count: Self.maximumLength + 1)
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    var next = [Int](repeating: 0, count: Self.maximumLength + 2)
    var start = 0
    for length in 1...Self.maximumLength {
      next[length] = start
      start = (start + counts[length]) << 1
    }
    // The greatest length among the codes with the same first bits is the size of their second table.
    var codes: [(symbol: Int, length: Int, pattern: Int)] = []
    var secondSizes = [Int](repeating: 0, count: 1 << root)
    for (symbol, length) in lengths.enumerated() where length > 0 {
      let length = Int(length)
      let pattern = Self.reversed(next[length], length)
      next[length] += 1
      codes.append((symbol, length, pattern))
      if length > root {
        let first = pattern & (1 << root - 1)
        secondSizes[first] = max(secondSizes[first], length - root)
      }
    }
    for (first, size) in secondSizes.enumerated() where size > 0 {
      entries[first] = UInt64(0x80 | size) | UInt64(entries.count) << 8
      entries += [UInt64](repeating: 0, count: 1 << size)
    }
    for (symbol, length, pattern) in codes {
      let entry = UInt64(symbol) << 8
      if length <= root {
        for index in stride(from: pattern, to: 1 << root, by: 1 << length) { entries[index] = entry | UInt64(length) }
      } else {
        let first = pattern & (1 << root - 1)
        let (base, size) = (Int(entries[first] >> 8), secondSizes[first])
        for index in stride(from: pattern >> root, to: 1 << size, by: 1 << (length - root)) {
          entries[base + index] = entry | UInt64(length - root)
        }
      }
    }
  }

  private static func reversed(_ code: Int, _ length: Int) -> Int {
    var result = 0
    for bit in 0..<length where code >> bit & 1 == 1 { result |= 1 << (length - 1 - bit) }
    return result
  }
}
