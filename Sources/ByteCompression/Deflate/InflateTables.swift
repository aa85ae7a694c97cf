// The Huffman codes of a DEFLATE block as lookup tables (RFC 1951, section 3.2).

/// Tables indexed by the next bits of the stream.
///
/// An entry has the number of bits to consume in bits 0…5, with the extra bits that follow the code. Bits 8…12 have the
/// number of those that belong to the code, or of literals, which have no extra bits. Bits 13…15 are flags, and bits
/// 16…31 a value: literals, the first one lowest, or the base of a length or a distance. An entry of a subtable has its
/// position as value, and in bits 8…12 the number of bits of its index.
struct InflateTables: Sendable {
  /// The number of bits that index the first part of ``lengths``.
  static let lengthBits: UInt64 = 11
  /// The number of bits that index the first part of ``distances``.
  static let distanceBits: UInt64 = 8
  /// The number of bits that index ``codeLengths``: its longest code.
  static let codeLengthBits: UInt64 = 7
  /// The number of entries of ``lengths``, with all subtables. A power of two.
  static let lengthCount = 4096
  /// The number of entries of ``distances``, with all subtables. A power of two.
  static let distanceCount = 1024
  /// The bits that index the first part of ``lengths``.
  static let lengthMask: UInt64 = 1 << lengthBits - 1
  /// The bits that index the first part of ``distances``.
  static let distanceMask: UInt64 = 1 << distanceBits - 1

  static let literalFlag: UInt32 = 1 << 13
  static let subtableFlag: UInt32 = 1 << 14
  /// The end of a block, or a code that does not exist.
  static let stopFlag: UInt32 = 1 << 15
  /// The value of an entry that ends the block; other entries with ``stopFlag`` are invalid.
  static let endOfBlock: UInt32 = 1

  private(set) var lengths = [UInt32](repeating: stopFlag, count: lengthCount)
  private(set) var distances = [UInt32](repeating: stopFlag, count: distanceCount)
  /// The first part of ``lengths``, with pairs of literals where the codes of both are in the index.
  private var pairs = [UInt32](repeating: stopFlag, count: 1 << Int(lengthBits))
  /// Whether ``pairs`` are valid.
  private var hasPairs = false
  /// The table of the code of lengths.
  private(set) var codeLengths = [UInt32](repeating: 0, count: 1 << Int(codeLengthBits))
  /// Whether the tables are those of the fixed codes.
  private var isFixed = false

  private static let lengthEntries: [UInt32] = (0..<288).map { symbol in
    if symbol < 256 { return literalFlag | 1 << 8 | UInt32(symbol) << 16 }
    if symbol == 256 { return stopFlag | endOfBlock << 16 }
    if symbol > 285 { return stopFlag }
    if symbol == 285 { return 258 << 16 }
    let index = symbol - 257
    let extra = index < 8 ? 0 : index / 4 - 1
    let base = index < 8 ? 3 + index : 3 + (4 + index % 4) << extra
    return UInt32(extra) | UInt32(base) << 16
  }

  private static let distanceEntries: [UInt32] = (0..<32).map { symbol in
    if symbol > 29 { return stopFlag }
    let extra = symbol < 4 ? 0 : symbol / 2 - 1
    let base = symbol < 4 ? 1 + symbol : 1 + (2 + symbol % 2) << extra
    return UInt32(extra) | UInt32(base) << 16
  }

  /// The values of the code length code.
  private static let codeLengthEntries: [UInt32] = (0..<19).map { UInt32($0) << 16 }

  /// The table for the first bits of a length, or of literals, whose codes are not longer: with pairs of literals if
  /// there are many.
  var firstLengths: [UInt32] { hasPairs ? pairs : lengths }

  /// The number of bits of the code of an entry.
  @inline(__always)
  static func codeBitCount(_ entry: UInt32) -> UInt64 {
    UInt64(entry & literalFlag != 0 ? entry & 63 : entry &>> 8 & 31)
  }

  /// The number of extra bits after the code of an entry.
  @inline(__always)
  static func extraBitCount(_ entry: UInt32) -> UInt64 { UInt64(entry & 63) &- codeBitCount(entry) }

  /// Builds the fixed codes.
  mutating func buildFixed() {
    if isFixed { return }
    isFixed = true
    let lengths =
      [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112) + [UInt8](repeating: 7, count: 24)
      + [UInt8](repeating: 8, count: 8)
    let five = [UInt8](repeating: 5, count: 32)
    _ = Self.build(lengths.span, Self.lengthEntries.span, indexBits: Int(Self.lengthBits), into: &self.lengths)
    _ = Self.build(five.span, Self.distanceEntries.span, indexBits: Int(Self.distanceBits), into: &distances)
    hasPairs = false
  }

  /// Builds the code of lengths from the lengths of its codes. Returns `false` if it is invalid.
  ///
  /// Without any codes, all bits are the length 0, as in zlib. The codes of symbols then lack the end of the block.
  mutating func buildCodeLengths(_ lengths: Span<UInt8>) -> Bool {
    var isEmpty = true
    for index in lengths.indices where lengths[index] != 0 { isEmpty = false }
    if isEmpty {
      for index in codeLengths.indices { codeLengths[index] = Self.entry(0, consuming: 1) }
      return true
    }
    return Self.build(
      lengths, Self.codeLengthEntries.span, indexBits: Int(Self.codeLengthBits), isSingleCodeValid: false,
      into: &codeLengths)
  }

  /// Builds the code of literals and lengths from the lengths of its codes. Returns `false` if it is invalid.
  ///
  /// - Parameter isLong: whether the block may be long enough for a table of pairs of literals.
  mutating func buildLengths(_ lengths: Span<UInt8>, isLong: Bool) -> Bool {
    isFixed = false
    guard Self.build(lengths, Self.lengthEntries.span, indexBits: Int(Self.lengthBits), into: &self.lengths) else {
      return false
    }
    hasPairs = isLong && Self.areLiteralsFrequent(lengths)
    if hasPairs { buildPairs() }
    return true
  }

  /// Whether so many symbols are literals with short codes that pairs of them are worth their table.
  private static func areLiteralsFrequent(_ lengths: Span<UInt8>) -> Bool {
    // The expected part of all symbols, in units of 2^-15.
    var frequency: UInt32 = 0
    for symbol in 0..<256 where lengths[symbol] > 0 && lengths[symbol] < lengthBits {
      frequency &+= 1 &<< UInt32(15 &- lengths[symbol])
    }
    return frequency > 1 << 14
  }

  private mutating func buildPairs() {
    // Another reference, so that it is readable while a property changes.
    let source = lengths
    let singles = source.span
    var target = pairs.mutableSpan
    for index in target.indices {
      let first = singles[index]
      let second = singles[index &>> Int(first & 63)]
      // Without branches, which nothing could foretell: whether both are literals, and the codes are in the index.
      let areLiterals = (first & second & Self.literalFlag) / Self.literalFlag
      let doFit = ((first & 63) &+ (second & 63) &- UInt32(Self.lengthBits) &- 1) &>> 31
      let added = (second & 63) &+ 1 &<< 8 &+ (second & 0xFF_0000) &<< 8
      target[index] = first &+ added & (0 &- (areLiterals & doFit))
    }
  }

  /// Builds the code of distances from the lengths of its codes. Returns `false` if it is invalid.
  mutating func buildDistances(_ lengths: Span<UInt8>) -> Bool {
    isFixed = false
    return Self.build(lengths, Self.distanceEntries.span, indexBits: Int(Self.distanceBits), into: &distances)
  }

  /// Builds a table from the lengths of the codes.
  ///
  /// Codes are placed in rising order of length in a table that is as large as the current length requires, which is
  /// repeated when the length grows; so most entries are written by copying.
  ///
  /// - Parameter isSingleCodeValid: whether a single code of one bit, or none, is valid though it is incomplete.
  /// - Returns: `false` if the lengths are no complete code.
  private static func build(
    _ lengths: Span<UInt8>, _ entries: Span<UInt32>, indexBits: Int, isSingleCodeValid: Bool = true,
    into table: inout [UInt32]
  ) -> Bool {
    var counts = InlineArray<16, Int>(repeating: 0)
    for index in lengths.indices { counts[Int(lengths[index] & 15)] &+= 1 }
    counts[0] = 0
    var used = 0
    var codeCount = 0
    var longest = 0
    var starts = InlineArray<17, Int>(repeating: 0)
    for length in 1...15 {
      starts[length + 1] = starts[length] &+ counts[length]
      used &+= counts[length] &<< (15 &- length)
      codeCount &+= counts[length]
      if counts[length] > 0 { longest = length }
    }
    var cells = table.mutableSpan
    guard used == 1 << 15 else {
      guard isSingleCodeValid, used < 1 << 15, codeCount <= 1, counts[1] == codeCount else { return false }
      cells[0] = entry(stopFlag, consuming: 1)
      cells[1] = entry(stopFlag, consuming: 1)
      for symbol in lengths.indices where lengths[symbol] == 1 { cells[0] = entry(entries[symbol], consuming: 1) }
      for length in 1..<indexBits { repeatPrefix(of: &cells, count: 1 &<< length) }
      return true
    }
    var symbols = InlineArray<288, UInt16>(repeating: 0)
    for symbol in lengths.indices {
      let length = Int(lengths[symbol])
      if length == 0 { continue }
      symbols[starts[length]] = UInt16(truncatingIfNeeded: symbol)
      starts[length] &+= 1
    }
    // The code with its bits reversed.
    var code = 0
    var place = 0
    var size = 1
    for length in 1...indexBits {
      repeatPrefix(of: &cells, count: size)
      size &<<= 1
      for _ in 0..<counts[length] {
        let symbol = Int(symbols[place])
        place &+= 1
        cells[code] = entry(entries[symbol], consuming: length)
        code = successor(of: code, size: size)
      }
    }
    return longest <= indexBits
      || placeLongCodes(symbols, from: place, counts, code: code, entries, indexBits: indexBits, in: &cells)
  }

  /// Returns an entry for a code of `length` bits.
  @inline(__always)
  private static func entry(_ entry: UInt32, consuming length: Int) -> UInt32 {
    entry &+ UInt32(truncatingIfNeeded: length) &* (entry & literalFlag != 0 ? 1 : 0x101)
  }

  /// Returns the next canonical code, bit-reversed, so that a carry runs from the most significant bit down;
  /// unspecified after the last code.
  @inline(__always)
  private static func successor(of code: Int, size: Int) -> Int {
    let zeros = ~code & (size &- 1)
    if zeros == 0 { return 0 }
    let bit = 1 &<< (Int.bitWidth &- 1 &- zeros.leadingZeroBitCount)
    return code & (bit &- 1) | bit
  }

  /// Places the codes that are longer than the index in subtables. Returns `false` if the table is too small for them.
  private static func placeLongCodes(
    _ symbols: InlineArray<288, UInt16>, from start: Int, _ counts: InlineArray<16, Int>, code startCode: Int,
    _ entries: Span<UInt32>, indexBits: Int, in cells: inout MutableSpan<UInt32>
  ) -> Bool {
    var code = startCode
    var place = start
    let mask = 1 &<< indexBits &- 1
    var prefix = -1
    var (subtable, subtableBits, end) = (0, 0, 1 &<< indexBits)
    for length in indexBits + 1...15 {
      for index in 0..<counts[length] {
        if code & mask != prefix {
          prefix = code & mask
          subtable = end
          // As many bits as its codes need: those of this length that are left, and then the longer ones.
          subtableBits = length - indexBits
          var used = counts[length] - index
          while used < 1 << subtableBits, indexBits + subtableBits < 15 {
            subtableBits += 1
            used = used << 1 + counts[indexBits + subtableBits]
          }
          end += 1 << subtableBits
          guard end <= cells.count else { return false }
          cells[prefix] =
            subtableFlag | UInt32(truncatingIfNeeded: indexBits) | UInt32(truncatingIfNeeded: subtableBits) << 8
            | UInt32(truncatingIfNeeded: subtable) << 16
        }
        let entry = entry(entries[Int(symbols[place])], consuming: length - indexBits)
        place += 1
        var cell = code >> indexBits
        while cell < 1 << subtableBits {
          cells[subtable + cell] = entry
          cell += 1 << (length - indexBits)
        }
        code = successor(of: code, size: 1 << length)
      }
    }
    return true
  }
}
