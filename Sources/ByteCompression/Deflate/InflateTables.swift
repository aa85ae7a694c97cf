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
  /// The table of the code length code.
  private var codeLengthTable = [UInt32](repeating: stopFlag, count: 128)
  /// The lengths of all codes of a block.
  private var allLengths = [UInt8](repeating: 0, count: 320)
  /// Whether the tables are those of the fixed codes.
  private var isFixed = false

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
    if isFixed { return }
    isFixed = true
    let lengths =
      [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112) + [UInt8](repeating: 7, count: 24)
      + [UInt8](repeating: 8, count: 8)
    _ = Self.build(lengths.span, Self.lengthEntries.span, indexBits: Self.lengthBits, into: &self.lengths)
    let five = [UInt8](repeating: 5, count: 32)
    _ = Self.build(five.span, Self.distanceEntries.span, indexBits: Self.distanceBits, into: &distances)
  }

  /// Reads the codes at the start of a dynamic block. Returns `false` if they are invalid.
  mutating func build(_ input: Span<UInt8>, _ state: inout InflateState) -> Bool {
    isFixed = false
    state.refill(input)
    let lengthCount = 257 + state.take(5)
    let distanceCount = 1 + state.take(5)
    let codeCount = 4 + state.take(4)
    guard lengthCount <= 286, distanceCount <= 30 else { return false }
    // Moved out of the property while borrowed.
    var all: [UInt8] = []
    swap(&all, &allLengths)
    defer { swap(&all, &allLengths) }
    for index in 0..<19 { all[index] = 0 }
    for index in 0..<codeCount {
      state.refill(input)
      all[Self.codeLengthOrder[index]] = UInt8(state.take(3))
    }
    guard
      Self.build(all.span.extracting(0..<19), Self.codeLengthEntries.span, indexBits: 7, into: &codeLengthTable)
    else { return false }
    guard readLengths(count: lengthCount + distanceCount, input, &state, into: &all), all[256] != 0 else {
      return false
    }
    return Self.build(
      all.span.extracting(0..<lengthCount), Self.lengthEntries.span, indexBits: Self.lengthBits, into: &lengths)
      && Self.build(
        all.span.extracting(lengthCount..<lengthCount + distanceCount), Self.distanceEntries.span,
        indexBits: Self.distanceBits, into: &distances)
  }

  /// Reads the run-length coded lengths of the codes.
  private func readLengths(
    count total: Int, _ input: Span<UInt8>, _ state: inout InflateState, into all: inout [UInt8]
  ) -> Bool {
    let table = codeLengthTable.span
    var lengths = all.mutableSpan
    var index = 0
    while index < total {
      state.refill(input)
      let entry = table[Int(truncatingIfNeeded: state.bits & 127)]
      if entry & Self.stopFlag != 0 || state.position > input.count + 16 { return false }
      _ = state.take(UInt64(entry & 31))
      let symbol = Int(entry >> 16)
      if symbol < 16 {
        lengths[index] = UInt8(truncatingIfNeeded: symbol)
        index &+= 1
        continue
      }
      if symbol == 16, index == 0 { return false }
      let value = symbol == 16 ? lengths[index - 1] : 0
      let count = symbol == 16 ? 3 + state.take(2) : symbol == 17 ? 3 + state.take(3) : 11 + state.take(7)
      guard index + count <= total else { return false }
      for _ in 0..<count {
        lengths[index] = value
        index &+= 1
      }
    }
    return true
  }

  /// Builds a table from the lengths of the codes. Returns `false` if they are no complete code; a single code may be
  /// incomplete.
  private static func build(
    _ lengths: Span<UInt8>, _ entries: Span<UInt32>, indexBits: Int, into table: inout [UInt32]
  ) -> Bool {
    var counts = InlineArray<16, Int>(repeating: 0)
    for index in lengths.indices { counts[Int(lengths[index] & 15)] += 1 }
    counts[0] = 0
    var first = InlineArray<16, Int>(repeating: 0)
    var used = 0
    var codeCount = 0
    for length in 1...15 {
      if length < 15 { first[length + 1] = (first[length] + counts[length]) << 1 }
      used += counts[length] << (15 - length)
      codeCount += counts[length]
    }
    let isComplete = used == 1 << 15
    guard isComplete || (used < 1 << 15 && codeCount <= 1 && counts[1] == codeCount) else { return false }
    var cells = table.mutableSpan
    let indexCount = 1 << indexBits
    if !isComplete {
      for index in 0..<indexCount { cells[index] = stopFlag }
    }
    let hasLongCodes = (indexBits + 1..<16).contains { counts[$0] > 0 }
    if hasLongCodes, !placeSubtables(lengths, first, indexBits: indexBits, in: &cells) { return false }
    var next = first
    for symbol in lengths.indices {
      let length = Int(lengths[symbol])
      if length == 0 { continue }
      let code = reversed(next[length], length)
      next[length] += 1
      if length <= indexBits {
        let entry = entries[symbol] | UInt32(truncatingIfNeeded: length)
        let step = 1 &<< length
        var index = code
        while index < indexCount {
          cells[index] = entry
          index &+= step
        }
      } else {
        let pointer = cells[code & (indexCount - 1)]
        let base = Int(pointer >> 16)
        let end = 1 << Int(pointer >> 5 & 31)
        let entry = entries[symbol] | UInt32(truncatingIfNeeded: length - indexBits)
        var index = code >> indexBits
        while index < end {
          cells[base + index] = entry
          index += 1 << (length - indexBits)
        }
      }
    }
    return true
  }

  /// Writes the entries that point to subtables. Returns `false` if the table is too small for them.
  private static func placeSubtables(
    _ lengths: Span<UInt8>, _ first: InlineArray<16, Int>, indexBits: Int, in cells: inout MutableSpan<UInt32>
  ) -> Bool {
    let mask = 1 << indexBits - 1
    // First clears the entries, then finds the longest code of each, then allocates.
    for pass in 0..<3 {
      var next = first
      var end = 1 << indexBits
      for symbol in lengths.indices {
        let length = Int(lengths[symbol])
        if length == 0 { continue }
        let code = next[length]
        next[length] += 1
        if length <= indexBits { continue }
        let prefix = reversed(code, length) & mask
        let bits = UInt32(truncatingIfNeeded: length - indexBits)
        switch pass {
        case 0: cells[prefix] = 0
        case 1: cells[prefix] = max(cells[prefix], bits)
        default:
          if cells[prefix] & subtableFlag != 0 { continue }
          let subtableBits = cells[prefix]
          guard end + 1 << Int(subtableBits) <= cells.count else { return false }
          cells[prefix] =
            subtableFlag | UInt32(indexBits) | subtableBits << 5 | UInt32(truncatingIfNeeded: end) << 16
          end += 1 << Int(subtableBits)
        }
      }
    }
    return true
  }

  /// The reverse of every byte.
  private static let reversedBytes: [UInt8] = (0..<256).map { byte in
    (0..<8).reduce(0) { $0 | UInt8(byte >> $1 & 1) << UInt8(7 - $1) }
  }

  @inline(__always)
  private static func reversed(_ code: Int, _ length: Int) -> Int {
    let table = reversedBytes.span
    return (Int(table[code & 0xFF]) &<< 8 | Int(table[code &>> 8 & 0xFF])) &>> (16 &- length)
  }
}
