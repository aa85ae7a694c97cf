// Grids of coded tiles: which of them are needed, their decoding on several threads, and their composition (ISO/IEC
// 23008-12, 6.6.2.3).

internal import ImageCoding
internal import PixelPlanes
internal import Threading

/// Decodes the tiles of grids, to planes or to pixels.
protocol TileDecoder: Sendable {
  associatedtype Picture: TilePicture
  /// The decoder that threads share for the tiles that have the same configuration.
  associatedtype Configuration: Sendable

  var container: HEIFContainer { get }
  /// Whether tiles can be decoded on several threads: the size of each must be known before memory is allocated for it.
  var decodesInParallel: Bool { get }

  func decoder(
    of id: UInt32, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Configuration
  /// Reads the headers of a tile.
  func description(
    of id: UInt32, _ decoder: Configuration, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> CodedPictureDescription
  /// Creates the picture that tiles are copied to, with all samples zero.
  func canvas(
    _ size: PixelSize, like tile: CodedPictureDescription, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Picture
  /// Decodes a tile; `nil` if its size or coding differs from those of the first one.
  func tile(
    _ item: HEIFItem, _ decoder: Configuration, like first: CodedPictureDescription, _ bytes: Span<UInt8>,
    _ context: inout DecodingContext
  ) throws(CodecError) -> Picture?
}

/// A tile, or the picture that tiles are copied to.
protocol TilePicture: Sendable {
  /// The number of bytes of its samples.
  var byteCount: Int { get }

  /// Copies a tile at a position of the grid into this picture, which is a window of the grid. Samples outside the
  /// window are dropped.
  mutating func paste(_ tile: Self, _ origin: (x: Int, y: Int), _ window: PixelRegion)
}

/// A distinct item of a grid, with its positions.
private typealias GridTile = (id: UInt32, places: [Int])

/// The result of decoding one tile.
private enum TileResult<Picture: TilePicture>: Sendable {
  case decoded(Picture, [ImageDiagnostic])
  case damaged(CodecError)
  /// The tile differs from the first one in size or coding.
  case differs
  /// The tile takes more memory than there is for each thread.
  case exceedsShare
}

/// The maximum number of bytes of decoded tiles that wait for their turn, unless each thread holds only one.
private let maximumWaitingByteCount = 64 << 20

/// The memory that decoding a tile takes for each byte of its samples, as assumed until one has been decoded. A tile that
/// takes more than its share is decoded again, alone.
private let estimatedWorkingFactor = 8

extension TileDecoder {
  /// Decodes each distinct tile that touches the window once and copies it to all of its positions. A lenient decode
  /// leaves out damaged tiles.
  ///
  /// Tiles are decoded on several threads if the options request it. The outcome does not depend on their number: tiles
  /// are charged and composed in order.
  ///
  /// - Parameter window: the part of the grid to return; `nil` for all of it.
  func grid(
    of item: HEIFItem, window: PixelRegion?, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> Picture {
    let grid = try container.validGrid(of: item, bytes)
    let window = window ?? PixelRegion(x: 0, y: 0, width: grid.size.width, height: grid.size.height)
    guard window.fits(in: grid.size) else { throw malformed("a grid is smaller than its image") }
    try container.checkSize(grid.size, of: item, &context)
    let distinct = distinctItems(item.tileIDs)
    let description = try description(ofTiles: distinct, bytes, &context.budget)
    guard grid.isCovered(byTilesOf: description.size) else { throw malformed("the tiles of a grid do not cover it") }
    context.budget.allowWork(forPixelCount: grid.size.width * grid.size.height)
    let size = PixelSize(width: window.width, height: window.height)
    var canvas = GridCanvas(
      picture: try canvas(size, like: description, &context.budget), window: window, columnCount: grid.columns,
      tileSize: description.size)
    let tiles = distinct.filter { canvas.isVisible(atPlaces: $0.places) }
    var next = 0
    var batchCount = firstBatchSize(
      planes: canvas.estimatedTileByteCount, parallelism: context.options.parallelism,
      availableByteCount: context.budget.availableByteCount)
    while next < tiles.count {
      let candidates = tiles[next..<min(next + batchCount, tiles.count)]
      let decoders = decoders(of: candidates, bytes, &context.budget)
      let batch = candidates.prefix(decoders.count)
      let reserved = reservation(
        tileCount: batch.count, planes: canvas.tileByteCount ?? canvas.estimatedTileByteCount ?? 0,
        parallelism: context.options.parallelism, availableByteCount: context.budget.availableByteCount)
      let outcomes = decode(
        batch.map { $0.id }, decoders, description, bytes, context.options, reserving: reserved, context.budget)
      for (place, outcome) in outcomes.enumerated() {
        let tile = batch[batch.startIndex + place]
        if case .success(.exceedsShare) = outcome.result {
          try context.budget.join([outcome.spending])
          let alone = decode([tile.id], [decoders[place]], description, bytes, context.options, context.budget)
          for outcome in alone { try commit(outcome, of: tile, to: &canvas, &context) }
        } else {
          try commit(outcome, of: tile, to: &canvas, &context)
        }
      }
      // Only a decoded tile tells how much memory the others take.
      if next == 0, let first = outcomes.first {
        batchCount = batchSize(
          planes: canvas.tileByteCount ?? 0, working: max(0, first.spending.peakByteCount - reserved),
          parallelism: context.options.parallelism, availableByteCount: context.budget.availableByteCount)
      }
      next += batch.count
    }
    guard canvas.tileCount > 0 else { throw canvas.firstError ?? malformed("a grid has no tiles") }
    return canvas.picture
  }

  /// Returns the decoders of tiles, or why there is none. Threads share them, so that what is charged does not depend
  /// on the threads.
  ///
  /// An error that is not damage ends the list. It is thrown in its turn, since an earlier tile may have another error.
  private func decoders(
    of tiles: ArraySlice<GridTile>, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) -> [Result<Configuration, CodecError>] {
    var decoders: [Result<Configuration, CodecError>] = []
    for tile in tiles {
      do throws(CodecError) {
        decoders.append(.success(try decoder(of: tile.id, bytes, &budget)))
      } catch {
        decoders.append(.failure(error))
        guard error.isDamage else { break }
      }
    }
    return decoders
  }

  /// Reads the headers of the first tile whose headers can be read.
  private func description(
    ofTiles tiles: [GridTile], _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> CodedPictureDescription {
    var firstError: CodecError?
    for tile in tiles {
      do throws(CodecError) {
        return try description(of: tile.id, try decoder(of: tile.id, bytes, &budget), bytes, &budget)
      } catch {
        guard error.isDamage else { throw error }
        firstError = firstError ?? error
      }
    }
    throw firstError ?? malformed("a grid has no tiles")
  }

  /// Returns the number of tiles that are decoded together before it is known how much memory one takes.
  ///
  /// - Parameter planes: the number of bytes of the samples of a tile; `nil` if they exceed all memory.
  private func firstBatchSize(planes: Int?, parallelism: Int, availableByteCount: Int) -> Int {
    guard let planes, planes <= availableByteCount / estimatedWorkingFactor else { return 1 }
    return batchSize(
      planes: planes, working: estimatedWorkingFactor * planes, parallelism: parallelism,
      availableByteCount: availableByteCount)
  }

  /// Returns the number of tiles that are decoded together: several for each thread, so that all threads end at about
  /// the same time; fewer if there is not enough memory for them.
  private func batchSize(planes: Int, working: Int, parallelism: Int, availableByteCount: Int) -> Int {
    let threads = ParallelRows.threadCount(parallelism)
    guard decodesInParallel, threads > 1, planes > 0 else { return 1 }
    for perThread in [8, 4, 2, 1] {
      let count = threads * perThread
      if perThread > 1, planes > maximumWaitingByteCount / count { continue }
      guard planes <= availableByteCount / count else { continue }
      if working <= (availableByteCount - count * planes) / threads { return count }
    }
    return 1
  }

  /// Returns the memory that each of several tiles leaves to the others. A share of the budget has all of its memory,
  /// and tiles may take more than the first one.
  private func reservation(tileCount: Int, planes: Int, parallelism: Int, availableByteCount: Int) -> Int {
    let threads = min(tileCount, ParallelRows.threadCount(parallelism))
    guard threads > 1 else { return 0 }
    return availableByteCount - max(0, availableByteCount - tileCount * planes) / threads
  }

  /// Decodes tiles, each with a share of the budget. A single one may use several threads itself.
  ///
  /// - Parameter reserved: the memory that a tile may not use, if there are several.
  private func decode(
    _ ids: [UInt32], _ decoders: [Result<Configuration, CodecError>], _ description: CodedPictureDescription,
    _ bytes: Span<UInt8>, _ options: DecodingOptions, reserving reserved: Int = 0, _ budget: borrowing ResourceBudget
  ) -> [ParallelOutcome<TileResult<Picture>>] {
    var tileOptions = options
    if ids.count > 1 { tileOptions.parallelism = 1 }
    let (threadCount, options) = (options.parallelism, tileOptions)
    return parallelOutcomes(count: ids.count, parallelism: threadCount, budget) {
      (index, budget) throws(CodecError) in
      try budget.allocate(reserved)
      defer { budget.release(reserved) }
      do throws(CodecError) {
        return try DecodingContext.spending(&budget, options, format: container.type) {
          (context) throws(CodecError) in
          let item = try HEIFItem(ids[index], in: container.table, bytes, budget: &context.budget)
          let decoder = try decoders[index].get()
          guard let picture = try tile(item, decoder, like: description, bytes, &context) else { return .differs }
          return .decoded(picture, context.diagnostics)
        }
      } catch {
        if reserved > 0, error.limit == .memory { return .exceedsShare }
        guard error.isDamage, options.tolerance != .strict else { throw error }
        return .damaged(error)
      }
    }
  }

  /// Charges what a tile took and copies it to its positions.
  private func commit(
    _ outcome: ParallelOutcome<TileResult<Picture>>, of tile: GridTile, to canvas: inout GridCanvas<Picture>,
    _ context: inout DecodingContext
  ) throws(CodecError) {
    let heldByteCount = context.budget.heldByteCount
    try context.budget.join([outcome.spending])
    // Other threads may use the memory of the tile once it is copied.
    context.budget.settle(heldByteCount: heldByteCount)
    switch try outcome.result.get() {
    case .decoded(let picture, let diagnostics):
      context.note(diagnostics)
      try canvas.paste(picture, atPlaces: tile.places, &context.budget)
    case .damaged(let error):
      canvas.firstError = canvas.firstError ?? error
      context.noteOnce(.damage, "a tile cannot be decoded: \(error.reason)", byteOffset: error.byteOffset)
    case .differs: throw malformed("the tiles of a grid differ in size or coding")
    case .exceedsShare:
      throw CodecError(.limitExceeded, "a tile exceeds the memory limit", format: container.type, limit: .memory)
    }
  }

  private func malformed(_ reason: String) -> CodecError { CodecError(.malformed, reason, format: container.type) }
}

extension CodedPictureDescription {
  /// The size in pixels.
  var size: PixelSize { PixelSize(width: width, height: height) }
}

/// The visible part of a grid while its tiles are added.
private struct GridCanvas<Picture: TilePicture> {
  var picture: Picture
  let window: PixelRegion
  let columnCount: Int
  let tileSize: PixelSize
  var tileCount = 0
  /// The number of bytes of the samples of a tile; `nil` before the first one.
  var tileByteCount: Int?
  var firstError: CodecError?

  /// The number of bytes of the samples of a tile of the same coding as this picture, rounded up for each pixel; `nil` if
  /// no memory could hold them.
  var estimatedTileByteCount: Int? {
    let bytesPerPixel = (picture.byteCount - 1) / (window.width * window.height) + 1
    let (pixelCount, isTooLarge) = tileSize.width.multipliedReportingOverflow(by: tileSize.height)
    let (byteCount, isExcessive) = pixelCount.multipliedReportingOverflow(by: bytesPerPixel)
    return isTooLarge || isExcessive ? nil : byteCount
  }

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
    _ tile: Picture, atPlaces places: [Int], _ budget: inout ResourceBudget
  ) throws(CodecError) {
    tileCount += 1
    tileByteCount = tile.byteCount
    for place in places {
      try budget.chargeWork(tile.byteCount)
      let origin = origin(place)
      if isVisible(origin) { picture.paste(tile, origin, window) }
    }
  }
}
