// Memory that is kept between images. A server that makes many thumbnails needs the same buffers for each of them.

internal import Threading

/// Memory kept for the next images: pixels, rows and coefficients that an image no longer needs serve the following ones.
///
/// ```swift
/// let pool = BufferPool(maximumByteCount: 64 << 20)
/// let options = DecodingOptions(limits: .server, bufferPool: pool)
/// let file = try await Bitmap.thumbnailData(of: upload, width: 320, as: .jpeg, options: options)
/// ```
///
/// Any number of threads may use a pool at the same time. Buffers in use are not counted in the pool but charged to the
/// image that uses them; see ``DecodingLimits/maximumByteCount``. Buffers are zeroed before they are used again, so that
/// no image sees the memory of another, and results are the same as without a pool.
public final class BufferPool: Sendable {
  /// The number of bytes that are kept at most.
  public let maximumByteCount: Int
  private let shelves = Mutex(Shelves())

  /// The size below which a buffer is not worth keeping: the allocator is as fast.
  static let minimumByteCount = 4096
  /// The number of buffers kept, all of which are searched.
  static let maximumBufferCount = 256

  /// Creates an empty pool.
  ///
  /// - Parameter maximumByteCount: the number of bytes that are kept at most; 64 MiB by default. What exceeds it is
  ///   freed, the buffers that were returned first before the others.
  public init(maximumByteCount: Int = 64 << 20) {
    self.maximumByteCount = max(0, maximumByteCount)
  }

  /// The number of bytes that are kept.
  public var byteCount: Int { shelves.withLock { $0.byteCount } }

  /// Frees all bytes that are kept, for example if the system is short of memory.
  public func removeAll() {
    // Freed after the lock is released.
    let removed = shelves.withLock { shelves in
      defer { shelves = Shelves() }
      return shelves
    }
    _ = removed
  }

  /// Keeps the pixels of a bitmap that is no longer needed. If another copy of the bitmap exists, it is not affected.
  public func recycle(_ bitmap: consuming Bitmap) {
    put(bitmap.takeStorage())
  }
}

/// The elements of buffers that are kept.
package protocol PooledElement: BitwiseCopyable, ExpressibleByIntegerLiteral, Sendable {
  /// Selects the buffers of the element.
  static var shelf: WritableKeyPath<BufferPool.Shelves, BufferPool.Shelf<Self>> { get }
}

extension UInt8: PooledElement {
  package static var shelf: WritableKeyPath<BufferPool.Shelves, BufferPool.Shelf<UInt8>> { \.bytes }
}

extension Int16: PooledElement {
  package static var shelf: WritableKeyPath<BufferPool.Shelves, BufferPool.Shelf<Int16>> { \.coefficients }
}

extension Float: PooledElement {
  package static var shelf: WritableKeyPath<BufferPool.Shelves, BufferPool.Shelf<Float>> { \.samples }
}

extension BufferPool {
  /// Returns an array of zeros, in memory that was kept if a buffer of the size or up to twice of it was.
  package func take<Element: PooledElement>(_ count: Int, of type: Element.Type = Element.self) -> [Element] {
    guard count >= 0, count <= Int.max / 2, count * MemoryLayout<Element>.stride >= Self.minimumByteCount,
      var buffer = shelves.withLock({ $0.take(count, of: type) })
    else { return [Element](repeating: 0, count: max(0, count)) }
    buffer.removeAll(keepingCapacity: true)
    buffer.append(contentsOf: repeatElement(0, count: count))
    return buffer
  }

  /// Keeps an array, unless it is small or larger than the pool.
  package func put<Element: PooledElement>(_ buffer: consuming [Element]) {
    let byteCount = buffer.capacity * MemoryLayout<Element>.stride
    guard byteCount >= Self.minimumByteCount, byteCount <= maximumByteCount else { return }
    let kept = buffer
    let limit = maximumByteCount
    let removed = shelves.withLock { $0.put(kept, byteCount: byteCount, limit: limit) }
    _ = removed
  }

  /// The buffers of one type of element.
  package struct Shelf<Element: Sendable>: Sendable {
    fileprivate var buffers: [(buffer: [Element], age: Int)] = []
  }

  /// The buffers that are kept.
  package struct Shelves: Sendable {
    var bytes = Shelf<UInt8>()
    var coefficients = Shelf<Int16>()
    var samples = Shelf<Float>()
    fileprivate(set) var byteCount = 0
    private var clock = 0

    private var bufferCount: Int { bytes.buffers.count + coefficients.buffers.count + samples.buffers.count }

    /// Removes the smallest buffer that has the capacity, unless it has more than twice as much.
    fileprivate mutating func take<Element: PooledElement>(_ count: Int, of type: Element.Type) -> [Element]? {
      var best: (index: Int, capacity: Int)?
      let buffers = self[keyPath: Element.shelf].buffers
      for index in buffers.indices {
        let capacity = buffers[index].buffer.capacity
        if capacity >= count, capacity <= 2 * count, capacity < best?.capacity ?? .max { best = (index, capacity) }
      }
      guard let best else { return nil }
      byteCount -= best.capacity * MemoryLayout<Element>.stride
      return self[keyPath: Element.shelf].buffers.remove(at: best.index).buffer
    }

    /// Adds a buffer and returns those that are removed for it, the oldest first.
    fileprivate mutating func put<Element: PooledElement>(
      _ buffer: [Element], byteCount added: Int, limit: Int
    ) -> Removed {
      var removed = Removed()
      while byteCount > limit - added || bufferCount >= BufferPool.maximumBufferCount {
        guard removeOldest(&removed) else { break }
      }
      clock += 1
      self[keyPath: Element.shelf].buffers.append((buffer, clock))
      byteCount += added
      return removed
    }

    private mutating func removeOldest(_ removed: inout Removed) -> Bool {
      let ages = (bytes.oldest, coefficients.oldest, samples.oldest)
      let oldest = min(ages.0, ages.1, ages.2)
      guard oldest < .max else { return false }
      if ages.0 == oldest { removed.bytes.append(remove(\.bytes)) }
      if ages.1 == oldest { removed.coefficients.append(remove(\.coefficients)) }
      if ages.2 == oldest { removed.samples.append(remove(\.samples)) }
      return true
    }

    private mutating func remove<Element>(_ shelf: WritableKeyPath<Shelves, Shelf<Element>>) -> [Element] {
      let buffer = self[keyPath: shelf].buffers.removeFirst().buffer
      byteCount -= buffer.capacity * MemoryLayout<Element>.stride
      return buffer
    }
  }

  /// Buffers to be freed after the lock is released.
  fileprivate struct Removed {
    var bytes: [[UInt8]] = []
    var coefficients: [[Int16]] = []
    var samples: [[Float]] = []
  }
}

extension BufferPool.Shelf {
  /// When the first buffer was returned; `.max` if there is none. Buffers are in the order of their return.
  fileprivate var oldest: Int { buffers.first?.age ?? .max }
}

extension ResourceBudget {
  /// Returns an array of zeros from the pool, or a new one. The caller has charged its bytes.
  package func buffer<Element: PooledElement>(_ count: Int, of type: Element.Type = Element.self) -> [Element] {
    bufferPool?.take(count, of: type) ?? [Element](repeating: 0, count: count)
  }

  /// Returns an array to the pool, if there is one, and leaves an empty one.
  package func recycle<Element: PooledElement>(_ buffer: inout [Element]) {
    guard let bufferPool else { return }
    let kept = buffer
    buffer = []
    bufferPool.put(kept)
  }

  /// Returns the pixels of a bitmap to the pool, if there is one, and leaves an empty one.
  package func recycle(_ bitmap: inout Bitmap) {
    guard let bufferPool else { return }
    bufferPool.put(bitmap.takeStorage())
  }
}
