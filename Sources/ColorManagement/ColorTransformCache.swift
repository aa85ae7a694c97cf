// The transforms that were made last, so that the next picture with the same profile needs no tables.

internal import ImageCore
internal import Threading

/// A cache of transforms, which all threads share.
final class ColorTransformCache: Sendable {
  static let shared = ColorTransformCache()

  /// The parameters of a transform.
  struct Key: Hashable, Sendable {
    var source: ColorSpace
    var format: PixelFormat
    var target: ColorSpace
    var intent: RenderingIntent
    var compensatesBlackPoint: Bool
    var toneMapping: ToneMapping
  }

  /// A transform and what it cost.
  struct Entry: Sendable {
    let key: Key
    let transform: ColorTransform
    /// The bytes of the tables.
    let byteCount: Int
    let work: Int
  }

  private let entries = Mutex<[Entry]>([])

  private static let maximumCount = 16
  private static let maximumByteCount = 16 << 20

  /// Returns the transform for a key, which then is the most recent one.
  func entry(for key: Key) -> Entry? {
    entries.withLock { entries in
      guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
      let entry = entries.remove(at: index)
      entries.append(entry)
      return entry
    }
  }

  /// Adds a transform, and drops the least recent ones beyond the limits.
  func insert(_ entry: Entry) {
    entries.withLock { entries in
      entries.removeAll { $0.key == entry.key }
      entries.append(entry)
      var byteCount = entries.reduce(0) { $0 + $1.totalByteCount }
      while let oldest = entries.first, entries.count > Self.maximumCount || byteCount > Self.maximumByteCount {
        byteCount -= oldest.totalByteCount
        entries.removeFirst()
      }
    }
  }
}

extension ColorTransformCache.Entry {
  /// The bytes of the tables and of the profiles.
  fileprivate var totalByteCount: Int {
    byteCount + (key.source.iccProfile?.count ?? 0) + (key.target.iccProfile?.count ?? 0)
  }
}
