// Canonical prefix codes as two-level lookup tables (RFC 9649, section 3.7.2.1).

internal import ImageCoding

/// The position of a prefix code in a ``PrefixTables``.
package struct PrefixCode {
  /// The index of the first entry of the root table.
  package var offset: Int32 = 0
  /// The mask of the bits that index the root table.
  package var rootMask: UInt32 = 0
}

/// The concatenated lookup tables of prefix codes.
///
/// The low 8 bits of an entry are the length of a code, the upper 16 bits the symbol. If codes are longer than the
/// index of the root table, the length is that of the root index plus the index bits of a second-level table, and the
/// upper bits are the offset of that table from the root table.
package struct PrefixTables {
  /// The largest number of bits that index a root table.
  static let rootBitCount = 8
  /// The length of the longest possible code, in bits.
  static let maximumLength = 15

  package private(set) var entries: [UInt32] = []

  /// Creates tables without codes.
  package init() {}

  /// Returns the number of codes of each length; `nil` unless the lengths describe a complete code or a single symbol.
  package static func histogram(of lengths: Span<UInt8>) -> PrefixHistogram? {
    var counts = InlineArray<16, Int>(repeating: 0)
    for index in lengths.indices {
      let length = Int(lengths[index])
      guard length <= maximumLength else { return nil }
      counts[length] += 1
    }
    return PrefixHistogram(counts)
  }

  /// Makes room for the entries of another code. The memory of the entries is charged as it is held: with the room for
  /// more of them, and twice while they are moved.
  ///
  /// - Parameter charged: the bytes charged for the entries so far.
  mutating func reserve(
    _ histogram: PrefixHistogram, charged: inout Int, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let needed = entries.count + histogram.tableEntryCount
    guard needed * MemoryLayout<UInt32>.stride > charged else { return }
    let capacity = max(needed, entries.count + entries.count / 2)
    let byteCount = try budget.allocate(count: capacity, bytesEach: MemoryLayout<UInt32>.stride)
    entries.reserveCapacity(capacity)
    budget.release(charged)
    charged = byteCount
  }

  /// Appends the tables of a code. ``reserve(_:charged:_:)`` makes room for them.
  ///
  /// - Parameter histogram: the histogram of `lengths`.
  package mutating func append(_ lengths: Span<UInt8>, _ histogram: PrefixHistogram) -> PrefixCode {
    let start = entries.count
    let symbols = sortedSymbols(lengths, histogram)
    if histogram.symbolCount == 1 {
      entries.append(UInt32(symbols[0]) << 16)
      return PrefixCode(offset: Int32(truncatingIfNeeded: start), rootMask: 0)
    }
    entries.append(contentsOf: repeatElement(0, count: histogram.tableEntryCount))
    var builder = TableBuilder(start: start, rootBits: histogram.rootBits, counts: histogram.counts)
    builder.fill(&entries, symbols: symbols)
    return PrefixCode(
      offset: Int32(truncatingIfNeeded: start), rootMask: UInt32(1 << histogram.rootBits) - 1)
  }

  /// Returns the symbols that have codes, ordered by length.
  private func sortedSymbols(_ lengths: Span<UInt8>, _ histogram: PrefixHistogram) -> [UInt16] {
    var next = InlineArray<16, Int>(repeating: 0)
    for length in 1..<Self.maximumLength { next[length + 1] = next[length] + histogram.counts[length] }
    var symbols = [UInt16](repeating: 0, count: histogram.symbolCount)
    for symbol in lengths.indices where lengths[symbol] > 0 {
      let length = Int(lengths[symbol])
      symbols[next[length]] = UInt16(truncatingIfNeeded: symbol)
      next[length] += 1
    }
    return symbols
  }
}

/// The number of codes of each length, valid by construction.
package struct PrefixHistogram {
  /// - Parameter counts: the number of symbols of each length; those of length 0 have no code.
  /// - Returns: `nil` unless the lengths describe a complete code or a single symbol.
  init?(_ counts: InlineArray<16, Int>) {
    self.counts = counts
    self.counts[0] = 0
    // The codes of a length that are not prefixed by shorter ones.
    var free = 1
    var isOverfull = false
    for length in 1...PrefixTables.maximumLength {
      symbolCount += counts[length]
      free = free * 2 - counts[length]
      if free < 0 { isOverfull = true }
      if counts[length] > 0 { longest = length }
    }
    guard symbolCount == 1 || !isOverfull && free == 0 else { return nil }
    if symbolCount == 1 { longest = 0 }
  }

  private(set) var counts: InlineArray<16, Int>
  /// The number of symbols that have codes.
  private(set) var symbolCount = 0
  /// The length of the longest code.
  private(set) var longest = 0

  /// The number of bits that index the root table.
  var rootBits: Int { min(PrefixTables.rootBitCount, longest) }

  /// The number of entries of all tables of the code.
  package var tableEntryCount: Int {
    guard symbolCount > 1 else { return 1 }
    var total = 1 << rootBits
    var remaining = counts
    // The number of unused entries of the current second-level table.
    var free = 0
    var tableBits = 0
    var length = rootBits + 1
    while length <= longest {
      if remaining[length] == 0 {
        length += 1
        continue
      }
      if free == 0 {
        tableBits = Self.secondTableBits(remaining, from: length, rootBits: rootBits)
        free = 1 << tableBits
        total += free
      }
      free -= 1 << (tableBits - (length - rootBits))
      remaining[length] -= 1
    }
    return total
  }

  /// Returns the number of index bits of the next second-level table.
  fileprivate static func secondTableBits(_ counts: InlineArray<16, Int>, from length: Int, rootBits: Int) -> Int {
    var length = length
    var free = 1 << (length - rootBits)
    while length < PrefixTables.maximumLength {
      free -= counts[length]
      if free <= 0 { break }
      length += 1
      free <<= 1
    }
    return length - rootBits
  }
}

/// Fills the tables of a complete code of at least two symbols.
private struct TableBuilder {
  let start: Int
  let rootBits: Int
  var counts: InlineArray<16, Int>
  /// The current code, with its first bit least significant.
  private var key = 0

  init(start: Int, rootBits: Int, counts: InlineArray<16, Int>) {
    self.start = start
    self.rootBits = rootBits
    self.counts = counts
  }

  mutating func fill(_ entries: inout [UInt32], symbols: [UInt16]) {
    var position = 0
    let rootSize = 1 << rootBits
    for length in 1...rootBits {
      for _ in 0..<counts[length] {
        let entry = UInt32(symbols[position]) << 16 | UInt32(length)
        for index in stride(from: key, to: rootSize, by: 1 << length) { entries[start + index] = entry }
        position += 1
        key = Self.key(after: key, length: length)
      }
    }
    fillSecondTables(&entries, symbols: symbols, from: position)
  }

  private mutating func fillSecondTables(_ entries: inout [UInt32], symbols: [UInt16], from first: Int) {
    guard rootBits < PrefixTables.maximumLength else { return }
    var position = first
    var table = 1 << rootBits
    var tableSize = 0
    var low = -1
    for length in rootBits + 1...PrefixTables.maximumLength {
      while counts[length] > 0 {
        if key & ((1 << rootBits) - 1) != low {
          table += tableSize
          let bits = PrefixHistogram.secondTableBits(counts, from: length, rootBits: rootBits)
          tableSize = 1 << bits
          low = key & ((1 << rootBits) - 1)
          entries[start + low] = UInt32(table) << 16 | UInt32(rootBits + bits)
        }
        let entry = UInt32(symbols[position]) << 16 | UInt32(length - rootBits)
        for index in stride(from: key >> rootBits, to: tableSize, by: 1 << (length - rootBits)) {
          entries[start + table + index] = entry
        }
        position += 1
        counts[length] -= 1
        key = Self.key(after: key, length: length)
      }
    }
  }

  /// Returns the next code in canonical order.
  private static func key(after key: Int, length: Int) -> Int {
    var step = 1 << (length - 1)
    while key & step != 0 { step >>= 1 }
    return step == 0 ? key : key & (step - 1) + step
  }
}

/// Reads a symbol. The reader must have at least 15 loaded bits.
@inline(__always)
func readSymbol(_ code: PrefixCode, _ entries: Span<UInt32>, _ reader: inout LosslessBitReader) -> Int {
  let root = Int(truncatingIfNeeded: code.offset)
  var entry = entries[root &+ Int(truncatingIfNeeded: UInt32(truncatingIfNeeded: reader.bits) & code.rootMask)]
  let length = Int(truncatingIfNeeded: entry & 0xFF)
  if length > PrefixTables.rootBitCount {
    reader.consume(PrefixTables.rootBitCount)
    let secondMask = 1 &<< UInt32(truncatingIfNeeded: length &- PrefixTables.rootBitCount) &- 1 as UInt32
    let index = Int(truncatingIfNeeded: UInt32(truncatingIfNeeded: reader.bits) & secondMask)
    entry = entries[root &+ Int(truncatingIfNeeded: entry &>> 16) &+ index]
  }
  reader.consume(Int(truncatingIfNeeded: entry & 0xFF))
  return Int(truncatingIfNeeded: entry &>> 16)
}
