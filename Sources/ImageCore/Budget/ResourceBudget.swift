// The resources that one call has used. Each stage charges its costs at the point where they are incurred.

/// The account of one call, of decoding, encoding or both: memory held, metadata kept, work done, nesting depth and
/// elapsed time, each charged against ``DecodingLimits``.
///
/// A budget is passed `inout` through all stages of a decode and into nested decodes, so that its limits are totals. It
/// cannot be copied, because two copies would spend the same limit twice. Parallel stages spend shares of a
/// ``BudgetSplit``.
public struct ResourceBudget: ~Copyable, Sendable {
  /// The limits that are charged.
  public let limits: DecodingLimits
  /// The format that errors refer to.
  public var format: AssetType?
  /// Memory kept between images; `nil` if every image allocates its own.
  package let bufferPool: BufferPool?
  /// Called at every checkpoint, where the deadline is checked too.
  let shouldCancel: (@Sendable () -> Bool)?

  /// The number of bytes currently held.
  public internal(set) var heldByteCount = 0
  /// The maximum number of bytes held at any one time.
  public internal(set) var peakByteCount = 0
  /// The number of bytes of metadata kept or decompressed so far.
  public internal(set) var metadataByteCount = 0
  /// The number of pieces of metadata kept so far.
  public internal(set) var metadataChunkCount = 0
  /// The units of work done so far, about a nanosecond each.
  public internal(set) var work: Int64 = 0
  /// The work allowed; grows with the number of pixels.
  var allowedWork: Int64
  /// The work that encoders may do in addition; it shrinks as they do it.
  var encodingAllowance: Int64 = 0
  /// The number of bytes of the file that is converted.
  var inputByteCount = 0
  /// The number of pixels for which work is allowed, of all frames of an animation.
  var pixelCount = 0
  /// The amount of work at which the next checkpoint is due.
  var nextCheckpoint: Int64 = 0
  /// The number of pictures that enclose the current one.
  public internal(set) var depth = 0
  /// The time spent in earlier calls.
  var elapsed: Duration = .zero
  /// The start of the current call; set only if there is a deadline.
  var callStart: ContinuousClock.Instant?

  /// Returns the current time. It is passed the work done so far, so that tests can let time follow from work.
  let clock: @Sendable (Int64) -> ContinuousClock.Instant

  /// Creates a budget of which nothing is spent.
  ///
  /// - Parameters:
  ///   - limits: the limits of the call.
  ///   - format: the format that errors state.
  ///   - bufferPool: memory kept between images; `nil` if every image allocates its own.
  ///   - shouldCancel: called at every checkpoint. Once it returns `true`, the next charge of work throws
  ///     ``CodecError/Kind/cancelled``.
  public init(
    _ limits: DecodingLimits, format: AssetType? = nil, bufferPool: BufferPool? = nil,
    shouldCancel: (@Sendable () -> Bool)? = nil
  ) {
    self.init(limits, format: format, bufferPool: bufferPool, shouldCancel: shouldCancel) { _ in .now }
  }

  /// Creates a budget of which nothing is spent, with a clock.
  ///
  /// - Parameter clock: called at every checkpoint if there is a deadline, with the units of work done before it.
  package init(
    _ limits: DecodingLimits, format: AssetType? = nil, bufferPool: BufferPool? = nil,
    shouldCancel: (@Sendable () -> Bool)? = nil, clock: @escaping @Sendable (Int64) -> ContinuousClock.Instant
  ) {
    self.limits = limits
    self.clock = clock
    self.bufferPool = bufferPool
    self.format = format
    self.shouldCancel = shouldCancel
    allowedWork = limits.maximumWork
    resumeClock()
  }

  /// Creates the budget of a decode with these options.
  public init(_ options: DecodingOptions, format: AssetType? = nil) {
    self.init(
      options.limits, format: format, bufferPool: options.bufferPool, shouldCancel: options.shouldCancel)
  }

  func exceeded(_ limit: CodecError.Limit, _ reason: String, _ byteOffset: Int?) -> CodecError {
    CodecError(.limitExceeded, reason, format: format, byteOffset: byteOffset, limit: limit)
  }
}

// MARK: Memory

extension ResourceBudget {
  /// Charges bytes that are about to be allocated.
  ///
  /// - Throws: ``CodecError/Kind/limitExceeded`` if the bytes held would exceed ``DecodingLimits/maximumByteCount``.
  public mutating func allocate(_ byteCount: Int, byteOffset: Int? = nil) throws(CodecError) {
    let (held, overflow) = heldByteCount.addingReportingOverflow(byteCount)
    guard byteCount >= 0, !overflow, held <= limits.maximumByteCount else {
      throw exceedsMemory(byteOffset)
    }
    heldByteCount = held
    peakByteCount = max(peakByteCount, held)
  }

  /// Throws unless this many bytes could be allocated, and charges nothing.
  ///
  /// - Throws: ``CodecError/Kind/limitExceeded``.
  package func requireMemory(_ byteCount: Int, byteOffset: Int? = nil) throws(CodecError) {
    if byteCount > availableByteCount { throw exceedsMemory(byteOffset) }
  }

  func exceedsMemory(_ byteOffset: Int?) -> CodecError {
    exceeded(.memory, "decoding exceeds the memory limit of \(limits.maximumByteCount) bytes", byteOffset)
  }

  /// Credits bytes that were charged and are no longer held.
  public mutating func release(_ byteCount: Int) {
    heldByteCount = max(0, heldByteCount &- max(0, byteCount))
  }

  /// Charges an array of `count` elements that is about to be allocated, and returns its byte count.
  ///
  /// - Throws: ``CodecError/Kind/limitExceeded`` if the limit is exceeded or the size overflows.
  @discardableResult
  public mutating func allocate(
    count: Int, bytesEach: Int, byteOffset: Int? = nil
  ) throws(CodecError) -> Int {
    let (byteCount, overflow) = count.multipliedReportingOverflow(by: bytesEach)
    try allocate(overflow || count < 0 ? -1 : byteCount, byteOffset: byteOffset)
    return byteCount
  }

  /// Sets the number of bytes held, at the end of a stage that tracked its own memory.
  package mutating func settle(heldByteCount byteCount: Int) {
    heldByteCount = max(0, byteCount)
    peakByteCount = max(peakByteCount, heldByteCount)
  }

  /// The number of bytes that can still be allocated.
  public var availableByteCount: Int { max(0, limits.maximumByteCount &- heldByteCount) }

  /// Charges `width` × `height` pixels held in memory, and returns their byte count.
  ///
  /// - Throws: ``CodecError/Kind/limitExceeded`` if the product overflows or exceeds a limit.
  @discardableResult
  public mutating func allocatePixels(
    width: Int, height: Int, bytesPerPixel: Int, byteOffset: Int? = nil
  ) throws(CodecError) -> Int {
    let byteCount = try limits.checkedByteCount(
      width: width, height: height, bytesPerPixel: bytesPerPixel, format: format, byteOffset: byteOffset)
    try allocate(byteCount, byteOffset: byteOffset)
    return byteCount
  }

  /// Checks the size of an image whose pixels are streamed and not held.
  ///
  /// - Throws: ``CodecError/Kind/limitExceeded`` if the number of pixels overflows or exceeds
  ///   ``DecodingLimits/maximumSourcePixelCount``.
  package func checkSourceSize(width: Int, height: Int, byteOffset: Int? = nil) throws(CodecError) {
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    guard width >= 0, height >= 0, !overflow, pixels <= limits.maximumSourcePixelCount else {
      throw exceeded(
        .pixelCount, "\(width) × \(height) exceeds the limit of \(limits.maximumSourcePixelCount) pixels", byteOffset)
    }
  }
}

// MARK: Metadata

extension ResourceBudget {
  /// The maximum size in bytes of the next piece of metadata; decompression stops there.
  public var metadataAllowance: Int {
    guard metadataChunkCount < limits.maximumMetadataChunkCount else { return 0 }
    return min(
      limits.maximumMetadataChunkByteCount, limits.maximumMetadataByteCount &- metadataByteCount, availableByteCount)
  }

  /// Charges a piece of metadata that is kept. Returns `false` and charges nothing if a limit forbids it; the piece is
  /// then skipped.
  public mutating func admitMetadata(_ byteCount: Int) -> Bool {
    guard metadataChunkCount < limits.maximumMetadataChunkCount, byteCount >= 0, byteCount <= metadataAllowance else {
      return false
    }
    metadataChunkCount += 1
    chargeMetadata(byteCount)
    return true
  }

  /// Charges metadata that was decompressed, at most ``metadataAllowance`` bytes, whether or not it is kept: an
  /// oversized piece has incurred the cost of decompression too.
  public mutating func chargeMetadata(_ byteCount: Int) {
    metadataByteCount &+= max(0, min(byteCount, limits.maximumMetadataByteCount &- metadataByteCount))
    heldByteCount &+= max(0, min(byteCount, availableByteCount))
    peakByteCount = max(peakByteCount, heldByteCount)
  }
}

// MARK: Nested pictures

extension ResourceBudget {
  /// Enters a picture nested in the current one; ``ascend()`` leaves it.
  ///
  /// - Throws: ``CodecError/Kind/limitExceeded`` if the depth exceeds ``DecodingLimits/maximumNestingDepth``.
  public mutating func descend(byteOffset: Int? = nil) throws(CodecError) {
    guard depth < limits.maximumNestingDepth else {
      throw exceeded(.depth, "pictures are nested more than \(limits.maximumNestingDepth) levels deep", byteOffset)
    }
    depth += 1
  }

  /// Leaves a nested picture.
  public mutating func ascend() {
    depth = max(0, depth - 1)
  }
}
