// The four block procedures of progressive scans: DC and AC coefficients, each first coded down to a bit position and
// then refined by one bit per scan. ITU-T T.81, section G.1.2.

internal import ImageCoding

/// The difference of a DC coefficient, above the scan's bit position. Section G.1.2.1.
enum FirstDC: BlockProcedure {
  @inline(__always)
  static func decode(
    _ state: inout BlockState, _ bytes: Span<UInt8>, _ huffman: Span<Int32>, _ places: Span<UInt32>,
    _ header: ScanHeader, _ block: ScanTables.Block, _ target: inout MutableSpan<Int16>
  ) {
    let prediction =
      state.predictions[block.slot]
      &+ state.reader.readDifference(bytes, huffman, table: block.dcTable)
    state.predictions[block.slot] = prediction
    target[0] = Int16(truncatingIfNeeded: prediction &<< Int32(truncatingIfNeeded: header.approximationLow))
  }
}

/// One more bit of a DC coefficient. Section G.1.2.1.
enum RefinedDC: BlockProcedure {
  @inline(__always)
  static func decode(
    _ state: inout BlockState, _ bytes: Span<UInt8>, _ huffman: Span<Int32>, _ places: Span<UInt32>,
    _ header: ScanHeader, _ block: ScanTables.Block, _ target: inout MutableSpan<Int16>
  ) {
    state.reader.refill(bytes)
    if state.reader.readBit() { target[0] |= 1 &<< Int16(truncatingIfNeeded: header.approximationLow) }
  }
}

/// The AC coefficients of a band, above the scan's bit position. Section G.1.2.2.
enum FirstAC: BlockProcedure {
  @inline(__always)
  static func unchangedBlockCount(_ state: BlockState) -> Int { state.endOfBandRun }

  @inline(__always)
  static func decode(
    _ state: inout BlockState, _ bytes: Span<UInt8>, _ huffman: Span<Int32>, _ places: Span<UInt32>,
    _ header: ScanHeader, _ block: ScanTables.Block, _ target: inout MutableSpan<Int16>
  ) {
    let table = huffman.extracting(block.acTable..<block.acTable &+ HuffmanLookup.wordCount)
    let low = Int32(truncatingIfNeeded: header.approximationLow)
    var index = header.spectralSelectionStart
    while index <= header.spectralSelectionEnd {
      state.reader.refill(bytes)
      let entry = table[state.reader.peek(HuffmanLookup.bitCount)]
      var value = entry &>> 16
      if value != 0 {
        state.reader.skipCode(of: entry)
        index &+= Int((entry &>> 10) & 63)
      } else {
        let (run, size) = state.reader.readSymbolWithoutValue(table)
        if size == 0 {
          if run == 15 {
            index &+= 16
            continue
          }
          state.endOfBandRun = state.reader.readRun(bytes, exponent: run) &- 1
          return
        }
        index &+= run
        value = state.reader.readExtended(size)
      }
      // A run past the end of a damaged block stops at its last coefficient.
      target[min(index, 63)] = Int16(truncatingIfNeeded: value &<< low)
      index &+= 1
    }
  }
}

/// One more bit of the AC coefficients of a band, and those that become nonzero with it. Section G.1.2.3.
enum RefinedAC: BlockProcedure {
  @inline(__always)
  static func decode(
    _ state: inout BlockState, _ bytes: Span<UInt8>, _ huffman: Span<Int32>, _ places: Span<UInt32>,
    _ header: ScanHeader, _ block: ScanTables.Block, _ target: inout MutableSpan<Int16>
  ) {
    let table = huffman.extracting(block.acTable..<block.acTable &+ HuffmanLookup.wordCount)
    let bit: Int16 = 1 &<< Int16(truncatingIfNeeded: header.approximationLow)
    var index = header.spectralSelectionStart
    let end = header.spectralSelectionEnd
    // A bit mask of the coefficients that were nonzero before this scan; each receives a correction bit when it is
    // passed.
    var passed = nonzeroCoefficients(target.span) & (UInt64.max &>> UInt64(truncatingIfNeeded: 63 &- end))
    if state.endOfBandRun == 0 {
      while index <= end {
        state.reader.refill(bytes)
        let (run, size) = state.reader.readSymbolWithoutValue(table)
        var value: Int16 = 0
        if size == 0 {
          if run != 15 {
            state.endOfBandRun = state.reader.readRun(bytes, exponent: run)
            break
          }
        } else {
          // A size other than 1 is an error; libjpeg treats it as 1.
          value = state.reader.readBit() ? bit : -bit
        }
        // Skip as many zeros as the run specifies, and one more, whose place the value takes.
        var zeroCount = run
        while true {
          let next = Int((passed &>> UInt64(truncatingIfNeeded: index)).trailingZeroBitCount) &+ index
          let isBeyond = passed &>> UInt64(truncatingIfNeeded: index) == 0
          if isBeyond || next &- index > zeroCount {
            index &+= zeroCount
            break
          }
          zeroCount &-= next &- index
          state.reader.refill(bytes)
          if state.reader.readBit() { refine(&target, next, bit) }
          index = next &+ 1
          if index > end { break }
        }
        if index <= end, value != 0 { target[index] = value }
        index &+= 1
      }
    }
    if state.endOfBandRun > 0 {
      if index <= end {
        passed &= UInt64.max &<< UInt64(truncatingIfNeeded: index)
        while passed != 0 {
          state.reader.refill(bytes)
          if state.reader.readBit() { refine(&target, passed.trailingZeroBitCount, bit) }
          passed &= passed &- 1
        }
      }
      state.endOfBandRun &-= 1
    }
  }
}

/// Adds a bit to the magnitude of a coefficient, unless a damaged file has already set it.
@inline(__always)
private func refine(_ target: inout MutableSpan<Int16>, _ place: Int, _ bit: Int16) {
  let old = target[place]
  if old & bit == 0 { target[place] = old >= 0 ? old &+ bit : old &- bit }
}

extension EntropyReader {
  /// The length of an end-of-band run: 2^exponent plus that many more bits (EOBn). Exponents are 0…14.
  @inline(__always)
  fileprivate mutating func readRun(_ bytes: Span<UInt8>, exponent: Int) -> Int {
    if exponent == 0 { return 1 }
    refill(bytes)
    let extra = peek(exponent)
    skip(exponent)
    return 1 &<< exponent &+ extra
  }

  /// Reads a symbol whose look-up entry may hold a value. In a valid scan its size is then 1, and the entry's length
  /// includes the sign bit.
  @inline(__always)
  fileprivate mutating func readSymbolWithoutValue(_ table: Span<Int32>) -> (run: Int, size: Int) {
    let entry = table[peek(HuffmanLookup.bitCount)]
    if entry == 0 {
      let symbol = readLongSymbol(table)
      return (symbol &>> 4, symbol & 15)
    }
    let value = entry &>> 16
    if value == 0 {
      skipCode(of: entry)
      return (Int((entry &>> 10) & 63), Int((entry &>> 6) & 15))
    }
    let size = Int32.bitWidth &- abs(value).leadingZeroBitCount
    skip(Int(entry & 63) &- size)
    return (Int((entry &>> 10) & 63), size)
  }
}
