// A frame: its tiles, then the in-loop filters (sections 5.11.1 and 7.4).

internal import ImageCoding
internal import PixelPlanes
internal import Threading

/// The decoding of one frame.
struct FrameDecoder: ~Copyable {
  let header: FrameHeader
  let parameters: FrameParameters
  private let color: ColorConfiguration
  private var picture: Picture
  /// The number of tiles that were found, or that are missing before others.
  private(set) var tileCount = 0
  /// The number of superblocks that were decoded.
  private(set) var superblockCount = 0
  private(set) var isComplete = true
  /// The tiles of a row of tiles that is not decoded.
  private var tiles: [Tile] = []
  /// The stages that follow decoding, on this thread or on another one, if only a window of the samples is kept.
  private var finisher: FrameFinisher?
  private var finishingThread: FinishingThread?

  /// The work of a luma sample and its chroma: decoding it, which its bytes add to, and each of the filters.
  private enum Work {
    static let decoding = 14
    /// Zeros after the end of the data may be more symbols than data of any length.
    static let exhausted = 100
    static let perByte = 70
    static let deblocking = 6
    static let superResolution = 14
    static let filmGrain = 28
    /// The work of selecting the matrices of all sizes of transforms.
    static let quantizerMatrices = 100_000
    /// The work of the noise from which that of a plane is taken.
    static let grainTemplate = 500_000
    static let perTile = 20_000
    /// The work of starting a tile, for each unit of a row.
    static let perTileUnit = 60
  }

  init(
    _ header: FrameHeader, _ sequence: SequenceHeader, parallelism: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    if header.quantization.matrixLevels != nil {
      try budget.chargeWork(Work.quantizerMatrices)
      try budget.allocate(QuantizerMatrices.byteCount)
    }
    let parameters = FrameParameters(sequence, header)
    try budget.checkSourceSize(width: parameters.size.width, height: parameters.size.height)
    try budget.requireWork(Self.work(parameters, hasGrain: header.filmGrain != nil))
    let isWindow = !Self.needsWholeFrame(header)
    var picture = try Picture(parameters, isWindow: isWindow, &budget)
    let thread = isWindow ? try Self.thread(parameters, sequence.color, parallelism, &budget) : nil
    let finisher = isWindow && thread == nil ? try FrameFinisher(parameters, sequence.color, &budget) : nil
    // A thread filters copies of the samples.
    picture.buffer.keepsEdges = parameters.loopFilter.isEnabled && thread == nil
    (self.header, self.parameters, color, self.picture) = (header, parameters, sequence.color, picture)
    (self.finisher, finishingThread) = (finisher, thread)
  }

  /// The thread that filters a frame; `nil` if that does not save time, or if there is no memory for both threads.
  private static func thread(
    _ parameters: FrameParameters, _ color: ColorConfiguration, _ parallelism: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> FinishingThread? {
    guard ParallelRows.threadCount(parallelism) > 1,
      parameters.size.width >= threadedSampleCount / max(parameters.size.height, 1),
      filterWork(parameters) > FrameFinisher.workOfCopying
    else { return nil }
    let heldByteCount = budget.heldByteCount
    do throws(CodecError) {
      return try FinishingThread(parameters, color, &budget)
    } catch {
      guard error.limit == .memory else { throw error }
      budget.settle(heldByteCount: heldByteCount)
      return nil
    }
  }

  /// The least number of luma samples for which a second thread saves time.
  private static let threadedSampleCount = 1 << 15

  /// Whether a frame is copied from any of its parts, or stages follow that have not been divided into rows.
  private static func needsWholeFrame(_ header: FrameHeader) -> Bool {
    header.allowsIntraBlockCopy || header.size.usesSuperResolution || header.filmGrain != nil
  }

  /// The work of a frame, which its bytes add to.
  private static func work(_ parameters: FrameParameters, hasGrain: Bool) -> Int64 {
    let isRestored = parameters.restoration.isEnabled
    let coded =
      Work.decoding + (parameters.loopFilter.isEnabled ? Work.deblocking : 0)
      + (parameters.cdef.isEnabled ? RowFilters.Work.enhancement : 0)
    var shown = FrameFinisher.workOfCopying + (isRestored ? RowFilters.Work.restoration : 0)
    // Restoration needs the samples before and after directional enhancement.
    if parameters.size.usesSuperResolution { shown += (isRestored ? 2 : 1) * Work.superResolution }
    if hasGrain { shown += Work.filmGrain }
    return Int64(parameters.columns) * Int64(parameters.rows) * Int64(16 * coded)
      + Int64(parameters.size.width) * Int64(parameters.size.height) * Int64(shown)
  }

  /// The work of all filters of a luma sample and its chroma in a row of superblocks.
  private static func filterWork(_ parameters: FrameParameters) -> Int {
    FrameFinisher.workOfCopying + (parameters.loopFilter.isEnabled ? Work.deblocking : 0)
      + (parameters.cdef.isEnabled ? RowFilters.Work.enhancement : 0)
      + (parameters.restoration.isEnabled ? RowFilters.Work.restoration : 0)
  }

  /// Whether there are no more tiles.
  var hasAllTiles: Bool { tileCount == header.tiles.count }

  /// A tile in decoding.
  private final class Tile {
    var decoder: TileDecoder
    let columns: Range<Int>
    /// Its place in the stream.
    let range: Range<Int>

    init(_ decoder: consuming TileDecoder, columns: Range<Int>, _ range: Range<Int>) {
      self.decoder = decoder
      (self.columns, self.range) = (columns, range)
    }
  }

  /// The reason for which a tile could not be decoded to its end.
  struct Damage {
    let reason: StaticString
    let byteOffset: Int
  }

  /// Adds the next tile, and decodes its row of tiles if it is the last of that.
  ///
  /// - Parameter bytes: the stream.
  mutating func addTile(
    _ range: Range<Int>, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Damage? {
    let layout = header.tiles
    let (row, column) = (tileCount / layout.columnCount, tileCount % layout.columnCount)
    let columns = layout.columnStarts[column]..<layout.columnStarts[column + 1]
    let rows = layout.rowStarts[row]..<layout.rowStarts[row + 1]
    tileCount += 1
    try budget.allocate(TileDecoder.byteCount(parameters, columnCount: columns.count))
    try budget.chargeWork(Work.perTile + columns.count * Work.perTileUnit)
    try budget.chargeWorkInParts(count: range.count, unitsEach: Work.perByte)
    let decoder = TileDecoder(parameters, columns: columns, rows: rows, bytes.extracting(range))
    tiles.append(Tile(decoder, columns: columns, range))
    return column == layout.columnCount - 1 ? try decodeTiles(bytes, &budget) : nil
  }

  /// Decodes the tiles that were added, which are the first of a row of tiles. The others are missing.
  mutating func decodeTiles(_ bytes: Span<UInt8>, _ budget: inout ResourceBudget) throws(CodecError) -> Damage? {
    guard let last = tiles.last else { return nil }
    let row = (tileCount - 1) / header.tiles.columnCount
    let rows = header.tiles.rowStarts[row]..<header.tiles.rowStarts[row + 1]
    let missing = last.columns.upperBound..<parameters.columns
    tileCount = (row + 1) * header.tiles.columnCount
    if !missing.isEmpty { isComplete = false }
    var damage: Damage?
    let units = parameters.superblockUnits
    for first in stride(from: rows.lowerBound, to: rows.upperBound, by: units) {
      let part = first..<min(first + units, rows.upperBound)
      moveWindow(toRow: first * 4)
      for tile in tiles {
        damage = try decode(tile, part, bytes, &budget) ?? damage
      }
      blacken(columns: missing, rows: part)
      try finishRow(first, &budget)
    }
    for tile in tiles where tile.decoder.isExhausted && tile.decoder.damage == nil {
      isComplete = false
      damage = damage ?? Damage(reason: "a tile ends early", byteOffset: tile.range.lowerBound)
    }
    for tile in tiles { budget.release(TileDecoder.byteCount(parameters, columnCount: tile.columns.count)) }
    tiles = []
    return damage
  }

  /// Decodes a tile's part of a row of superblocks. From damage on, the tile is black.
  ///
  /// - Returns: damage, once.
  private mutating func decode(
    _ tile: Tile, _ rows: Range<Int>, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Damage? {
    guard tile.decoder.damage == nil else {
      blacken(columns: tile.columns, rows: rows)
      return nil
    }
    let units = parameters.superblockUnits
    // A block at the right edge may extend to the end of its superblock.
    let sampleCount = (tile.columns.count + units - 1) / units * units * units * 16
    let isExhausted = tile.decoder.isExhausted
    try budget.chargeWork(count: sampleCount, unitsEach: isExhausted ? Work.exhausted : Work.decoding)
    tile.decoder.decodeSuperblockRow(rows.lowerBound, &picture, bytes.extracting(tile.range))
    if !isExhausted, tile.decoder.isExhausted {
      // The data ended in this row.
      try budget.chargeWork(count: sampleCount, unitsEach: Work.exhausted - Work.decoding)
    }
    guard let reason = tile.decoder.damage else {
      superblockCount += (tile.columns.count + units - 1) / units
      return nil
    }
    isComplete = false
    blacken(columns: tile.columns, rows: rows)
    return Damage(reason: reason, byteOffset: tile.range.lowerBound)
  }

  /// Moves a window to the row of superblocks that starts with a luma row, unless it contains that row.
  private mutating func moveWindow(toRow top: Int) {
    if finishingThread != nil {
      _ = picture.moveWindow(toRow: top, parameters)
    } else {
      finisher?.moveWindow(toRow: top, &picture)
    }
  }

  /// Filters the row of superblocks that starts with a unit, as far as that does not need the whole frame.
  private mutating func finishRow(_ first: Int, _ budget: inout ResourceBudget) throws(CodecError) {
    let isWindow = finisher != nil || finishingThread != nil
    let work =
      isWindow
      ? Self.filterWork(parameters) : FrameFinisher.workOfCopying + (picture.buffer.keepsEdges ? Work.deblocking : 0)
    try budget.chargeWorkInParts(count: parameters.columns * 4, unitsEach: work << parameters.log2Superblock)
    if let finishingThread {
      finishingThread.finishRow(first, of: picture)
    } else if finisher != nil {
      try finisher?.finishRow(first, &picture, budget.interruption)
    } else if picture.buffer.keepsEdges {
      DeblockingFilter(parameters).filterSuperblocks(first, &picture)
    }
  }

  /// Makes the rows of tiles that are missing black.
  private mutating func concealMissingTiles(_ budget: inout ResourceBudget) throws(CodecError) {
    let layout = header.tiles
    guard tileCount < layout.count else { return }
    isComplete = false
    let units = parameters.superblockUnits
    for first in stride(
      from: layout.rowStarts[tileCount / layout.columnCount], to: parameters.rows, by: units)
    {
      moveWindow(toRow: first * 4)
      blacken(columns: 0..<parameters.columns, rows: first..<min(first + units, parameters.rows))
      try finishRow(first, &budget)
    }
    tileCount = layout.count
  }

  /// Makes part of a frame black.
  private mutating func blacken(columns: Range<Int>, rows: Range<Int>) {
    for plane in 0..<parameters.planeCount {
      let (shiftX, shiftY) = parameters.shifts(plane)
      let value = plane == 0 ? 0 : UInt16(1 << (parameters.bitDepth - 1))
      let origin = picture.buffer.index(plane, x: columns.lowerBound * 4 >> shiftX, y: 0)
      let stride = picture.buffer.strides[plane]
      var samples = picture.buffer.samples.mutableSpan
      for y in rows.lowerBound * 4 >> shiftY..<rows.upperBound * 4 >> shiftY {
        let first = origin + y * stride
        for index in first..<first + columns.count * 4 >> shiftX { samples[index] = value }
      }
    }
  }

  /// Filters the frame, and returns its planes with film grain.
  consuming func finish(_ budget: inout ResourceBudget) throws(CodecError) -> PlanarPicture {
    try concealMissingTiles(&budget)
    if let picture = try finishingThread?.finishFrame() { return picture }
    if let picture = try finisher?.finishFrame(picture, budget.interruption) { return picture }
    var filtered = try filter(&budget)
    if let grain = header.filmGrain {
      try budget.allocate(
        filtered.samples.count * MemoryLayout<UInt16>.size
          + FilmGrainSynthesis.byteCount(width: parameters.size.width))
      try budget.chargeWork(count: parameters.planeCount, unitsEach: Work.grainTemplate)
      try budget.chargeWorkInParts(
        count: parameters.size.width, unitsEach: parameters.size.height * Work.filmGrain)
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
  private mutating func filter(_ budget: inout ResourceBudget) throws(CodecError) -> SampleBuffer {
    let byteCount = picture.buffer.samples.count * MemoryLayout<UInt16>.size
    var deblocked = picture.buffer
    var enhanced = deblocked
    if parameters.cdef.isEnabled {
      try budget.allocate(byteCount)
      var filter = DirectionalEnhancement(parameters)
      for row in stride(from: 0, to: parameters.rows / 2, by: 8) {
        try budget.chargeWork(count: parameters.columns * 256, unitsEach: RowFilters.Work.enhancement)
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
      try budget.chargeWorkInParts(count: parameters.size.width, unitsEach: 64 * RowFilters.Work.restoration)
      filter.filterStripe(stripe, picture.restoration, deblocked: deblocked, enhanced: enhanced, &restored)
    }
    return restored
  }

  private func upscale(_ source: SampleBuffer, _ budget: inout ResourceBudget) throws(CodecError) -> SampleBuffer {
    var target = try SampleBuffer(
      columns: parameters.size.width, rows: parameters.rows * 4, parameters, &budget)
    try budget.chargeWorkInParts(
      count: parameters.size.width, unitsEach: parameters.size.height * Work.superResolution)
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
