// One block of a sequential scan: the size and bits of the DC difference, followed by run lengths and AC coefficients.
// ITU-T T.81, section F.1.2.

/// Returns the number of bits in a value's magnitude, and the bits: those of value − 1 if it is negative.
@inline(__always)
func extraBits(_ value: Int32) -> (size: Int, bits: UInt64) {
  let sign = value &>> 31
  let size = 32 &- ((value ^ sign) &- sign).leadingZeroBitCount
  let mask = (UInt32(1) &<< UInt32(truncatingIfNeeded: size)) &- 1
  return (size, UInt64(UInt32(bitPattern: value &+ sign) & mask))
}

/// A block of a sequential scan, next to its coefficients.
struct CodedBlock {
  /// A bit mask of the nonzero AC coefficients by zigzag index; bit 0 is ignored.
  var mask: UInt64
  /// DC minus the previous DC.
  var difference: Int32
  /// The destination of its Huffman tables.
  var table: Int32
}

/// The tables that block coding reads, as spans.
struct BlockCodingTables: ~Escapable {
  /// The position in a block of each zigzag index.
  let places: Span<UInt8>
  /// ``HuffmanCodes/entries``.
  let codes: Span<UInt32>
  /// ``HuffmanCodes/smallValues``.
  let smallValues: Span<UInt32>

  @_lifetime(copy places, copy codes, copy smallValues)
  init(places: Span<UInt8>, codes: Span<UInt32>, smallValues: Span<UInt32>) {
    self.places = places
    self.codes = codes
    self.smallValues = smallValues
  }
}

extension EntropyWriter {
  /// Returns the writer after it has appended blocks. Not inlined, so that the state stays in registers.
  ///
  /// - Parameter coefficients: 64 per block.
  @inline(never)
  static func appending(
    _ blocks: Span<CodedBlock>, _ coefficients: Span<Int16>, _ tables: borrowing BlockCodingTables,
    to writer: EntropyWriter, _ output: inout MutableSpan<UInt8>
  ) -> EntropyWriter {
    var local = writer
    let (places, codes, smallValues) = (tables.places, tables.codes, tables.smallValues)
    for index in blocks.indices {
      let block = blocks[index]
      let table = Int(block.table)
      let dc = extraBits(block.difference)
      let entry = codes[HuffmanCodes.dcStart(table) &+ dc.size]
      local.append(
        UInt64(entry &>> 8) &<< UInt64(truncatingIfNeeded: dc.size) | dc.bits,
        count: Int(entry & 0xFF) &+ dc.size, &output)
      let acStart = HuffmanCodes.acStart(table)
      let smallStart = HuffmanCodes.smallValueStart(table)
      let first = index &* 64
      var previous = 0
      var rest = block.mask & ~1
      while rest != 0 {
        let zigzag = rest.trailingZeroBitCount
        rest &= rest &- 1
        var run = zigzag &- previous &- 1
        previous = zigzag
        while run > 15 {
          let entry = codes[acStart &+ 0xF0]
          local.append(UInt64(entry &>> 8), count: Int(entry & 0xFF), &output)
          run &-= 16
        }
        let value = Int32(coefficients[first &+ Int(places[zigzag])])
        let small = UInt32(bitPattern: value &+ 64)
        if small < 128 {
          let entry = smallValues[smallStart &+ run &* 128 &+ Int(small)]
          local.append(UInt64(entry &>> 8), count: Int(entry & 0xFF), &output)
        } else {
          let ac = extraBits(value)
          let entry = codes[acStart &+ (run &<< 4 &+ ac.size)]
          local.append(
            UInt64(entry &>> 8) &<< UInt64(truncatingIfNeeded: ac.size) | ac.bits,
            count: Int(entry & 0xFF) &+ ac.size, &output)
        }
      }
      if previous < 63 {
        let entry = codes[acStart]
        local.append(UInt64(entry &>> 8), count: Int(entry & 0xFF), &output)
      }
    }
    return local
  }
}

/// The number of occurrences of each symbol in the blocks of a scan.
struct SymbolCounts {
  /// The counts, at the indices of ``HuffmanCodes/entries``.
  private(set) var counts = [Int](repeating: 0, count: 2 * 16 + 2 * 256)

  @inline(__always)
  mutating func count(_ index: Int) { counts[index] &+= 1 }

  /// Counts the symbols that `EntropyWriter.appending` would append for a block. `block` is in zigzag order.
  mutating func countBlock(difference: Int32, mask: UInt64, _ block: Span<Int16>, table: Int) {
    count(HuffmanCodes.dcStart(table) + extraBits(difference).size)
    let acStart = HuffmanCodes.acStart(table)
    var previous = 0
    var rest = mask & ~1
    while rest != 0 {
      let index = rest.trailingZeroBitCount
      rest &= rest &- 1
      let run = index - previous - 1
      previous = index
      counts[acStart + 0xF0] += run >> 4
      count(acStart + (run & 15) << 4 + extraBits(Int32(block[index])).size)
    }
    if previous < 63 { count(acStart) }
  }

  /// Returns the optimal table for a range of symbols.
  func optimalTable(at start: Int) -> HuffmanTable? {
    HuffmanTable(optimalFor: Array(counts[start..<start + (start < 32 ? 16 : 256)]))
  }
}
