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

/// Converts a bit mask of coefficients to zigzag indices.
///
/// - Parameter natural: the bit mask in natural order.
@inline(__always)
func zigzagMask(natural: UInt64, _ zigzagIndices: Span<UInt8>) -> UInt64 {
  var result: UInt64 = 0
  var rest = natural
  while rest != 0 {
    result |= 1 &<< UInt64(zigzagIndices[rest.trailingZeroBitCount])
    rest &= rest &- 1
  }
  return result
}

extension EntropyWriter {
  /// Appends a block.
  ///
  /// - Parameters:
  ///   - difference: DC minus the previous DC.
  ///   - mask: a bit mask of the nonzero AC coefficients by zigzag index; bit 0 is ignored.
  ///   - places: the position in `block` of each zigzag index.
  @inline(__always)
  mutating func appendBlock(
    difference: Int32, mask: UInt64, _ block: Span<Int16>, places: Span<UInt8>, codes: Span<UInt32>, table: Int,
    _ output: inout MutableSpan<UInt8>
  ) {
    let dc = extraBits(difference)
    let entry = codes[HuffmanCodes.dcStart(table) &+ dc.size]
    append(
      UInt64(entry &>> 8) &<< UInt64(truncatingIfNeeded: dc.size) | dc.bits,
      count: Int(entry & 0xFF) &+ dc.size, &output)
    let acStart = HuffmanCodes.acStart(table)
    var previous = 0
    var rest = mask & ~1
    while rest != 0 {
      let index = rest.trailingZeroBitCount
      rest &= rest &- 1
      var run = index &- previous &- 1
      previous = index
      while run > 15 {
        let entry = codes[acStart &+ 0xF0]
        append(UInt64(entry &>> 8), count: Int(entry & 0xFF), &output)
        run &-= 16
      }
      let ac = extraBits(Int32(block[Int(places[index])]))
      let entry = codes[acStart &+ (run &<< 4 &+ ac.size)]
      append(
        UInt64(entry &>> 8) &<< UInt64(truncatingIfNeeded: ac.size) | ac.bits,
        count: Int(entry & 0xFF) &+ ac.size, &output)
    }
    if previous < 63 {
      let entry = codes[acStart]
      append(UInt64(entry &>> 8), count: Int(entry & 0xFF), &output)
    }
  }
}

/// The number of occurrences of each symbol in the blocks of a scan.
struct SymbolCounts {
  /// The counts, at the indices of ``HuffmanCodes/entries``.
  private(set) var counts = [Int](repeating: 0, count: 2 * 16 + 2 * 256)

  @inline(__always)
  mutating func count(_ index: Int) { counts[index] &+= 1 }

  /// Counts the symbols that `EntropyWriter.appendBlock` would append. `block` is in zigzag order.
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
