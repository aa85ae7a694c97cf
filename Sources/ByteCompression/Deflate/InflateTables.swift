// The Huffman codes of a DEFLATE block as lookup tables (RFC 1951, section 3.2).

/// Tables indexed by the next bits of the stream.
///
/// An entry has the number of bits to consume in bits 0…4, the number of extra bits in bits 5…9, flags in bits 10…12 and
/// a value in bits 16…31: a literal, the base of a length or a distance, or the position of a subtable, whose index has
/// as many bits as the extra bits say.
struct InflateTables: Sendable {
  /// The number of bits that index the first part of ``lengths``.
  static let lengthBits = 11
  /// The number of bits that index the first part of ``distances``.
  static let distanceBits = 8
  /// The number of entries of ``lengths``, with all subtables. A power of two.
  static let lengthCount = 4096
  /// The number of entries of ``distances``, with all subtables. A power of two.
  static let distanceCount = 1024

  static let literalFlag: UInt32 = 1 << 10
  static let subtableFlag: UInt32 = 1 << 11
  /// The end of a block, or a code that does not exist.
  static let stopFlag: UInt32 = 1 << 12
  /// The value of an entry that ends the block; other entries with ``stopFlag`` are invalid.
  static let endOfBlock: UInt32 = 1

  private(set) var lengths = [UInt32](repeating: stopFlag, count: lengthCount)
  private(set) var distances = [UInt32](repeating: stopFlag, count: distanceCount)

  private static let lengthEntries: [UInt32] = (0..<288).map { symbol in
    if symbol < 256 { return literalFlag | UInt32(symbol) << 16 }
    if symbol == 256 { return stopFlag | endOfBlock << 16 }
    if symbol > 285 { return stopFlag }
    if symbol == 285 { return 258 << 16 }
    let index = symbol - 257
    let extra = index < 8 ? 0 : index / 4 - 1
    let base = index < 8 ? 3 + index : 3 + (4 + index % 4) << extra
    return UInt32(extra) << 5 | UInt32(base) << 16
  }

  private static let distanceEntries: [UInt32] = (0..<32).map { symbol in
    if symbol > 29 { return stopFlag }
    let extra = symbol < 4 ? 0 : symbol / 2 - 1
    let base = symbol < 4 ? 1 + symbol : 1 + (2 + symbol % 2) << extra
    return UInt32(extra) << 5 | UInt32(base) << 16
  }

  /// The values of the code length code.
  private static let codeLengthEntries: [UInt32] = (0..<19).map { UInt32($0) << 16 }
  /// The order in which the lengths of the code length code are stored.
  private static let codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  /// Builds the fixed codes.
  mutating func buildFixed() {
    let lengths =
      [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112)
      + [UInt8](repeating: 7, count: 24) + [UInt8](repeating: 8, count: 8)
    _ = Self.build(lengths.span, Self.lengthEntries, indexBits: Self.lengthBits, into: &self.lengths)
    let five = [UInt8](repeating: 5, count: 32)
    _ = Self.build(five.span, Self.distanceEntries, indexBits: Self.distanceBits, into: &distances)
  }

  /// Reads the codes at the start of a dynamic block. Returns `false` if they are invalid.
  mutating func build(_ input: Span<UInt8>, _ state: inout InflateState) -> Bool {
    state.refill(input)
    let lengthCount = 257 + state.take(5)
    let distanceCount = 1 + state.take(5)
    let codeCount = 4 + state.take(4)
    guard lengthCount <= 286, distanceCount <= 30 else { return false }
    var codeLengths = [UInt8](repeating: 0, count: 19)
    for index in 0..<codeCount {
      state.refill(input)
      codeLengths[Self.codeLengthOrder[index]] = UInt8(state.take(3))
    }
    var table = [UInt32](repeating: Self.stopFlag, count: 128)
    guard Self.build(codeLengths.span, Self.codeLengthEntries, indexBits: 7, into: &table) else { return false }
    var all = [UInt8](repeating: 0, count: lengthCount + distanceCount)
    var index = 0
    while index < all.count {
      state.refill(input)
      let entry = table[Int(state.bits & 127)]
      if entry & Self.stopFlag != 0 || state.position > input.count + 16 { return false }
      _ = state.take(UInt64(entry & 31))
      let symbol = Int(entry >> 16)
      if symbol < 16 {
        all[index] = UInt8(symbol)
        index += 1
        continue
      }
      if symbol == 16, index == 0 { return false }
      let value = symbol == 16 ? all[index - 1] : 0
      let count = symbol == 16 ? 3 + state.take(2) : symbol == 17 ? 3 + state.take(3) : 11 + state.take(7)
      guard index + count <= all.count else { return false }
      for _ in 0..<count {
        all[index] = value
        index += 1
      }
    }
    guard all[256] != 0 else { return false }
    return Self.build(
      all.span.extracting(0..<lengthCount), Self.lengthEntries, indexBits: Self.lengthBits, into: &lengths)
      && Self.build(
        all.span.extracting(lengthCount..<all.count), Self.distanceEntries, indexBits: Self.distanceBits,
        into: &distances)
  }

  /// Builds a table from the lengths of the codes. Returns `false` if they are no complete code; a single code may be
  /// incomplete.
  private static func build(
    _ lengths: Span<UInt8>, _ entries: [UInt32], indexBits: Int, into table: inout [UInt32]
  ) -> Bool {
    var counts = [Int](repeating: 0, count: 16)
    for index in lengths.indices { counts[Int(lengths[index])] += 1 }
    counts[0] = 0
    var next = [Int](repeating: 0, count: 17)
    var used = 0
    for length in 1...15 {
      next[length + 1] = (next[length] + counts[length]) << 1
      used += counts[length] << (15 - length)
    }
    let codeCount = counts.reduce(0, +)
    guard used == 1 << 15 || (used < 1 << 15 && codeCount <= 1 && counts[1] == codeCount) else { return false }
    let indexCount = 1 << indexBits
    var cells = table.mutableSpan
    for index in 0..<min(indexCount, cells.count) { cells[index] = stopFlag }
    // The number of bits of the subtable for each index that is the start of longer codes.
    var end = indexCount
    var codes = next
    var longBits = [Int: Int]()
    if counts[(indexBits + 1)...].contains(where: { $0 > 0 }) {
      for symbol in lengths.indices where lengths[symbol] > 0 {
        let length = Int(lengths[symbol])
        let code = reversed(codes[length], length)
        codes[length] += 1
        if length > indexBits {
          longBits[code & (indexCount - 1)] = max(length - indexBits, longBits[code & (indexCount - 1)] ?? 0)
        }
      }
      for (prefix, bits) in longBits {
        guard end + 1 << bits <= cells.count else { return false }
        cells[prefix] = subtableFlag | UInt32(indexBits) | UInt32(bits) << 5 | UInt32(end) << 16
        end += 1 << bits
      }
    }
    codes = next
    for symbol in lengths.indices where lengths[symbol] > 0 {
      let length = Int(lengths[symbol])
      let code = reversed(codes[length], length)
      codes[length] += 1
      if length <= indexBits {
        let entry = entries[symbol] | UInt32(length)
        for index in stride(from: code, to: indexCount, by: 1 << length) { cells[index] = entry }
      } else {
        let pointer = cells[code & (indexCount - 1)]
        let base = Int(pointer >> 16)
        let bits = Int(pointer >> 5 & 31)
        let entry = entries[symbol] | UInt32(length - indexBits)
        for index in stride(from: code >> indexBits, to: 1 << bits, by: 1 << (length - indexBits)) {
          cells[base + index] = entry
        }
      }
    }
    return true
  }

  private static func reversed(_ code: Int, _ length: Int) -> Int {
    var result = 0
    for bit in 0..<length where code >> bit & 1 == 1 { result |= 1 << (length - 1 - bit) }
    return result
  }
}
