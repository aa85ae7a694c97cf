// The scans of progressive and of non-interleaved images: from bits to stored coefficients. ITU-T T.81, sections A.2
// and G.1.2; the walk over MCUs and restart intervals is the same for all five block procedures.

internal import ImageCore

/// One scan into coefficient planes.
struct BufferedScan {
  let header: ScanHeader
  let frame: FrameHeader
  let tables: ScanTables

  /// MCUs in a row: blocks when the scan has one component.
  var mcusPerRow: Int {
    header.components.count > 1 ? frame.mcusPerRow : frame.components[header.components[0].index].blocksPerRow
  }
  /// Rows of MCUs.
  var mcuRowCount: Int {
    header.components.count > 1 ? frame.mcuRowCount : frame.components[header.components[0].index].blockRowCount
  }
  /// What decoding costs at most, in visits of a block; a refinement looks at every coefficient of a block, and an
  /// arithmetic decoder makes decisions even where there are no data.
  var cost: Int {
    let isRefinement = header.isRefinement && !header.codesDC
    return mcusPerRow * mcuRowCount * tables.blocks.count * (isRefinement || frame.isArithmetic ? 8 : 1)
  }

  /// Decodes all MCUs that are there.
  ///
  /// All bytes of the scan are: it ends at a marker or at the end of the input.
  mutating func decode(
    _ cursor: inout ScanCursor, _ bytes: Span<UInt8>, into planes: inout CoefficientPlanes, lost: inout LostUnits,
    options: DecodingOptions
  ) throws(DecodeError) {
    if frame.process == .sequential {
      try walk(SequentialBlock.self, &cursor, bytes, &planes, &lost, options)
    } else {
      switch (header.codesDC, header.isRefinement) {
      case (true, false): try walk(FirstDC.self, &cursor, bytes, &planes, &lost, options)
      case (true, true): try walk(RefinedDC.self, &cursor, bytes, &planes, &lost, options)
      case (false, false): try walk(FirstAC.self, &cursor, bytes, &planes, &lost, options)
      case (false, true): try walk(RefinedAC.self, &cursor, bytes, &planes, &lost, options)
      }
    }
  }

  @inline(__always)
  private func walk<Procedure: BlockProcedure>(
    _ procedure: Procedure.Type, _ cursor: inout ScanCursor, _ bytes: Span<UInt8>,
    _ planes: inout CoefficientPlanes, _ lost: inout LostUnits, _ options: DecodingOptions
  ) throws(DecodeError) {
    let layout = planes.planes
    var coefficients = planes.coefficients.mutableSpan
    let unitCount = mcusPerRow * mcuRowCount
    let mcusPerRow = mcusPerRow
    let blocks = tables.blocks.span
    let huffman = tables.huffman.span
    let places = tables.places.span
    var state = BlockState(cursor)
    var local = cursor
    for row in 0..<mcuRowCount {
      try options.checkCancellation(format: JPEGDecoder.type)
      for column in 0..<mcusPerRow {
        if local.isLost || local.restarts.isDue {
          state.store(in: &local)
          let boundary = local.passBoundary(bytes, isFinal: true)
          state = BlockState(local)
          if local.hasEnded { break }
          if case .lost = boundary {
            lost.append(local.mcu)
            local.advance()
            continue
          }
        }
        for index in blocks.indices {
          let block = blocks[index]
          let start = layout[block.component].block(
            row: row &* block.rowCount &+ block.row, column: column &* block.columnCount &+ block.column)
          var target = coefficients._mutatingExtracting(start..<start &+ 64)
          procedure.decode(&state, bytes, huffman, places, header, block, &target)
        }
        if state.reader.overrun {
          local.isLost = true
          local.hasEnded = local.restarts.interval == 0
          if local.hasEnded { break }
          lost.append(local.mcu)
        }
        local.advance()
      }
      if local.hasEnded { break }
    }
    if local.hasEnded { lost.append(local.mcu..<unitCount) }
    state.store(in: &local)
    cursor = local
  }
}

/// What block procedures change. Nothing points to it, so that it stays in registers.
struct BlockState {
  var reader: EntropyReader
  /// The last DC coefficient of each component of the scan.
  var predictions: InlineArray<4, Int32>
  /// Blocks that follow without coefficients (EOBRUN).
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

/// How a block of a scan is decoded: one type a procedure, so that the walk is compiled for each.
protocol BlockProcedure {
  /// Decodes a block in place.
  static func decode(
    _ state: inout BlockState, _ bytes: Span<UInt8>, _ huffman: Span<Int32>, _ places: Span<UInt32>,
    _ header: ScanHeader, _ block: ScanTables.Block, _ target: inout MutableSpan<Int16>)
}

/// A whole block of a sequential scan.
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
