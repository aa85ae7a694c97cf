// The Huffman coding of the blocks of a scan (ITU-T T.81, F.1.2 and G.1.2).

internal import ImageCoding

/// Codes blocks as sequential or progressive scans do, and the runs of bands without coefficients between them.
struct JPEGBlockEncoder {
  /// The codes of a block's component.
  struct Tables {
    /// The indices of the first codes of the tables.
    var dc: Int
    var ac: Int
  }

  var output: JPEGOutput
  /// The codes of eight tables: those for DC, then those for AC.
  var codes = [UInt32](repeating: 0, count: 8 * 256)
  /// Whether a symbol had no code, or a coefficient was too large for any.
  private(set) var isInvalid = false
  /// The number of blocks whose band ends, and the table of its code.
  private var runLength: UInt32 = 0
  private var runTable = 0
  /// The bits of refined coefficients in these blocks.
  private var corrections: [UInt8] = []
  private var chargedCorrectionCount = 0
  /// The bits of refined coefficients in the current block.
  private var blockCorrections: [UInt8] = []

  private static let maximumRunLength: UInt32 = 0x7FFF
  private static let sixteenZeros = 0xF0
  /// The maximum number of bytes of a block, without additional codes: 64 codes of 16 bits with up to 15 more, the code
  /// of a run, all bytes stuffed, and a restart marker.
  private static let maximumBlockByteCount = 2 * 64 * 4 + 32

  init(_ output: JPEGOutput) {
    self.output = output
    blockCorrections.reserveCapacity(64)
  }

  /// Makes room for a block.
  @inline(__always)
  mutating func makeRoom(zeroRuns: Int, _ budget: inout ResourceBudget) throws(CodecError) {
    if corrections.count + 64 > chargedCorrectionCount {
      let added = max(1024, chargedCorrectionCount)
      try budget.allocate(added)
      chargedCorrectionCount += added
    }
    try output.makeRoom(
      Self.maximumBlockByteCount + 4 * zeroRuns + (corrections.count + 64) / 4 + 4, &budget)
  }

  /// Frees the memory of corrections.
  mutating func finish(_ budget: inout ResourceBudget) {
    budget.release(chargedCorrectionCount)
    chargedCorrectionCount = 0
    corrections = []
  }

  // MARK: Symbols

  @inline(__always)
  private mutating func append(symbol: Int, table: Int) {
    let code = codes[table &+ symbol]
    if code == 0 { isInvalid = true }
    output.append(code & 0xFFFF, bitCount: Int(truncatingIfNeeded: code &>> 16))
  }

  /// Appends a number with its size, which follows zeros.
  @inline(__always)
  private mutating func append(_ value: Int32, zeros: Int, table: Int) {
    let magnitude = value.magnitude
    let size = 32 - magnitude.leadingZeroBitCount
    guard size < 16 else {
      isInvalid = true
      return
    }
    append(symbol: zeros << 4 | size, table: table)
    // Negative numbers are those of the same size, minus one.
    output.append(UInt32(bitPattern: value < 0 ? value &- 1 : value), bitCount: size)
  }

  private mutating func append(_ bits: [UInt8]) {
    for bit in bits { output.append(UInt32(bit), bitCount: 1) }
  }

  /// Ends the run of bands without coefficients.
  mutating func endRun() {
    guard runLength > 0 else { return }
    let size = 31 - runLength.leadingZeroBitCount
    append(symbol: size << 4, table: runTable)
    output.append(runLength, bitCount: size)
    append(corrections)
    corrections.removeAll(keepingCapacity: true)
    runLength = 0
  }

  /// Adds the end of a band to the run.
  private mutating func extendRun(_ table: Int, isAllowed: Bool) {
    if runLength == 0 { runTable = table }
    runLength += 1
    corrections += blockCorrections
    if runLength == Self.maximumRunLength || !isAllowed { endRun() }
  }

  // MARK: Blocks

  /// Codes a block of a sequential scan.
  ///
  /// - Parameters:
  ///   - zeroRuns: the number of codes for sixteen zeros at the end, in addition to what is necessary.
  ///   - predictor: the previous DC coefficient.
  mutating func appendSequential(
    _ block: Span<Int16>, _ tables: Tables, zeroRuns: Int, predictor: inout Int32
  ) {
    append(Int32(block[0]) &- predictor, zeros: 0, table: tables.dc)
    predictor = Int32(block[0])
    var zeros = 0
    for index in 1..<64 {
      let value = Int32(block[index])
      guard value != 0 else {
        zeros &+= 1
        continue
      }
      while zeros > 15 {
        append(symbol: Self.sixteenZeros, table: tables.ac)
        zeros &-= 16
      }
      append(value, zeros: zeros, table: tables.ac)
      zeros = 0
    }
    for _ in 0..<zeroRuns { append(symbol: Self.sixteenZeros, table: tables.ac) }
    if zeros > 16 * zeroRuns { append(symbol: 0, table: tables.ac) }
  }

  /// Codes a block in the first scan of its coefficients.
  mutating func appendFirst(
    _ block: Span<Int16>, _ tables: Tables, _ scan: borrowing JPEGScan, zeroRuns: Int, predictor: inout Int32
  ) {
    let low = Int32(truncatingIfNeeded: scan.low)
    var index = scan.start
    if index == 0 {
      let value = Int32(block[0]) >> low
      append(value &- predictor, zeros: 0, table: tables.dc)
      predictor = value
      index = 1
    }
    guard index <= scan.end else { return }
    var zeros = 0
    while index <= scan.end {
      let stored = Int32(block[index])
      index &+= 1
      // Towards zero, unlike DC coefficients.
      let value = stored < 0 ? 0 &- ((0 &- stored) >> low) : stored >> low
      guard value != 0 else {
        zeros &+= 1
        continue
      }
      endRun()
      while zeros > 15 {
        append(symbol: Self.sixteenZeros, table: tables.ac)
        zeros &-= 16
      }
      append(value, zeros: zeros, table: tables.ac)
      zeros = 0
    }
    if zeroRuns > 0 { endRun() }
    for _ in 0..<zeroRuns { append(symbol: Self.sixteenZeros, table: tables.ac) }
    if zeros > 16 * zeroRuns { extendRun(tables.ac, isAllowed: scan.start > 0) }
  }

  /// Codes the next bit of the coefficients of a block.
  mutating func appendRefinement(_ block: Span<Int16>, _ tables: Tables, _ scan: borrowing JPEGScan) {
    let low = Int32(truncatingIfNeeded: scan.low)
    var first = scan.start
    if first == 0 {
      output.append(UInt32(bitPattern: Int32(block[0]) >> low) & 1, bitCount: 1)
      first = 1
    }
    guard first <= scan.end else { return }
    // The last coefficient that is not zero for the first time: sixteen zeros after it are part of the end of the band.
    var last = 0
    for index in first...scan.end where Int32(block[index]).magnitude >> UInt32(low) == 1 { last = index }
    blockCorrections.removeAll(keepingCapacity: true)
    var zeros = 0
    for index in first...scan.end {
      let magnitude = Int32(block[index]).magnitude >> UInt32(low)
      guard magnitude != 0 else {
        zeros &+= 1
        continue
      }
      while zeros > 15, index <= last {
        endRun()
        append(symbol: Self.sixteenZeros, table: tables.ac)
        zeros &-= 16
        append(blockCorrections)
        blockCorrections.removeAll(keepingCapacity: true)
      }
      guard magnitude == 1 else {
        blockCorrections.append(UInt8(truncatingIfNeeded: magnitude & 1))
        continue
      }
      endRun()
      append(symbol: zeros << 4 | 1, table: tables.ac)
      output.append(block[index] < 0 ? 0 : 1, bitCount: 1)
      append(blockCorrections)
      blockCorrections.removeAll(keepingCapacity: true)
      zeros = 0
    }
    if zeros > 0 || !blockCorrections.isEmpty { extendRun(tables.ac, isAllowed: scan.start > 0) }
  }
}
