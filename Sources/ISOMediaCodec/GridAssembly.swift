// Grids of coded tiles: which of them are needed, their decoding on several threads, and their composition (ISO/IEC
// 23008-12, 6.6.2.3).

internal import ImageCoding
internal import PixelPlanes
internal import Threading

/// Distinct items of a grid, each with its positions.
private typealias GridTile = (id: UInt32, places: [Int])

/// The properties that all tiles of a grid have in common.
private struct TileDescription: Hashable {
  let size: PixelSize
  let bitDepth: Int
  let chromaFormat: ChromaFormat

  init(_ description: CodedPictureDescription) {
    size = PixelSize(width: description.width, height: description.height)
    (bitDepth, chromaFormat) = (description.bitDepth, description.chromaFormat)
  }

  init(_ picture: PlanarPicture) {
    size = PixelSize(width: picture.width, height: picture.height)
    (bitDepth, chromaFormat) = (picture.bitDepth, picture.chromaFormat)
  }
}

/// The outcome of decoding one tile.
private struct TileOutcome: Sendable {
  enum Result: Sendable {
    case decoded(PlanarPicture, [ImageDiagnostic])
    case failed(CodecError)
    /// The tile differs from the first one in size or coding.
    case differs
  }

  let result: Result
  /// The work spent on it.
  let work: Int
  /// The memory that it took while it was decoded.
  let workingByteCount: Int
}

/// The tiles that threads decode together.
private struct TileBatch: Sendable {
  private var nextIndex = 0
  private(set) var outcomes: [TileOutcome?]

  init(count: Int) {
    outcomes = Array(repeating: nil, count: count)
  }

  /// Returns the index of the next tile that no thread has taken.
  mutating func take() -> Int? {
    guard nextIndex < outcomes.count else { return nil }
    nextIndex += 1
    return nextIndex - 1
  }

  mutating func finish(_ index: Int, _ outcome: TileOutcome) {
    outcomes[index] = outcome
  }
}

extension PlanarAssembly {
  /// The maximum number of bytes of decoded tiles that wait for their turn, unless each thread holds only one.
  private static let maximumWaitingByteCount = 64 << 20

  /// Decodes each distinct tile that touches the window once and copies it to all of its positions. A lenient decode
  /// leaves out damaged tiles.
  ///
  /// Tiles are decoded on several threads if the options request it. The outcome does not depend on their number: tiles
  /// are charged and composed in order.
  func grid(
    of item: HEIFItem, window: PixelRegion?, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> PlanarPicture {
    let grid = try container.validGrid(of: item, bytes)
    let window = window ?? PixelRegion(x: 0, y: 0, width: grid.size.width, height: grid.size.height)
    guard window.fits(in: grid.size) else {
      throw CodecError(.malformed, "a grid is smaller than its image", format: container.type)
    }
    let distinct = distinctItems(item.tileIDs)
    let description = try description(ofTiles: distinct, bytes, &context.budget)
    let tile = TileDescription(description)
    guard grid.isCovered(byTilesOf: tile.size) else {
      throw CodecError(.malformed, "the tiles of a grid do not cover it", format: container.type)
    }
    context.budget.allowWork(forPixelCount: grid.size.width * grid.size.height)
    var canvas = GridCanvas(
      picture: try PlanarPicture(
        width: window.width, height: window.height, bitDepth: tile.bitDepth, chromaFormat: tile.chromaFormat,
        coding: description.coding, budget: &context.budget),
      window: window, columnCount: grid.columns, tileSize: tile.size)
    let tiles = distinct.filter { canvas.isVisible(atPlaces: $0.places) }
    var next = 0
    var batchCount = 1
    while next < tiles.count {
      let batch = tiles[next..<min(next + batchCount, tiles.count)]
      let decoders = try decoders(of: batch, bytes, &context.budget)
      let outcomes = decode(batch, decoders, tile, bytes, context.options, context.budget.split())
      for (tile, outcome) in zip(batch, outcomes) { try commit(outcome, of: tile, to: &canvas, &context) }
      // Only the first tile tells how much memory the others take.
      if next == 0 {
        batchCount = batchSize(
          outcomes, planes: canvas.tileByteCount, parallelism: context.options.parallelism,
          availableByteCount: context.budget.availableByteCount)
      }
      next += batch.count
    }
    guard canvas.tileCount > 0 else {
      throw canvas.firstError ?? CodecError(.malformed, "a grid has no tiles", format: container.type)
    }
    return canvas.picture
  }

  /// The decoder of a tile, or why there is none.
  private typealias TileDecoder = Result<any ConfiguredPictureDecoder, CodecError>

  /// Returns the decoders of tiles. Threads share them, so that what is charged does not depend on the threads.
  private func decoders(
    of tiles: ArraySlice<GridTile>, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [TileDecoder] {
    var decoders: [TileDecoder] = []
    for tile in tiles {
      do throws(CodecError) {
        decoders.append(.success(try decoder(of: tile.id, bytes, &budget)))
      } catch {
        guard error.kind == .malformed || error.kind == .truncated else { throw error }
        decoders.append(.failure(error))
      }
    }
    return decoders
  }

  /// Reads the parameter sets of the first tile whose sets can be read.
  private func description(
    ofTiles tiles: [GridTile], _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> CodedPictureDescription {
    var firstError: CodecError?
    for tile in tiles {
      do throws(CodecError) {
        let item = try HEIFItem(tile.id, in: container.table, bytes, budget: &budget)
        return try description(of: item, try decoder(of: tile.id, bytes, &budget), bytes, &budget)
      } catch {
        guard error.kind == .malformed || error.kind == .truncated else { throw error }
        firstError = firstError ?? error
      }
    }
    throw firstError ?? CodecError(.malformed, "a grid has no tiles", format: container.type)
  }

  // MARK: Threads

  /// Returns the number of tiles that are decoded together: several for each thread, so that all threads end at about
  /// the same time; fewer if there is not enough memory for them.
  private func batchSize(
    _ outcomes: [TileOutcome], planes: Int, parallelism: Int, availableByteCount: Int
  ) -> Int {
    let threads = ParallelRows.threadCount(parallelism)
    guard threads > 1, let working = outcomes.first?.workingByteCount, planes > 0 else { return 1 }
    for perThread in [8, 4, 2, 1] {
      let waiting = threads * perThread * planes
      if perThread > 1, waiting > Self.maximumWaitingByteCount { continue }
      if waiting + threads * working <= availableByteCount { return threads * perThread }
    }
    return 1
  }

  private func decode(
    _ batch: ArraySlice<GridTile>, _ decoders: [TileDecoder], _ tile: TileDescription, _ bytes: Span<UInt8>,
    _ options: DecodingOptions, _ budget: borrowing BudgetSplit
  ) -> [TileOutcome] {
    if let first = batch.first, let decoder = decoders.first, batch.count == 1 {
      return [decode(first.id, decoder, tile, bytes, options, budget)]
    }
    let ids = batch.map(\.id)
    let threads = min(ParallelRows.threadCount(options.parallelism), ids.count)
    var serialOptions = options
    serialOptions.parallelism = 1
    let tileOptions = serialOptions
    let state = Mutex(TileBatch(count: ids.count))
    ParallelRows.perform(count: threads, parallelism: threads) { _ in
      while let index = state.withLock({ $0.take() }) {
        let outcome = decode(ids[index], decoders[index], tile, bytes, tileOptions, budget)
        state.withLock { $0.finish(index, outcome) }
      }
    }
    return state.withLock { $0.outcomes.compactMap(\.self) }
  }

  /// Decodes one tile with a share of the budget.
  private func decode(
    _ id: UInt32, _ decoder: TileDecoder, _ tile: TileDescription, _ bytes: Span<UInt8>, _ options: DecodingOptions,
    _ budget: borrowing BudgetSplit
  ) -> TileOutcome {
    var context = DecodingContext(options, format: container.type, budget: budget.share())
    var result = TileOutcome.Result.differs
    do throws(CodecError) {
      let item = try HEIFItem(id, in: container.table, bytes, budget: &context.budget)
      // Compared before anything is allocated: a tile of another size may need more memory.
      let decoder = try decoder.get()
      if try TileDescription(description(of: item, decoder, bytes, &context.budget)) == tile {
        let picture = try coded(item, decoder, bytes, &context).picture
        if TileDescription(picture) == tile { result = .decoded(picture, context.diagnostics) }
      }
    } catch {
      result = .failed(error)
    }
    let spending = budget.close(context.takeBudget())
    return TileOutcome(
      result: result, work: Int(clamping: spending.work), workingByteCount: spending.peakByteCount)
  }

  // MARK: Composition

  /// Charges what a tile took and copies it to its positions.
  private func commit(
    _ outcome: TileOutcome, of tile: GridTile, to canvas: inout GridCanvas, _ context: inout DecodingContext
  ) throws(CodecError) {
    try context.budget.allocate(outcome.workingByteCount)
    context.budget.release(outcome.workingByteCount)
    // The share was checked while the tile was decoded.
    try context.budget.chargeWorkInParts(count: outcome.work, unitsEach: 1)
    switch outcome.result {
    case .decoded(let picture, let diagnostics):
      context.note(diagnostics)
      try canvas.paste(picture, atPlaces: tile.places, &context.budget)
    case .failed(let error):
      guard error.kind == .malformed || error.kind == .truncated, !context.isStrict else { throw error }
      canvas.firstError = canvas.firstError ?? error
      context.noteOnce(.damage, "a tile cannot be decoded: \(error.reason)", byteOffset: error.byteOffset)
    case .differs:
      throw CodecError(.malformed, "the tiles of a grid differ in size or coding", format: container.type)
    }
  }
}

/// The visible part of a grid while its tiles are added.
private struct GridCanvas {
  var picture: PlanarPicture
  let window: PixelRegion
  let columnCount: Int
  let tileSize: PixelSize
  var tileCount = 0
  var tileByteCount = 0
  var firstError: CodecError?

  /// Returns whether the window touches a tile at any of the given positions.
  func isVisible(atPlaces places: [Int]) -> Bool {
    places.contains { isVisible(origin($0)) }
  }

  private func isVisible(_ origin: (x: Int, y: Int)) -> Bool {
    origin.x < window.x + window.width && origin.x + tileSize.width > window.x
      && origin.y < window.y + window.height && origin.y + tileSize.height > window.y
  }

  private func origin(_ place: Int) -> (x: Int, y: Int) {
    (place % columnCount * tileSize.width, place / columnCount * tileSize.height)
  }

  mutating func paste(
    _ tile: PlanarPicture, atPlaces places: [Int], _ budget: inout ResourceBudget
  ) throws(CodecError) {
    tileCount += 1
    tileByteCount = tile.rawPlanesByteCount
    for place in places {
      try budget.chargeWork(tile.rawPlanesByteCount)
      let origin = origin(place)
      if isVisible(origin) { picture.paste(tile, origin, window) }
    }
  }
}
