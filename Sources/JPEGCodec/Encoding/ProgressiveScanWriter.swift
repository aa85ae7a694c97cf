// Progressive scans: DC and AC coefficients are written in parts, first the upper bits, then refinements. ITU-T T.81,
// section G.1.2. End-of-band runs and correction bits are deferred to the same extent as in libjpeg.

/// The state of a progressive scan.
struct ProgressiveScanWriter {
  let scan: ScanDescription
  /// The previous DC coefficients, shifted.
  private var predictions: InlineArray<4, Int32> = InlineArray(repeating: 0)
  /// The number of blocks whose band has ended, not written yet (EOBRUN).
  private var endOfBandRun = 0
  /// Correction bits that follow the run.
  private var corrections: [UInt8] = []

  /// libjpeg limits the correction bits pending before a block to this number, so that there are never more than 1,000.
  private static let maximumPendingCorrections = 1000 - 64 + 1

  init(scan: ScanDescription) {
    self.scan = scan
  }

  /// The maximum number of bytes for a block, including everything deferred before it.
  static let maximumBlockByteCount = EntropyWriter.maximumBlockByteCount + 512

  /// Writes everything deferred; called at the end of a scan and of every restart interval.
  mutating func finishInterval<Sink: EntropySink>(_ sink: inout Sink, tableStart: Int) {
    putEndOfBandRun(&sink, tableStart)
    predictions = InlineArray(repeating: 0)
  }

  /// Writes the DC coefficient of a block.
  @inline(__always)
  mutating func putDC<Sink: EntropySink>(_ dc: Int16, slot: Int, table: Int, to sink: inout Sink) {
    let value = Int32(dc) &>> Int32(truncatingIfNeeded: scan.low)
    if scan.high > 0 {
      sink.put(bits: UInt64(value & 1), count: 1)
      return
    }
    let extra = extraBits(value &- predictions[slot])
    predictions[slot] = value
    sink.put(symbol: extra.size, tableStart: HuffmanCodes.dcStart(table))
    if extra.size > 0 { sink.put(bits: extra.bits, count: extra.size) }
  }

  /// Writes the upper bits of the AC coefficients of a block, in zigzag order.
  @inline(__always)
  mutating func putFirstAC<Sink: EntropySink>(
    _ block: Span<Int16>, mask: UInt64, tableStart: Int, to sink: inout Sink
  ) {
    var rest = mask & bandMask
    var previous = scan.start &- 1
    let low = Int32(truncatingIfNeeded: scan.low)
    while rest != 0 {
      let index = rest.trailingZeroBitCount
      rest &= rest &- 1
      let coefficient = Int32(block[index])
      let sign = coefficient &>> 31
      let magnitude = ((coefficient ^ sign) &- sign) &>> low
      if magnitude == 0 { continue }
      if endOfBandRun > 0 { putEndOfBandRun(&sink, tableStart) }
      var run = index &- previous &- 1
      previous = index
      while run > 15 {
        sink.put(symbol: 0xF0, tableStart: tableStart)
        run &-= 16
      }
      let extra = extraBits((magnitude ^ sign) &- sign)
      sink.put(symbol: run &<< 4 &+ extra.size, tableStart: tableStart)
      sink.put(bits: extra.bits, count: extra.size)
    }
    if previous < scan.end {
      endOfBandRun &+= 1
      if endOfBandRun == 0x7FFF { putEndOfBandRun(&sink, tableStart) }
    }
  }

  /// Writes the next bit of the AC coefficients of a block, in zigzag order.
  @inline(__always)
  mutating func putRefinedAC<Sink: EntropySink>(
    _ block: Span<Int16>, mask: UInt64, tableStart: Int, to sink: inout Sink
  ) {
    let low = Int32(truncatingIfNeeded: scan.low)
    var rest = mask & bandMask
    // The coefficients that are nonzero at this precision, and the last one that becomes nonzero in this scan.
    var significant: UInt64 = 0
    var lastNew = 0
    while rest != 0 {
      let index = rest.trailingZeroBitCount
      rest &= rest &- 1
      let magnitude = Int32(block[index].magnitude) &>> low
      if magnitude > 0 { significant |= 1 &<< UInt64(index) }
      if magnitude == 1 { lastNew = index }
    }
    var previous = scan.start &- 1
    var run = 0
    // The index of this block's correction bits that follow the next symbol.
    var firstCorrection = corrections.count
    while significant != 0 {
      let index = significant.trailingZeroBitCount
      significant &= significant &- 1
      run &+= index &- previous &- 1
      previous = index
      while run > 15, index <= lastNew {
        putEndOfBandRun(&sink, tableStart, upTo: firstCorrection)
        sink.put(symbol: 0xF0, tableStart: tableStart)
        run &-= 16
        putCorrections(from: firstCorrection, &sink)
        firstCorrection = 0
      }
      let coefficient = Int32(block[index])
      let magnitude = Int32(block[index].magnitude) &>> low
      if magnitude > 1 {
        corrections.append(UInt8(truncatingIfNeeded: magnitude & 1))
        continue
      }
      putEndOfBandRun(&sink, tableStart, upTo: firstCorrection)
      sink.put(symbol: run &<< 4 &+ 1, tableStart: tableStart)
      sink.put(bits: coefficient < 0 ? 0 : 1, count: 1)
      putCorrections(from: firstCorrection, &sink)
      firstCorrection = 0
      run = 0
    }
    if previous < scan.end || run > 0 || corrections.count > firstCorrection {
      endOfBandRun &+= 1
      if endOfBandRun == 0x7FFF || corrections.count > Self.maximumPendingCorrections {
        putEndOfBandRun(&sink, tableStart)
      }
    }
  }

  /// A mask of the zigzag indices in the scan.
  @inline(__always)
  private var bandMask: UInt64 {
    (~0 &<< UInt64(truncatingIfNeeded: scan.start)) & (~0 &>> UInt64(truncatingIfNeeded: 63 &- scan.end))
  }

  /// Writes the end-of-band run and the correction bits that belong to it.
  ///
  /// - Parameter correctionCount: the number of those correction bits; `nil` writes and discards all of them.
  @inline(__always)
  private mutating func putEndOfBandRun<Sink: EntropySink>(
    _ sink: inout Sink, _ tableStart: Int, upTo correctionCount: Int? = nil
  ) {
    guard endOfBandRun > 0 else { return }
    let size = Int.bitWidth - 1 - endOfBandRun.leadingZeroBitCount
    sink.put(symbol: size << 4, tableStart: tableStart)
    if size > 0 { sink.put(bits: UInt64(endOfBandRun & (1 << size - 1)), count: size) }
    endOfBandRun = 0
    putCorrections(0..<(correctionCount ?? corrections.count), &sink)
    if correctionCount == nil { corrections.removeAll(keepingCapacity: true) }
  }

  /// Writes some correction bits, 32 at a time.
  private func putCorrections<Sink: EntropySink>(_ range: Range<Int>, _ sink: inout Sink) {
    var bits: UInt64 = 0
    var count = 0
    for index in range {
      bits = bits << 1 | UInt64(corrections[index])
      count += 1
      if count == 32 {
        sink.put(bits: bits, count: 32)
        (bits, count) = (0, 0)
      }
    }
    if count > 0 { sink.put(bits: bits, count: count) }
  }

  /// Writes the correction bits starting at an index and discards all of them.
  @inline(__always)
  private mutating func putCorrections<Sink: EntropySink>(from first: Int, _ sink: inout Sink) {
    guard !corrections.isEmpty else { return }
    putCorrections(first..<corrections.count, &sink)
    corrections.removeAll(keepingCapacity: true)
  }
}
