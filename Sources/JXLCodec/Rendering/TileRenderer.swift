// The filters of a part of a frame.

internal import ImageCoding

/// Filters tiles of a frame whose decoded colours are final.
package struct TileRenderer: Sendable {
  private let size: PixelSize
  private let planeCount: Int
  private let filter: RestorationFilter
  private let strengths: EdgeStrengths

  init(_ frame: FrameDecoder) {
    size = frame.header.codedSize
    planeCount = frame.colorCount
    (filter, strengths) = (frame.header.filter, frame.strengths)
  }

  package init(_ filter: RestorationFilter, _ strengths: EdgeStrengths, size: PixelSize, planeCount: Int) {
    (self.filter, self.strengths, self.size, self.planeCount) = (filter, strengths, size, planeCount)
  }

  /// The number of rows after a tile that it needs.
  var reach: Int { FilterChain.reach(filter) }

  /// Renders the filtered samples of a tile.
  func planes(
    _ tile: PixelRegion, of samples: SampleGroups, budget: inout ResourceBudget
  ) throws(CodecError) -> [SamplePlane] {
    var planes: [[Float]] = []
    try budget.allocate(count: tile.width * tile.height * planeCount, bytesEach: 4)
    for _ in 0..<planeCount { planes.append([Float](repeating: 0, count: tile.width * tile.height)) }
    try filtered(tile, of: samples, &budget) { (y, window, budget) throws(CodecError) in
      let source = window.samples.span
      for plane in planes.indices {
        let start = window.index(plane, y)
        let row = source.extracting(start..<start + tile.width)
        var target = planes[plane].mutableSpan
        let offset = (y - tile.y) * tile.width
        for x in 0..<row.count { target[offset &+ x] = row[x] }
      }
    }
    return planes.map { SamplePlane(width: tile.width, height: tile.height, samples: $0) }
  }

  /// Filters the colours of a frame.
  package func filterColors(
    of frame: inout RenderedFrame, parallelism: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    let planes = frame.planes[..<planeCount].map { SamplePlane(width: size.width, height: size.height, samples: $0) }
    let samples = SampleGroups(size, planes)
    let byteCount = planes.reduce(0) { $0 + $1.byteCount }
    try budget.allocate(byteCount)
    for plane in 0..<planeCount { frame.planes[plane] = [Float](repeating: 0, count: size.width * size.height) }
    let columnCount = (size.width - 1) / Self.tileWidth + 1
    for y in stride(from: 0, to: size.height, by: Self.tileHeight) {
      let height = min(Self.tileHeight, size.height - y)
      let tiles = try parallelResults(count: columnCount, parallelism: parallelism, &budget) {
        (column, budget) throws(CodecError) -> [SamplePlane] in
        let x = column * Self.tileWidth
        let tile = PixelRegion(x: x, y: y, width: min(Self.tileWidth, size.width - x), height: height)
        return try self.planes(tile, of: samples, budget: &budget)
      }
      for (column, tile) in tiles.enumerated() {
        for (plane, part) in tile.enumerated() {
          frame.store(part, plane: plane, x: column * Self.tileWidth, y: y)
          budget.release(part.byteCount)
        }
      }
    }
    budget.release(byteCount)
  }

  /// The width of tiles, so that the rows between filters are in the processor's cache, and the height of those of whole
  /// planes.
  static let tileWidth = 512
  private static let tileHeight = 256

  /// Passes the filtered rows of a tile to a closure.
  func filtered(
    _ tile: PixelRegion, of samples: SampleGroups, _ budget: inout ResourceBudget,
    _ body: (_ y: Int, _ window: inout FilterWindow, _ budget: inout ResourceBudget) throws(CodecError) -> Void
  ) throws(CodecError) {
    let byteCount =
      FilterChain.byteCount(filter, width: tile.width, planeCount: planeCount)
      + ChromaRows.byteCount(width: samples.isReduced ? tile.width : 0)
    try budget.allocate(byteCount)
    defer { budget.release(byteCount) }
    var chain = FilterChain(
      filter, strengths, size: size, columns: tile.x..<tile.x + tile.width, planeCount: planeCount)
    try chain.run(rows: tile.y..<tile.y + tile.height, of: samples, budget: &budget, body)
  }
}
