// Coefficient buffering for progressive and non-interleaved scans. ITU-T T.81, sections A.2 and G.1.2. The loop over
// MCUs and restart intervals is shared by all five block procedures.

internal import ImageCoding

/// Decodes one scan to coefficient planes.
struct BufferedScan {
  let header: ScanHeader
  let frame: FrameHeader
  let tables: ScanTables

  /// The number of MCUs in a row; an MCU is a single block if the scan has one component.
  var mcusPerRow: Int {
    header.components.count > 1 ? frame.mcusPerRow : frame.components[header.components[0].index].blocksPerRow
  }
  /// The number of MCU rows.
  var mcuRowCount: Int {
    header.components.count > 1 ? frame.mcuRowCount : frame.components[header.components[0].index].blockRowCount
  }
  /// The work of visiting a block. A refinement visits every coefficient of a block, which counts as eight visits.
  private static let workPerVisit = 5

  /// The work of visiting the blocks of a row of MCUs, whatever the data. The decisions of an arithmetic decoder, which
  /// it makes even without data, are charged by ``ArithmeticScan``.
  var workPerRow: Int {
    let isRefinement = header.isRefinement && !header.codesDC
    return mcusPerRow * tables.blocks.count * (isRefinement ? 8 : 1) * Self.workPerVisit
  }

  /// The rows of this scan's MCUs in some rows of the frame's MCUs.
  func rows(inMCURows mcuRows: Range<Int>) -> Range<Int> {
    let factor = header.components.count > 1 ? 1 : frame.components[header.components[0].index].verticalFactor
    return min(mcuRows.lowerBound * factor, mcuRowCount)..<min(mcuRows.upperBound * factor, mcuRowCount)
  }

  /// Decodes all MCUs that are present in some rows, at whose start the cursor is. Charges each row of MCUs before it is
  /// decoded, and its data afterwards.
  ///
  /// All bytes of the scan are present: it ends at a marker or at the end of the input.
  /// - Parameter rows: rows of this scan's MCUs; `nil` for all.
  func decode(
    _ cursor: inout ScanCursor, _ bytes: Span<UInt8>, rows: Range<Int>? = nil, into planes: inout CoefficientPlanes,
    lost: inout LostUnits, budget: inout ResourceBudget
  ) throws(CodecError) {
    let rows = rows ?? 0..<mcuRowCount
    let chargedPosition: Int
    if frame.process == .sequential {
      chargedPosition = try walk(SequentialBlock.self, &cursor, bytes, rows, &planes, &lost, &budget)
    } else {
      switch (header.codesDC, header.isRefinement) {
      case (true, false): chargedPosition = try walk(FirstDC.self, &cursor, bytes, rows, &planes, &lost, &budget)
      case (true, true): chargedPosition = try walk(RefinedDC.self, &cursor, bytes, rows, &planes, &lost, &budget)
      case (false, false): chargedPosition = try walk(FirstAC.self, &cursor, bytes, rows, &planes, &lost, &budget)
      case (false, true): chargedPosition = try walk(RefinedAC.self, &cursor, bytes, rows, &planes, &lost, &budget)
      }
    }
    try budget.chargeWork(
      count: cursor.reader.position &- chargedPosition, unitsEach: BufferedDecoding.workPerByte)
  }

  /// Returns the position up to which data has been charged.
  @inline(__always)
  private func walk<Procedure: BlockProcedure>(
    _ procedure: Procedure.Type, _ cursor: inout ScanCursor, _ bytes: Span<UInt8>, _ rows: Range<Int>,
    _ planes: inout CoefficientPlanes, _ lost: inout LostUnits, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Int {
    let layout = planes.planes
    let blockLength = planes.blockLength
    var coefficients = planes.coefficients.mutableSpan
    let unitCount = mcusPerRow * mcuRowCount
    let mcusPerRow = mcusPerRow
    let blocks = tables.blocks.span
    let huffman = tables.huffman.span
    let places = tables.places.span
    var state = BlockState(cursor)
    var local = cursor
    var chargedPosition = cursor.reader.position
    for row in rows {
      try budget.chargeWork(workPerRow)
      try budget.chargeWork(
        count: state.reader.position &- chargedPosition, unitsEach: BufferedDecoding.workPerByte)
      chargedPosition = state.reader.position
      var column = 0
      while column < mcusPerRow {
        if local.isLost || local.restarts.isDue {
          state.store(in: &local)
          let boundary = local.passBoundary(bytes, isFinal: true)
          state = BlockState(local)
          if local.hasEnded { break }
          if case .lost = boundary {
            lost.append(local.mcu)
            local.advance()
            column &+= 1
            continue
          }
        }
        let unchanged = min(procedure.unchangedBlockCount(state), mcusPerRow &- column, local.mcusBeforeRestart)
        if unchanged > 0 {
          state.endOfBandRun &-= unchanged
          local.advance(by: unchanged)
          column &+= unchanged
          continue
        }
        for index in blocks.indices {
          let block = blocks[index]
          let start = layout[block.component].block(
            row: row &* block.rowCount &+ block.row, column: column &* block.columnCount &+ block.column)
          var target = coefficients._mutatingExtracting(start..<start &+ blockLength)
          procedure.decode(&state, bytes, huffman, places, header, block, &target)
        }
        if state.reader.overrun {
          local.loseInterval()
          if local.hasEnded { break }
          lost.append(local.mcu)
        }
        local.advance()
        column &+= 1
      }
      if local.hasEnded { break }
    }
    if local.hasEnded { lost.append(local.mcu..<unitCount) }
    state.store(in: &local)
    cursor = local
    return chargedPosition
  }
}

/// The mutable state of a block procedure. No pointer to it exists, so it stays in registers.
struct BlockState {
  var reader: EntropyReader
  /// The last DC coefficient of each component of the scan.
  var predictions: InlineArray<4, Int32>
  /// The number of following blocks without coefficients (EOBRUN).
  var endOfBandRun: Int

  init(_ cursor: ScanCursor) {
    reader = cursor.reader
    predictions = cursor.predictions
    endOfBandRun = cursor.endOfBandRun
  }

  func store(in cursor: inout ScanCursor) {
    cursor.reader = reader
    cursor.predictions = predictions
    cursor.endOfBandRun = endOfBandRun
  }
}

/// The decoding of a block in a scan. Each procedure is a type, so the MCU loop is specialised for each.
protocol BlockProcedure {
  /// Decodes a block in place.
  static func decode(
    _ state: inout BlockState, _ bytes: Span<UInt8>, _ huffman: Span<Int32>, _ places: Span<UInt32>,
    _ header: ScanHeader, _ block: ScanTables.Block, _ target: inout MutableSpan<Int16>)

  /// The number of blocks that follow and are left as they are: those of an end-of-band run.
  static func unchangedBlockCount(_ state: BlockState) -> Int
}

extension BlockProcedure {
  @inline(__always)
  static func unchangedBlockCount(_ state: BlockState) -> Int { 0 }
}

/// A complete block of a sequential scan.
enum SequentialBlock: BlockProcedure {
  @inline(__always)
  static func decode(
    _ state: inout BlockState, _ bytes: Span<UInt8>, _ huffman: Span<Int32>, _ places: Span<UInt32>,
    _ header: ScanHeader, _ block: ScanTables.Block, _ target: inout MutableSpan<Int16>
  ) {
    let prediction =
      state.predictions[block.slot] &+ state.reader.readDifference(bytes, huffman, table: block.dcTable)
    state.predictions[block.slot] = prediction
    target[0] = Int16(truncatingIfNeeded: prediction)
    _ = state.reader.readACCoefficients(
      bytes, huffman, table: block.acTable, places, placesStart: block.places, into: &target)
  }
}
