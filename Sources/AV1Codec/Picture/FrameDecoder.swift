// A frame: its tiles, then the in-loop filters (sections 5.11.1 and 7.4).

internal import ImageCore
internal import PixelPlanes

/// The decoding of one frame.
struct FrameDecoder: ~Copyable {
  let header: FrameHeader
  let parameters: FrameParameters
  private let color: ColorConfiguration
  private var picture: Picture
  /// The number of tiles that were decoded, or that are damaged.
  private(set) var tileCount = 0
  /// The number of superblocks that were decoded.
  private(set) var superblockCount = 0
  private(set) var isComplete = true
  /// The number of rows of superblocks that were deblocked.
  private var deblockedRowCount = 0

  /// The work of a luma sample and its chroma: decoding it, which its bytes add to, and each of the filters.
  private enum Work {
    static let decoding = 20
    /// A tile without data may cost more than the data would.
    static let exhausted = 200
    static let perByte = 100
    static let deblocking = 8
    static let enhancement = 16
    static let superResolution = 20
    static let restoration = 32
    static let filmGrain = 40
    static let copying = 2
    static let perTile = 20_000
    /// The work of starting a tile, for each unit of a row.
    static let perTileUnit = 60
  }

  init(
    _ header: FrameHeader, _ sequence: SequenceHeader, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    self.header = header
    parameters = FrameParameters(sequence, header)
    color = sequence.color
    try budget.checkSourceSize(width: parameters.size.width, height: parameters.size.height)
    try budget.requireWork(
      count: parameters.columns * parameters.rows, unitsEach: 16 * (Work.decoding + Self.filterWork(parameters)))
    picture = try Picture(parameters, &budget)
    // Rows are deblocked while they are in the processor's caches, if the tiles are as wide as the frame.
    picture.buffer.keepsEdges = parameters.loopFilter.isEnabled && header.tiles.columnCount == 1
  }

  /// The work of all filters of a luma sample and its chroma.
  private static func filterWork(_ parameters: FrameParameters) -> Int {
    Work.copying + (parameters.loopFilter.isEnabled ? Work.deblocking : 0)
      + (parameters.cdef.isEnabled ? Work.enhancement : 0)
      + (parameters.size.usesSuperResolution ? 2 * Work.superResolution : 0)
      + (parameters.restoration.isEnabled ? Work.restoration : 0)
  }

  /// Whether all tiles were decoded.
  var hasAllTiles: Bool { tileCount == header.tiles.count }

  /// Decodes the next tile.
  ///
  /// - Returns: why it could not be decoded to its end.
  mutating func decodeTile(_ bytes: Span<UInt8>, _ budget: inout ResourceBudget) throws(CodecError) -> StaticString? {
    let tiles = header.tiles
    let (row, column) = (tileCount / tiles.columnCount, tileCount % tiles.columnCount)
    let columns = tiles.columnStarts[column]..<tiles.columnStarts[column + 1]
    let rows = tiles.rowStarts[row]..<tiles.rowStarts[row + 1]
    tileCount += 1
    let byteCount = TileDecoder.byteCount(parameters)
    try budget.allocate(byteCount)
    defer { budget.release(byteCount) }
    try budget.chargeWork(Work.perTile + parameters.columns * Work.perTileUnit)
    try budget.chargeWorkInParts(count: bytes.count, unitsEach: Work.perByte)
    var decoder = TileDecoder(parameters, columns: columns, rows: rows, bytes)
    let units = parameters.superblockUnits
    for first in stride(from: rows.lowerBound, to: rows.upperBound, by: units) {
      try budget.chargeWork(
        count: columns.count * units * 16, unitsEach: decoder.isExhausted ? Work.exhausted : Work.decoding)
      decoder.decodeSuperblockRow(first, &picture, bytes)
      if let damage = decoder.damage {
        conceal(columns: columns, rows: first..<rows.upperBound)
        return damage
      }
      superblockCount += (columns.count + units - 1) / units
      if picture.buffer.keepsEdges { try deblock(first, &budget) }
    }
    guard !decoder.isExhausted else {
      isComplete = false
      return "a tile ends early"
    }
    return nil
  }

  /// Deblocks the row of superblocks that starts with a unit, and keeps what the next one is predicted from.
  private mutating func deblock(_ first: Int, _ budget: inout ResourceBudget) throws(CodecError) {
    try budget.chargeWork(
      count: parameters.columns * 4 << parameters.log2Superblock, unitsEach: Work.deblocking)
    let end = first + parameters.superblockUnits
    if end < parameters.rows {
      for plane in 0..<parameters.planeCount {
        picture.buffer.keepEdge(plane, y: end * 4 >> parameters.shifts(plane).y - 1)
      }
    }
    DeblockingFilter(parameters).filterRow(first / parameters.superblockUnits, &picture)
    deblockedRowCount = first / parameters.superblockUnits + 1
  }

  /// Makes part of a tile black.
  private mutating func conceal(columns: Range<Int>, rows: Range<Int>) {
    isComplete = false
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
    if !hasAllTiles { isComplete = false }
    var filtered = try filter(&budget)
    if let grain = header.filmGrain {
      try budget.allocate(
        filtered.samples.count * MemoryLayout<UInt16>.size
          + FilmGrainSynthesis.byteCount(width: parameters.size.width))
      try budget.chargeWorkInParts(
        count: parameters.size.width, unitsEach: parameters.size.height * Work.filmGrain)
      FilmGrainSynthesis(grain, parameters, isIdentity: color.isIdentity).apply(&filtered)
    }
    try budget.chargeWorkInParts(
      count: parameters.size.width, unitsEach: parameters.size.height * Work.copying)
    let format = color.chromaFormat
    var result = try PlanarPicture(
      width: parameters.size.width, height: parameters.size.height, bitDepth: parameters.bitDepth,
      chromaFormat: format, coding: color.coding, budget: &budget)
    let components: [PlanarPicture.Component] = [.luma, .cb, .cr]
    for plane in 0..<parameters.planeCount {
      result.withMutablePlane(components[plane]) { Self.copy(plane, filtered, &$0) }
    }
    return result
  }

  private static func copy(_ plane: Int, _ buffer: SampleBuffer, _ target: inout SamplePlane) {
    let source = buffer.samples.span
    for y in 0..<target.height {
      let first = buffer.index(plane, x: 0, y: y)
      let line = source.extracting(first..<first + target.width)
      if target.isWide {
        var row = target.mutableWideRow(y)
        for x in 0..<line.count { row[x] = line[x] }
      } else {
        var row = target.mutableNarrowRow(y)
        for x in 0..<line.count { row[x] = UInt8(truncatingIfNeeded: line[x]) }
      }
    }
  }

  /// Applies the in-loop filters in order.
  private mutating func filter(_ budget: inout ResourceBudget) throws(CodecError) -> SampleBuffer {
    let byteCount = picture.buffer.samples.count * MemoryLayout<UInt16>.size
    if parameters.loopFilter.isEnabled {
      let units = parameters.superblockUnits
      for row in deblockedRowCount..<(parameters.rows + units - 1) / units { try deblock(row * units, &budget) }
    }
    var deblocked = picture.buffer
    var enhanced = deblocked
    if parameters.cdef.isEnabled {
      try budget.allocate(byteCount)
      let filter = DirectionalEnhancement(parameters)
      for row in 0..<(parameters.rows + 15) / 16 {
        try budget.chargeWork(count: parameters.columns * 256, unitsEach: Work.enhancement)
        filter.filterRow(row, picture.map, deblocked, &enhanced)
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
    var scratch = SelfGuidedScratch()
    for stripe in 0..<filter.stripeCount {
      try budget.chargeWork(count: parameters.size.width * 64, unitsEach: Work.restoration)
      filter.filterStripe(
        stripe, picture.restoration, deblocked: deblocked, enhanced: enhanced, &scratch, &restored)
    }
    return restored
  }

  private func upscale(_ source: SampleBuffer, _ budget: inout ResourceBudget) throws(CodecError) -> SampleBuffer {
    var target = try SampleBuffer(
      columns: parameters.size.width, rows: parameters.rows * 4, parameters, &budget)
    try budget.chargeWorkInParts(
      count: parameters.size.width, unitsEach: parameters.size.height * Work.superResolution)
    SuperResolution(parameters).upscale(source, &target)
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
