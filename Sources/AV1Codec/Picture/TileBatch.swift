// Rows of tiles that are decoded together, and their decoding on one thread.

internal import ImageCoding

/// The place of a tile in the frame and in the stream.
struct TilePlace: Sendable {
  /// Units of 4 × 4 luma samples.
  let columns: Range<Int>
  let rows: Range<Int>
  /// The bytes of the tile.
  let bytes: Range<Int>
}

/// The reason for which a tile could not be decoded to its end.
struct TileDamage: Sendable {
  let reason: StaticString
  let byteOffset: Int
}

/// The result of decoding tiles.
struct TileOutcome: Sendable {
  /// The number of superblocks that were decoded.
  var superblockCount = 0
  /// The damage of the first tile that has any.
  var damage: TileDamage?

  /// Adds the outcome of tiles that follow.
  mutating func append(_ next: TileOutcome) {
    superblockCount += next.superblockCount
    damage = damage ?? next.damage
  }
}

/// Rows of tiles, of which the last one may be incomplete.
struct TileBatch: Sendable {
  let tiles: [TilePlace]
  /// The number of tiles in a row.
  let columnCount: Int
  /// The columns of the last row of tiles that are missing.
  let missing: Range<Int>

  /// - Parameter tiles: at least one; the first one is the first of a row.
  init(_ tiles: [TilePlace], columnCount: Int, _ parameters: FrameParameters) {
    (self.tiles, self.columnCount) = (tiles, columnCount)
    missing = (tiles.last?.columns.upperBound ?? 0)..<parameters.columns
  }

  /// The rows of tiles, of which each is a range of ``tiles``.
  var rows: [Range<Int>] {
    stride(from: 0, to: tiles.count, by: columnCount).map { $0..<min($0 + columnCount, tiles.count) }
  }

  /// The columns of a row of tiles that are missing.
  func missing(inRow row: Range<Int>) -> Range<Int> {
    row.upperBound == tiles.count ? missing : missing.upperBound..<missing.upperBound
  }

  /// The most units of 4 × 4 luma samples in a row of a tile.
  var largestColumnCount: Int { tiles.reduce(0) { max($0, $1.columns.count) } }
}

extension FrameRows {
  /// Decodes tiles row by row.
  ///
  /// - Parameter stopsAtDamage: whether rows of tiles after one with damage are not decoded.
  mutating func decode(
    _ batch: TileBatch, _ bytes: Span<UInt8>, stopsAtDamage: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) -> TileOutcome {
    let byteCount = batch.columnCount * TileDecoder.byteCount(parameters, columnCount: batch.largestColumnCount)
    var outcome = TileOutcome()
    for row in batch.rows {
      try budget.allocate(byteCount)
      let tiles = batch.tiles[row].map { DecodingTile($0, parameters, bytes) }
      let units = parameters.superblockUnits
      let rows = batch.tiles[row.lowerBound].rows
      for first in stride(from: rows.lowerBound, to: rows.upperBound, by: units) {
        let part = first..<min(first + units, rows.upperBound)
        moveWindow(toRow: first)
        for tile in tiles {
          try budget.chargeWork(tile.nextWork)
          try budget.chargeWork(tile.decode(part, &picture, bytes))
        }
        picture.blacken(columns: batch.missing(inRow: row), rows: part, parameters)
        try budget.chargeWorkInParts(count: parameters.columns * 4, unitsEach: finishingWork)
        try finishRow(first, budget.interruption)
      }
      for tile in tiles { outcome.append(tile.outcome) }
      budget.release(byteCount)
      if stopsAtDamage, outcome.damage != nil { break }
    }
    return outcome
  }
}
