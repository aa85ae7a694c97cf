// The default memory cache.

public import Foundation
internal import Threading

/// A memory cache that removes the images that have not been used for the longest time.
///
/// The cost of an image is the number of bytes of its pixels and of its attached data.
public final class ImageCache: ImageCaching {
  /// The cache that pipelines use by default.
  public static let shared = ImageCache()

  private struct Stored: Sendable {
    let container: ImageContainer
    let expiration: ContinuousClock.Instant?
  }

  private struct State: Sendable {
    var images = RecencyList<ImageCacheKey, Stored>()
    var costLimit: Int
    var countLimit: Int
    var entryCostLimit = 0.1
    var ttl: TimeInterval?

    mutating func trim() {
      while images.totalCost > costLimit || images.count > countLimit { images.removeOldest() }
    }
  }

  private let state: Mutex<State>
  private let memoryPressure = MemoryPressureSource()

  /// Creates a cache.
  ///
  /// - Parameters:
  ///   - costLimit: the maximum sum of all costs; by default ``defaultCostLimit``.
  ///   - countLimit: the maximum number of images; by default unlimited.
  public init(costLimit: Int = ImageCache.defaultCostLimit, countLimit: Int = .max) {
    state = Mutex(State(costLimit: max(costLimit, 0), countLimit: max(countLimit, 0)))
    memoryPressure.start { [weak self] isCritical in
      guard let self else { return }
      if isCritical { removeAll() } else { trim(toCost: costLimit / 10) }
    }
  }

  /// A fifth of the memory, at most 512 MiB.
  public static var defaultCostLimit: Int {
    Int(clamping: min(ProcessInfo.processInfo.physicalMemory / 5, 512 << 20))
  }

  /// The maximum sum of all costs, in bytes.
  public var costLimit: Int {
    get { state.withLock { $0.costLimit } }
    set { update { $0.costLimit = max(newValue, 0) } }
  }

  /// The maximum number of images.
  public var countLimit: Int {
    get { state.withLock { $0.countLimit } }
    set { update { $0.countLimit = max(newValue, 0) } }
  }

  /// The maximum cost of one image, as a fraction of ``costLimit``. Default 0.1, which also replaces NaN.
  public var entryCostLimit: Double {
    get { state.withLock { $0.entryCostLimit } }
    set { state.withLock { $0.entryCostLimit = newValue.isNaN ? 0.1 : newValue } }
  }

  /// The time after which images are removed, in seconds; `nil` (the default) for never, as are infinity and NaN. With
  /// 0, which negative values mean too, images expire at once. Affects images that are stored afterwards.
  public var ttl: TimeInterval? {
    get { state.withLock { $0.ttl } }
    set { state.withLock { $0.ttl = newValue } }
  }

  /// The sum of all costs, in bytes.
  public var totalCost: Int { state.withLock { $0.images.totalCost } }
  /// The number of images.
  public var totalCount: Int { state.withLock { $0.images.count } }

  /// The image for a key. An image whose cost exceeds ``entryCostLimit`` is not stored.
  public subscript(key: ImageCacheKey) -> ImageContainer? {
    get {
      state.withLock { state in
        guard let expiration = state.images.entry(for: key)?.value.expiration, expiration <= .now else {
          return state.images.use(key)?.container
        }
        state.images.remove(key)
        return nil
      }
    }
    set {
      guard let newValue else {
        _ = state.withLock { $0.images.remove(key) }
        return
      }
      let cost = Self.cost(of: newValue)
      update { state in
        guard Double(cost) <= Double(state.costLimit) * state.entryCostLimit else {
          state.images.remove(key)
          return
        }
        let expiration = state.ttl.flatMap { ttl in
          ttl.isNaN ? nil : ContinuousClock.now + .seconds(limiting: max(ttl, 0), default: 0)
        }
        state.images.insert(Stored(container: newValue, expiration: expiration), for: key, cost: cost)
      }
    }
  }

  private static func cost(of container: ImageContainer) -> Int {
    let (cost, overflow) = container.image.bytesPerRow.multipliedReportingOverflow(by: container.image.height)
    return overflow ? .max : cost.addingReportingOverflow(container.data?.count ?? 0).partialValue
  }

  /// Removes all images.
  public func removeAll() {
    state.withLock { $0.images.removeAll() }
  }

  /// Removes images until the sum of all costs is at most `cost`.
  public func trim(toCost cost: Int) {
    state.withLock { state in
      while state.images.totalCost > max(cost, 0) { state.images.removeOldest() }
    }
  }

  /// Removes images until there are at most `count`.
  public func trim(toCount count: Int) {
    state.withLock { state in
      while state.images.count > max(count, 0) { state.images.removeOldest() }
    }
  }

  private func update(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      state.trim()
    }
  }
}
