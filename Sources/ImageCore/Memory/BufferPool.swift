// Memory that is kept between images. A server that makes many thumbnails needs the same buffers for each of them.

internal import Threading

/// Memory kept for the next images: pixels, rows and coefficients that an image no longer needs serve the following
/// ones.
///
/// ```swift
/// let pool = BufferPool(maximumByteCount: 64 << 20)
/// let options = DecodingOptions(limits: .server, bufferPool: pool)
/// let file = try ImageFile(upload, options: options).encodedThumbnail(Thumbnail(width: 320), as: .jpeg)
/// ```
///
/// Any number of threads may use a pool at the same time. Buffers in use are not counted in the pool but charged to the
/// image that uses them; see ``DecodingLimits/maximumByteCount``. Buffers are zeroed before they are used again, so
/// that no image sees the memory of another, and results are the same as without a pool.
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
  /// - Parameter maximumByteCount: the number of bytes that are kept at most; 64 MiB by default. Beyond it,
  ///   buffers are freed, those that were returned first before the others.
  public init(maximumByteCount: Int = 64 << 20) {
    self.maximumByteCount = max(0, maximumByteCount)
  }

  /// The number of bytes that are kept.
  public var byteCount: Int { shelves.withLock { $0.byteCount } }

  /// Frees all bytes that are kept, for example if the system is short of memory.
  public func removeAll() {
    // Freed after the lock is released.
    _ = shelves.withLock { shelves in
      defer { shelves = Shelves() }
      return shelves
    }
  }

  /// Keeps the pixels of a bitmap that is no longer needed. If another copy of the bitmap exists, it is not affected.
  public func recycle(_ bitmap: consuming Bitmap) {
    put(bitmap.takeStorage())
  }
}

// Generic functions are not specialised in other modules, so that there is one function for each type of element.
extension BufferPool {
  /// Returns an array of zeros, in memory that was kept if a buffer of the size or up to twice of it was.
  package func take(_ count: Int) -> [UInt8] { take(count) { $0.bytes.take(count) } }
  /// Returns an array of zeros, in memory that was kept if a buffer of the size or up to twice of it was.
  package func take(_ count: Int) -> [Int16] { take(count) { $0.coefficients.take(count) } }
  /// Returns an array of zeros, in memory that was kept if a buffer of the size or up to twice of it was.
  package func take(_ count: Int) -> [Float] { take(count) { $0.samples.take(count) } }

  /// Keeps an array, unless it is small or larger than the pool.
  package func put(_ buffer: [UInt8]) { put(buffer) { $0.bytes.put(buffer, age: $1) } }
  /// Keeps an array, unless it is small or larger than the pool.
  package func put(_ buffer: [Int16]) { put(buffer) { $0.coefficients.put(buffer, age: $1) } }
  /// Keeps an array, unless it is small or larger than the pool.
  package func put(_ buffer: [Float]) { put(buffer) { $0.samples.put(buffer, age: $1) } }

  @inline(__always)
  private func take<Element: Numeric & BitwiseCopyable & Sendable>(
    _ count: Int, from shelf: @Sendable (inout Shelves) -> [Element]?
  ) -> [Element] {
    guard count >= Self.minimumByteCount / MemoryLayout<Element>.stride, count <= Int.max / 16,
      var buffer = shelves.withLock({ shelves in
        shelf(&shelves).map { shelves.forget($0) }
      })
    else { return [Element](repeating: 0, count: max(0, count)) }
    if buffer.count > count { buffer.removeLast(buffer.count - count) }
    var kept = buffer.mutableSpan
    for index in kept.indices { kept[index] = 0 }
    if buffer.count < count { buffer.append(contentsOf: repeatElement(0, count: count - buffer.count)) }
    return buffer
  }

  @inline(__always)
  private func put<Element: BitwiseCopyable & Sendable>(
    _ buffer: [Element], on shelf: @Sendable (inout Shelves, _ age: Int) -> Void
  ) {
    let byteCount = buffer.capacity * MemoryLayout<Element>.stride
    guard byteCount >= Self.minimumByteCount, byteCount <= maximumByteCount else { return }
    _ = shelves.withLock { shelves in
      let removed = shelves.makeRoom(for: byteCount, limit: maximumByteCount)
      let age = shelves.nextAge()
      shelf(&shelves, age)
      shelves.byteCount += byteCount
      return removed
    }
  }
}

/// The buffers of one type of element, in the order of their return.
private struct Shelf<Element: BitwiseCopyable & Sendable>: Sendable {
  struct Kept: Sendable {
    var buffer: [Element]
    var age: Int
  }

  private(set) var buffers: [Kept] = []

  /// The time at which the first buffer was returned; `.max` if there is none.
  var oldest: Int { buffers.first?.age ?? .max }

  /// Removes the smallest buffer that has the capacity, unless it has more than twice as much.
  mutating func take(_ count: Int) -> [Element]? {
    var best = -1
    var leastCapacity = 2 * count
    for index in buffers.indices {
      let capacity = buffers[index].buffer.capacity
      if capacity >= count, capacity <= leastCapacity {
        best = index
        leastCapacity = capacity
      }
    }
    return best < 0 ? nil : remove(at: best)
  }

  mutating func put(_ buffer: [Element], age: Int) {
    buffers.append(Kept(buffer: buffer, age: age))
  }

  mutating func remove(at index: Int) -> [Element] {
    buffers.remove(at: index).buffer
  }
}

/// The buffers that are kept.
private struct Shelves: Sendable {
  var bytes = Shelf<UInt8>()
  var coefficients = Shelf<Int16>()
  var samples = Shelf<Float>()
  var byteCount = 0
  private var clock = 0

  /// Buffers to be freed after the lock is released.
  struct Removed: Sendable {
    var bytes: [[UInt8]] = []
    var coefficients: [[Int16]] = []
    var samples: [[Float]] = []
  }

  mutating func nextAge() -> Int {
    clock += 1
    return clock
  }

  /// Subtracts the bytes of a buffer that has been removed, and returns it.
  mutating func forget<Element>(_ buffer: [Element]) -> [Element] {
    byteCount -= buffer.capacity * MemoryLayout<Element>.stride
    return buffer
  }

  /// Removes buffers, the oldest first, until another one has room.
  mutating func makeRoom(for added: Int, limit: Int) -> Removed {
    var removed = Removed()
    while byteCount > limit - added || count >= BufferPool.maximumBufferCount {
      let oldest = min(bytes.oldest, coefficients.oldest, samples.oldest)
      guard oldest < .max else { break }
      if bytes.oldest == oldest {
        removed.bytes.append(forget(bytes.remove(at: 0)))
      } else if coefficients.oldest == oldest {
        removed.coefficients.append(forget(coefficients.remove(at: 0)))
      } else {
        removed.samples.append(forget(samples.remove(at: 0)))
      }
    }
    return removed
  }

  private var count: Int { bytes.buffers.count + coefficients.buffers.count + samples.buffers.count }
}

/// The pool of a decode, or none.
extension BufferPool? {
  /// Returns an array of zeros from the pool, or a new one. The caller has charged its bytes.
  package func buffer(_ count: Int) -> [UInt8] { self?.take(count) ?? [UInt8](repeating: 0, count: count) }
  /// Returns an array of zeros from the pool, or a new one. The caller has charged its bytes.
  package func buffer(_ count: Int) -> [Int16] { self?.take(count) ?? [Int16](repeating: 0, count: count) }
  /// Returns an array of zeros from the pool, or a new one. The caller has charged its bytes.
  package func buffer(_ count: Int) -> [Float] { self?.take(count) ?? [Float](repeating: 0, count: count) }

  /// Returns an array to the pool, if there is one, and leaves an empty one.
  package func recycle(_ buffer: inout [UInt8]) { self?.put(taken(&buffer)) }
  /// Returns an array to the pool, if there is one, and leaves an empty one.
  package func recycle(_ buffer: inout [Int16]) { self?.put(taken(&buffer)) }
  /// Returns an array to the pool, if there is one, and leaves an empty one.
  package func recycle(_ buffer: inout [Float]) { self?.put(taken(&buffer)) }
  /// Returns the pixels of a bitmap to the pool, if there is one, and leaves an empty one.
  package func recycle(_ bitmap: inout Bitmap) { self?.put(bitmap.takeStorage()) }
}

/// Returns the array and leaves an empty one, so that there is no other owner.
@inline(__always)
private func taken<Element>(_ buffer: inout [Element]) -> [Element] {
  let result = buffer
  buffer = []
  return result
}
