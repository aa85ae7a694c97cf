// A frame: its tiles, then the in-loop filters (sections 5.11.1 and 7.4).

internal import ImageCoding
internal import PixelPlanes
internal import Threading

/// The decoding of one frame.
struct FrameDecoder: ~Copyable {
  let header: FrameHeader
  let parameters: FrameParameters
  private let color: ColorConfiguration
  private let parallelism: Int
  /// `nil` only while it is changed, and after an error.
  private var rows: FrameRows?
  /// The number of tiles that were found, or that are missing before others.
  private(set) var tileCount = 0
  /// The number of superblocks that were decoded.
  private(set) var superblockCount = 0
  private(set) var isComplete = true
  /// The tiles that are not decoded, from the first one of a row of tiles on.
  private var tiles: [TilePlace] = []

  init(
    _ header: FrameHeader, _ sequence: SequenceHeader, parallelism: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    if header.quantization.matrixLevels != nil {
      try budget.chargeWork(FrameWork.quantizerMatrices)
      try budget.allocate(QuantizerMatrices.byteCount)
    }
    let parameters = FrameParameters(sequence, header)
    try budget.checkSourceSize(width: parameters.size.width, height: parameters.size.height)
    try budget.requireWork(FrameWork.total(parameters, hasGrain: header.filmGrain != nil))
    let rows = try FrameRows(parameters, sequence.color, isWindow: !Self.needsWholeFrame(header), &budget)
    (self.header, self.parameters, color, self.parallelism) = (header, parameters, sequence.color, parallelism)
    self.rows = consume rows
  }

  /// Whether a frame is copied from any of its parts, or stages follow that have not been divided into rows.
  private static func needsWholeFrame(_ header: FrameHeader) -> Bool {
    header.allowsIntraBlockCopy || header.size.usesSuperResolution || header.filmGrain != nil
  }

  /// Whether there are no more tiles.
  var hasAllTiles: Bool { tileCount == header.tiles.count }

  /// Adds the next tile, the bytes of a range of the stream.
  mutating func addTile(_ range: Range<Int>, _ budget: inout ResourceBudget) throws(CodecError) {
    let layout = header.tiles
    let (row, column) = (tileCount / layout.columnCount, tileCount % layout.columnCount)
    let tile = TilePlace(
      columns: layout.columnStarts[column]..<layout.columnStarts[column + 1],
      rows: layout.rowStarts[row]..<layout.rowStarts[row + 1], bytes: range)
    tileCount += 1
    try budget.chargeWork(FrameWork.perTile + tile.columns.count * FrameWork.perTileUnit)
    try budget.chargeWorkInParts(count: range.count, unitsEach: FrameWork.perByte)
    tiles.append(tile)
  }

  /// Decodes the tiles that were added, in rows of tiles.
  ///
  /// - Parameters:
  ///   - bytes: the stream.
  ///   - includesPartOfRow: whether the last tiles are decoded if they are not a whole row of tiles. The others of
  ///     that row are missing.
  ///   - stopsAtDamage: whether the frame is of no use if there is damage.
  /// - Returns: the damage of the first tile that has any.
  mutating func decodeTiles(
    _ bytes: Span<UInt8>, includesPartOfRow: Bool, stopsAtDamage: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) -> TileDamage? {
    let columnCount = header.tiles.columnCount
    let count = includesPartOfRow ? tiles.count : tiles.count / columnCount * columnCount
    guard count > 0 else { return nil }
    let batch = TileBatch(Array(tiles.prefix(count)), columnCount: columnCount, parameters)
    tiles.removeFirst(count)
    if includesPartOfRow { tileCount = (tileCount + columnCount - 1) / columnCount * columnCount }
    let outcome = try decode(batch, bytes, stopsAtDamage: stopsAtDamage, &budget)
    superblockCount += outcome.superblockCount
    if outcome.damage != nil || !batch.missing.isEmpty { isComplete = false }
    return outcome.damage
  }

  private mutating func decode(
    _ batch: TileBatch, _ bytes: Span<UInt8>, stopsAtDamage: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) -> TileOutcome {
    let outcome = try ParallelTiles.decode(
      batch, &rows, bytes, threadCount: ParallelRows.threadCount(parallelism), stopsAtDamage: stopsAtDamage, &budget)
    if let outcome { return outcome }
    guard var frame = rows.take() else { return TileOutcome() }
    let serial = try frame.decode(batch, bytes, stopsAtDamage: stopsAtDamage, &budget)
    rows = consume frame
    return serial
  }

  /// Makes the rows of tiles that are missing black.
  private mutating func concealMissingTiles(_ budget: inout ResourceBudget) throws(CodecError) {
    let layout = header.tiles
    guard tileCount < layout.count else { return }
    isComplete = false
    if var frame = rows.take() {
      try frame.blacken(fromRow: layout.rowStarts[tileCount / layout.columnCount], &budget)
      rows = consume frame
    }
    tileCount = layout.count
  }

  /// Filters the frame, and returns its planes with film grain.
  consuming func finish(_ budget: inout ResourceBudget) throws(CodecError) -> PlanarPicture {
    try concealMissingTiles(&budget)
    guard var frame = rows.take() else { throw CodecError(.malformed, "there is no frame") }
    if let picture = try frame.finishFrame(budget.interruption) { return picture }
    var filtered = try filter(frame.picture, &budget)
    if let grain = header.filmGrain {
      try budget.allocate(
        filtered.samples.count * MemoryLayout<UInt16>.size
          + FilmGrainSynthesis.byteCount(width: parameters.size.width))
      try budget.chargeWork(count: parameters.planeCount, unitsEach: FrameWork.grainTemplate)
      try budget.chargeWorkInParts(
        count: parameters.size.width, unitsEach: parameters.size.height * FrameWork.filmGrain)
      try FilmGrainSynthesis(grain, parameters, isIdentity: color.isIdentity).apply(&filtered, budget.interruption)
    }
    var result = try PlanarPicture(parameters, color, &budget)
    for plane in 0..<parameters.planeCount {
      let shift = parameters.shifts(plane).y
      filtered.copy(0..<(parameters.size.height + shift) >> shift, of: plane, to: &result)
    }
    return result
  }

  /// Applies the in-loop filters that follow deblocking, in order.
  private func filter(
    _ picture: borrowing Picture, _ budget: inout ResourceBudget
  ) throws(CodecError) -> SampleBuffer {
    let byteCount = picture.buffer.samples.count * MemoryLayout<UInt16>.size
    var deblocked = picture.buffer
    var enhanced = deblocked
    if parameters.cdef.isEnabled {
      try budget.allocate(byteCount)
      var filter = DirectionalEnhancement(parameters)
      for row in stride(from: 0, to: parameters.rows / 2, by: 8) {
        try budget.chargeWork(count: parameters.columns * 256, unitsEach: FrameWork.enhancement)
        filter.filterRows(row..<min(row + 8, parameters.rows / 2), picture.map, deblocked, &enhanced)
      }
    }
    if parameters.size.usesSuperResolution {
      let isRestored = parameters.restoration.isEnabled
      enhanced = try upscale(enhanced, &budget)
      if isRestored { deblocked = try upscale(deblocked, &budget) }
    }
    guard parameters.restoration.isEnabled else { return enhanced }
    try budget.allocate(enhanced.samples.count * MemoryLayout<UInt16>.size)
    try budget.allocate(LoopRestoration.byteCount)
    var restored = enhanced
    var filter = LoopRestoration(parameters)
    for stripe in 0..<LoopRestoration.stripeCount(parameters) {
      try budget.chargeWorkInParts(count: parameters.size.width, unitsEach: 64 * FrameWork.restoration)
      filter.filterStripe(stripe, picture.restoration, deblocked: deblocked, enhanced: enhanced, &restored)
    }
    return restored
  }

  private func upscale(_ source: SampleBuffer, _ budget: inout ResourceBudget) throws(CodecError) -> SampleBuffer {
    var target = try SampleBuffer(
      columns: parameters.size.width, rows: parameters.rows * 4, parameters, &budget)
    try budget.chargeWorkInParts(
      count: parameters.size.width, unitsEach: parameters.size.height * FrameWork.superResolution)
    try SuperResolution(parameters).upscale(source, &target, budget.interruption)
    return target
  }
}

extension ColorConfiguration {
  /// Matrix, range and siting.
  var coding: PlanarPicture.Coding {
    PlanarPicture.Coding(
      matrix: MatrixCoefficients(rawValue: matrixCoefficients), range: isFullRange ? .full : .limited,
      siting: chromaSamplePosition == 2 ? .topLeft : .left)
  }

  /// The colour code points; `nil` if none is specified.
  var codePoints: CodingIndependentCodePoints? {
    let points = CodingIndependentCodePoints(
      colorPrimaries: colorPrimaries, transferFunction: transferCharacteristics,
      matrixCoefficients: matrixCoefficients, isFullRange: isFullRange)
    return points.isSpecified || matrixCoefficients != 2 ? points : nil
  }
}
