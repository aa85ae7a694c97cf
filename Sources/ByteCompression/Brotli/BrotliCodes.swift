// Prefix codes over one alphabet, with tables that decode up to nine bits at once and longer codes in two steps
// (RFC 7932, section 3).

/// A group of prefix codes. All tables are in one array.
struct BrotliCodes {
  /// Bits 0…3: the length of the code, after the bits of the first table in a second one. Bits 8 and up: the symbol.
  /// A link to a second table has bit 4 set, the number of its index bits in bits 0…3, and its start from bit 8 on.
  private(set) var entries: [UInt32] = []
  /// For each code the start of its table · 16 + the number of index bits of the table.
  private(set) var handles: [UInt32] = []

  static let linkFlag: UInt32 = 0x10
  static let maximumLength = 15
  private static let maximumIndexBits = 9

  /// Appends the code with the given lengths, in the order of the symbols; a length of zero is a symbol without a code.
  /// The lengths must be those of a complete code, or of one symbol alone, whose code then has no bits.
  mutating func append(lengths: Span<UInt8>) {
    var counts = [Int](repeating: 0, count: BrotliCodes.maximumLength + 1)
    for index in lengths.indices { counts[Int(lengths[index] & 15)] += 1 }
    counts[0] = 0
    var firsts = [Int](repeating: 0, count: BrotliCodes.maximumLength + 2)
    for length in 1...BrotliCodes.maximumLength { firsts[length + 1] = firsts[length] + counts[length] }
    let symbolCount = firsts[BrotliCodes.maximumLength + 1]
    var sorted = [UInt32](repeating: 0, count: symbolCount)
    for index in lengths.indices where lengths[index] > 0 {
      sorted[firsts[Int(lengths[index] & 15)]] = UInt32(truncatingIfNeeded: index)
      firsts[Int(lengths[index] & 15)] += 1
    }
    if symbolCount <= 1 {
      handles.append(UInt32(truncatingIfNeeded: entries.count << 4))
      entries.append((sorted.first ?? 0) << 8)
    } else {
      fillTables(sorted, &counts)
    }
  }

  private mutating func fillTables(_ sorted: [UInt32], _ counts: inout [Int]) {
    let longest = counts.lastIndex { $0 > 0 } ?? 1
    let indexBits = min(longest, BrotliCodes.maximumIndexBits)
    let start = entries.count
    handles.append(UInt32(truncatingIfNeeded: start << 4 | indexBits))
    entries.append(contentsOf: repeatElement(0, count: 1 << indexBits))
    var key = 0
    var length = 1
    var (tableStart, tableBits, tableKey) = (start, indexBits, -1)
    for symbol in sorted {
      while counts[length] == 0 { length += 1 }
      if length > indexBits, key & (1 << indexBits - 1) != tableKey {
        tableKey = key & (1 << indexBits - 1)
        tableStart = entries.count
        tableBits = BrotliCodes.secondTableBits(counts, length, indexBits)
        entries.append(contentsOf: repeatElement(0, count: 1 << tableBits))
        entries[start + tableKey] =
          UInt32(truncatingIfNeeded: tableStart << 8) | BrotliCodes.linkFlag | UInt32(truncatingIfNeeded: tableBits)
      }
      let skipped = length > indexBits ? indexBits : 0
      let entry = symbol << 8 | UInt32(truncatingIfNeeded: length - skipped)
      var index = tableStart + key >> skipped
      while index < tableStart + 1 << tableBits {
        entries[index] = entry
        index += 1 << (length - skipped)
      }
      counts[length] -= 1
      // The next code, with its bits in reverse order.
      var bit = 1 << (length - 1)
      while bit > 0, key & bit != 0 {
        key ^= bit
        bit >>= 1
      }
      key |= bit
    }
  }

  /// The number of index bits of the second table that starts with a code of the given length.
  private static func secondTableBits(_ counts: [Int], _ length: Int, _ indexBits: Int) -> Int {
    var length = length
    var remaining = 1 << (length - indexBits)
    while length < maximumLength {
      remaining -= counts[length]
      if remaining <= 0 { break }
      length += 1
      remaining <<= 1
    }
    return length - indexBits
  }

  /// Decodes a symbol. At least 15 bits must be available.
  @inline(__always)
  static func symbol(_ entries: Span<UInt32>, _ handle: UInt32, _ bits: inout BrotliBits) -> Int {
    let mask: UInt64 = 1 &<< UInt64(handle & 15) &- 1
    var entry = entries[Int(handle &>> 4) &+ Int(truncatingIfNeeded: bits.bits & mask)]
    if entry & linkFlag != 0 {
      bits.drop(Int(handle & 15))
      let inner: UInt64 = 1 &<< UInt64(entry & 15) &- 1
      entry = entries[Int(entry &>> 8) &+ Int(truncatingIfNeeded: bits.bits & inner)]
    }
    bits.drop(Int(entry & 15))
    return Int(entry &>> 8)
  }

  /// Decodes a symbol of the code with the given number.
  func symbol(_ index: Int, _ bits: inout BrotliBits, _ input: Span<UInt8>) -> Int {
    bits.refill(input)
    return BrotliCodes.symbol(entries.span, handles[index], &bits)
  }
}
