// Tiles of patterns that were drawn before. They count as held memory, and the one not used for longest goes first.

internal import ImageCore
internal import VectorGraphics

/// What a tile depends on.
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
    /// When the tile was used last, counted in uses.
    var use: Int
  }

  private static let maximumTileCount = 64
  /// The part of the memory that all tiles together may take.
  private static let memoryShare = 4

  private var entries: [TileKey: Entry] = [:]
  private var useCount = 0
  private var pixelCount = 0

  /// A tile that was drawn before.
  mutating func tile(_ key: TileKey) -> Layer? {
    guard let entry = entries[key] else { return nil }
    useCount += 1
    entries[key]?.use = useCount
    return entry.tile
  }

  /// Keeps a tile if there is room for it.
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

  /// Drops all tiles. Returns whether there were any.
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
