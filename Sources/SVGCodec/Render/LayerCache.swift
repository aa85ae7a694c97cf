// A least-recently-used cache of pixels that are drawn several times: tiles of patterns, reduced pictures. Their memory
// is charged to the budget.

internal import ImageCoding
internal import VectorGraphics

/// The parameters on which a tile depends.
struct TileKey: Hashable {
  var pattern: RenderTree.Index
  var bounds: Rect?
  var width: Int
  var height: Int
}

/// The parameters on which a reduced picture depends.
struct PictureKey: Hashable {
  var picture: Int
  var reduction: ImageReduction
}

/// The layers of one drawing.
struct LayerCache<Key: Hashable> {
  private struct Entry {
    var layer: Layer
    /// The time of the last use, as a count of uses.
    var use: Int
  }

  private let maximumCount = 64
  private var entries: [Key: Entry] = [:]
  private var useCount = 0
  private var pixelCount = 0

  /// Returns the maximum number of bytes of all layers within some limits.
  static func maximumByteCount(_ limits: DecodingLimits) -> Int { limits.maximumByteCount / 4 }

  /// Returns a cached layer.
  mutating func layer(_ key: Key) -> Layer? {
    guard let entry = entries[key] else { return nil }
    useCount += 1
    entries[key]?.use = useCount
    return entry.layer
  }

  /// Stores a layer if there is room for it.
  mutating func insert(_ layer: Layer, for key: Key, charging budget: inout RasterBudget) {
    let most = Self.maximumByteCount(budget.resources.limits) / 4
    guard layer.bounds.pixelCount <= most else { return }
    while entries.count >= maximumCount || pixelCount + layer.bounds.pixelCount > most {
      guard let oldest = entries.min(by: { $0.value.use < $1.value.use }) else { break }
      remove(oldest.key, releasing: &budget)
    }
    guard (try? budget.resources.allocate(count: layer.bounds.pixelCount, bytesEach: 4)) != nil else { return }
    useCount += 1
    entries[key] = Entry(layer: layer, use: useCount)
    pixelCount += layer.bounds.pixelCount
  }

  /// Removes all layers. Returns whether there were any.
  mutating func removeAll(releasing budget: inout RasterBudget) -> Bool {
    guard !entries.isEmpty else { return false }
    budget.resources.release(pixelCount &* 4)
    entries = [:]
    pixelCount = 0
    return true
  }

  private mutating func remove(_ key: Key, releasing budget: inout RasterBudget) {
    guard let entry = entries.removeValue(forKey: key) else { return }
    budget.releaseLayer(entry.layer.bounds)
    pixelCount -= entry.layer.bounds.pixelCount
  }
}
