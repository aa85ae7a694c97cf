// A block: its modes, then its transform blocks (sections 5.11.5 and 5.11.7).

extension TileDecoder {
  /// Decodes a block whose first unit is in the frame.
  mutating func decodeBlock(
    row: Int, column: Int, _ size: BlockSize, _ picture: inout Picture, _ bytes: Span<UInt8>
  ) {
    startBlock(row: row, column: column, size)
    readIntraFrameModes(&picture, bytes)
    guard damage == nil else { return }
    if block.paletteSize > 0 { readColorMap(bytes) }
    if block.chromaPaletteSize > 0 { readChromaColorMap(bytes) }
    readTransformSize(bytes)
    if block.isSkipped { resetLevels() }
    findSmoothNeighbours()
    publish(&picture)
    if !block.isSkipped { setQuantizers() }
    if block.isCopied { reconstruction.copy(block, parameters, &picture.buffer) }
    decodeTransformBlocks(&picture, bytes)
  }

  private mutating func startBlock(row: Int, column: Int, _ size: BlockSize) {
    block = CodingBlock()
    (block.row, block.column, block.size) = (row, column, size)
    let (shiftX, shiftY) = (parameters.subsamplingX, parameters.subsamplingY)
    let isThin = size.columns == 1 && shiftX == 1
    let isFlat = size.rows == 1 && shiftY == 1
    block.hasChroma =
      parameters.planeCount > 1 && !(isFlat && row & 1 == 0) && !(isThin && column & 1 == 0)
    block.hasAbove = row > rows.lowerBound
    block.hasLeft = column > columns.lowerBound
    guard block.hasChroma else { return }
    block.hasAboveChroma = isFlat ? row &- 2 >= rows.lowerBound : block.hasAbove
    block.hasLeftChroma = isThin ? column &- 2 >= columns.lowerBound : block.hasLeft
  }

  /// `intra_frame_mode_info`.
  private mutating func readIntraFrameModes(_ picture: inout Picture, _ bytes: Span<UInt8>) {
    if parameters.segmentation.precedesSkip { readSegment(bytes) }
    readSkip(bytes)
    if !parameters.segmentation.precedesSkip { readSegment(bytes) }
    block.isLossless = parameters.losslessSegments &>> block.segment & 1 != 0
    readCDEFIndex(&picture.map, bytes)
    readDeltas(bytes)
    if parameters.allowsIntraBlockCopy {
      block.isCopied = symbols.decodeFlag(CDFIndex.intraBlockCopy, contexts, bytes)
    }
    if block.isCopied {
      readVector(picture.map, bytes)
      return
    }
    readIntraModes(bytes)
    let isWithinPaletteSize = block.size.isAtLeast8x8 && block.size.width <= 64 && block.size.height <= 64
    if parameters.allowsScreenContentTools, isWithinPaletteSize { readPalettes(bytes) }
    readFilterMode(bytes)
  }

  /// `get_filter_type` of luma and of chroma, before the block replaces its neighbours in the contexts.
  private mutating func findSmoothNeighbours() {
    let (aboveUnit, leftUnit) = (above[block.column], left[block.row & 31])
    block.hasSmoothNeighbour = aboveUnit.mode.isSmooth || leftUnit.mode.isSmooth
    guard block.hasChroma else { return }
    let aboveMode = above[block.column | parameters.subsamplingX].chromaMode
    let leftMode = left[(block.row | parameters.subsamplingY) & 31].chromaMode
    block.hasSmoothChromaNeighbour =
      (block.hasAboveChroma && aboveMode.isSmooth) || (block.hasLeftChroma && leftMode.isSmooth)
  }

  /// The quantizers of the block (section 7.12.2).
  private mutating func setQuantizers() {
    let index = parameters.quantizerIndex(block.segment, current: quantizerIndex)
    for plane in 0..<parameters.planeCount {
      let dc = index &+ parameters.quantization.dcDeltas[plane]
      let ac = index &+ parameters.quantization.acDeltas[plane]
      block.dcSteps[plane] = coefficients.dcStep(dc)
      block.acSteps[plane] = coefficients.acStep(ac)
    }
  }

  /// `reset_block_context`.
  private mutating func resetLevels() {
    for plane in 0..<(block.hasChroma ? 3 : 1) {
      let (shiftX, shiftY) = parameters.shifts(plane)
      let first = block.column &>> shiftX
      above.setLevels(plane, at: first, count: (block.column &+ block.size.columns) &>> shiftX &- first, 0)
      let row = block.row & 31
      let firstRow = row &>> shiftY
      left.setLevels(plane, at: firstRow, count: (row &+ block.size.rows) &>> shiftY &- firstRow, 0)
    }
  }

  /// Stores what later blocks and filters read.
  private mutating func publish(_ picture: inout Picture) {
    var unit = EdgeUnit()
    (unit.mode, unit.chromaMode) = (block.mode, block.chromaMode)
    unit.skip = block.isSkipped ? 1 : 0
    unit.paletteSize = UInt8(truncatingIfNeeded: block.paletteSize)
    unit.chromaPaletteSize = UInt8(truncatingIfNeeded: block.chromaPaletteSize)
    unit.log2Size = UInt8(truncatingIfNeeded: block.size.log2Columns)
    let (width, height) = (block.size.width, block.size.height)
    let usesBlockSize = block.isCopied && block.isSkipped
    unit.transform = UInt8(truncatingIfNeeded: block.isCopied ? width : block.transform.width)
    unit.splitTransform = UInt8(truncatingIfNeeded: usesBlockSize ? width : block.transform.width)
    above.set(unit, at: block.column, count: block.size.columns, hasChroma: block.hasChroma)
    unit.log2Size = UInt8(truncatingIfNeeded: block.size.log2Rows)
    unit.transform = UInt8(truncatingIfNeeded: block.isCopied ? height : block.transform.height)
    unit.splitTransform = UInt8(truncatingIfNeeded: usesBlockSize ? height : block.transform.height)
    left.set(unit, at: block.row & 31, count: block.size.rows, hasChroma: block.hasChroma)
    if block.isCopied, !usesBlockSize { publishSplitTransforms() }
    if block.paletteSize > 0 || block.chromaPaletteSize > 0 { publishPaletteColors() }
    publishToMap(&picture.map)
  }

  private mutating func publishToMap(_ map: inout BlockMap) {
    let (columns, rows) = (block.visibleColumns(parameters.columns), block.visibleRows(parameters.rows))
    let (column, row, stride) = (block.column, block.row, map.columns)
    if !block.isSkipped {
      BlockMap.fill(
        &map.isSkipped, false, at: map.squareIndex(column: column &>> 1, row: row &>> 1),
        columns: (columns &+ 1) &>> 1, rows: (rows &+ 1) &>> 1, stride: stride &>> 1)
    }
    if parameters.segmentation.isEnabled {
      segments.fill(
        UInt8(truncatingIfNeeded: block.segment), columns: column..<column &+ columns, rows: row..<row &+ rows)
    }
    let first = map.index(column: column, row: row)
    if parameters.hasBlockLevels {
      BlockMap.fill(&map.levels, loopFilterLevels(), at: first, columns: columns, rows: rows, stride: stride)
    }
    guard parameters.allowsIntraBlockCopy else { return }
    BlockMap.fill(&map.sizes, block.size.rawValue, at: first, columns: columns, rows: rows, stride: stride)
    BlockMap.fill(&map.isCopied, block.isCopied, at: first, columns: columns, rows: rows, stride: stride)
    BlockMap.fill(&map.vectors, block.vector, at: first, columns: columns, rows: rows, stride: stride)
  }

  /// The levels of the loop filter of the block (section 7.14.5).
  private mutating func loopFilterLevels() -> SIMD4<UInt8> {
    var levels = SIMD4<UInt8>()
    for index in 0..<4 {
      let delta = loopFilterDeltas[parameters.deltas.isLoopFilterSeparate ? index : 0]
      levels[index] = UInt8(
        truncatingIfNeeded: parameters.loopFilterLevel(index, delta: delta, segment: block.segment))
    }
    return levels
  }
}

extension FrameParameters {
  /// The level of one kind of edges.
  ///
  /// - Parameter index: 0 for vertical edges of luma, 1 for its horizontal edges, 2 for U, 3 for V.
  func loopFilterLevel(_ index: Int, delta: Int, segment: Int) -> Int {
    func limited(_ level: Int) -> Int { min(max(level, 0), 63) }
    var level = limited(loopFilter.levels[index] + delta)
    if let change = segmentation.value(Segmentation.Feature.loopFilter + index, of: segment) {
      level = limited(level + change)
    }
    if loopFilter.hasDeltas { level = limited(level + loopFilter.intraDelta << (level >> 5)) }
    return level
  }
}
