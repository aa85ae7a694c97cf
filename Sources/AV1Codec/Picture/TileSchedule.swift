// The order in which threads decode the parts of tiles, and finish rows of superblocks once all of their parts are
// decoded.

/// The progress of a batch of tiles, and the jobs that are possible next.
///
/// Rows of superblocks are finished in order, each by one thread at a time. Of each tile, too, one thread at a time
/// decodes the next row. Parts that are decoded and not yet finished take memory, of which there is a fixed number.
struct TileSchedule: Sendable {
  /// A job of a thread. Rows are those of superblocks, counted in the batch.
  enum Job: Sendable, Equatable {
    /// Decodes the next part of a tile.
    case decode(tile: Int, row: Int, part: Int)
    /// Finishes a row, whose parts are those of the tiles from the first one on.
    case finish(row: Int, firstTile: Int, parts: [Int])
  }

  private struct Tile: Sendable {
    /// The next row to decode.
    var next: Int
    let end: Int
    var isBusy = false
    /// The parts that are decoded and not yet finished, in order.
    var parts: [Int] = []
  }

  private var tiles: [Tile] = []
  /// The rows of tiles.
  private let tileRows: [Range<Int>]
  /// The ends of rows of tiles.
  private let rowEnds: [Int]
  /// The row of tiles that the next row to finish is in.
  private var current = 0
  /// The next row to finish.
  private(set) var finishedCount = 0
  private var isFinishing = false
  /// The parts that nothing uses.
  private var freeParts: [Int]
  /// Rows of tiles, from the current one on, that may be decoded.
  private let openRowCount: Int

  /// - Parameters:
  ///   - tileRows: the tiles of each row of tiles.
  ///   - rowCounts: the number of rows of superblocks of each row of tiles.
  ///   - partCount: at least the number of tiles in a row.
  ///   - openRowCount: the number of rows of tiles of which tiles may be in decoding; at least 1.
  init(tileRows: [Range<Int>], rowCounts: [Int], partCount: Int, openRowCount: Int) {
    self.tileRows = tileRows
    self.openRowCount = openRowCount
    var (ends, first) = ([Int](), 0)
    for (row, count) in zip(tileRows, rowCounts) {
      for _ in row { tiles.append(Tile(next: first, end: first + count)) }
      first += count
      ends.append(first)
    }
    rowEnds = ends
    // The first one is taken first.
    freeParts = (0..<partCount).reversed()
  }

  /// Whether all rows are finished.
  var isDone: Bool { current == tileRows.count }

  /// Whether all rows of a tile are decoded.
  func isDecoded(_ tile: Int) -> Bool { tiles[tile].next == tiles[tile].end }

  /// The next job of a thread; `nil` if there is none until another one ends.
  ///
  /// - Parameter hasIdleThreads: whether other threads have nothing to do. Those finish rows, so that decoding, which
  ///   takes longer, goes on.
  func next(hasIdleThreads: Bool) -> Job? {
    guard !isDone else { return nil }
    let finishing = isFinishing ? nil : finishingJob()
    if let finishing, !hasIdleThreads { return finishing }
    return decodingJob() ?? finishing
  }

  private func finishingJob() -> Job? {
    var parts: [Int] = []
    for tile in tileRows[current] {
      guard let part = tiles[tile].parts.first else { return nil }
      parts.append(part)
    }
    return .finish(row: finishedCount, firstTile: tileRows[current].lowerBound, parts: parts)
  }

  /// The part of the first row that can be decoded.
  private func decodingJob() -> Job? {
    guard let part = freeParts.last else { return nil }
    // Parts that are kept for the next row to finish, or else all could be of later rows.
    var keptCount = 0
    for tile in tileRows[current] where tiles[tile].next == finishedCount && !tiles[tile].isBusy { keptCount += 1 }
    var best: Int?
    for row in tileRows[current..<min(current + openRowCount, tileRows.count)] {
      for tile in row where !tiles[tile].isBusy && tiles[tile].next < tiles[tile].end {
        guard tiles[tile].next == finishedCount || freeParts.count > keptCount else { continue }
        if best.map({ tiles[tile].next < tiles[$0].next }) ?? true { best = tile }
      }
      // Later rows of tiles have later rows only.
      if best != nil { break }
    }
    return best.map { .decode(tile: $0, row: tiles[$0].next, part: part) }
  }

  /// Starts a job, the last one that ``next(hasIdleThreads:)`` returned.
  mutating func start(_ job: Job) {
    switch job {
    case .decode(let tile, _, _):
      freeParts.removeLast()
      tiles[tile].isBusy = true
    case .finish:
      isFinishing = true
    }
  }

  /// Ends a job.
  mutating func end(_ job: Job) {
    switch job {
    case .decode(let tile, _, let part):
      tiles[tile].isBusy = false
      tiles[tile].next += 1
      tiles[tile].parts.append(part)
    case .finish(_, _, let parts):
      isFinishing = false
      for tile in tileRows[current] { tiles[tile].parts.removeFirst() }
      freeParts += parts
      finishedCount += 1
      if finishedCount == rowEnds[current] { current += 1 }
    }
  }
}
