// A least-recently-used cache of pattern tiles, whose memory is charged to the budget.

internal import ImageCore
internal import VectorGraphics

/// The parameters on which a tile depends.
struct TileKey: Hashable {
  var pattern: RenderTree.Index
  var bounds: Rect?
  var width: Int
  var height: Int
}

/// The tiles of one drawing.
struct TileCache {
  private struct Entry {
    var tile: Layer
    /// The time of the last use, as a count of uses.
    var use: Int
  }

  private static let maximumTileCount = 64
  /// The divisor of the memory available to all tiles.
  private static let memoryShare = 4

  private var entries: [TileKey: Entry] = [:]
  private var useCount = 0
  private var pixelCount = 0

  /// Returns a cached tile.
  mutating func tile(_ key: TileKey) -> Layer? {
    guard let entry = entries[key] else { return nil }
    useCount += 1
    entries[key]?.use = useCount
    return entry.tile
  }

  /// Stores a tile if there is room for it.
  mutating func insert(_ tile: Layer, for key: TileKey, charging budget: inout RasterBudget) {
    let most = budget.resources.limits.maximumByteCount / Self.memoryShare / 4
    guard tile.bounds.pixelCount <= most else { return }
    while entries.count >= Self.maximumTileCount || pixelCount + tile.bounds.pixelCount > most {
      guard let oldest = entries.min(by: { $0.value.use < $1.value.use }) else { break }
      remove(oldest.key, releasing: &budget)
    }
    guard (try? budget.resources.allocate(count: tile.bounds.pixelCount, bytesEach: 4)) != nil else { return }
    useCount += 1
    entries[key] = Entry(tile: tile, use: useCount)
    pixelCount += tile.bounds.pixelCount
  }

  /// Removes all tiles. Returns whether there were any.
  mutating func removeAll(releasing budget: inout RasterBudget) -> Bool {
    guard !entries.isEmpty else { return false }
    budget.resources.release(pixelCount &* 4)
    entries = [:]
    pixelCount = 0
    return true
  }

  private mutating func remove(_ key: TileKey, releasing budget: inout RasterBudget) {
    guard let entry = entries.removeValue(forKey: key) else { return }
    budget.releaseLayer(entry.tile.bounds)
    pixelCount -= entry.tile.bounds.pixelCount
  }
}
