// The resources that one call has used. Each stage charges its costs at the point where they are incurred.

/// The account of one call, of decoding, encoding or both: memory held, metadata kept, work done, nesting depth and
/// elapsed time, each charged against ``DecodingLimits``.
///
/// A budget is passed `inout` through all stages of a decode and into nested decodes, so that its limits are totals. Do
/// not copy it, because two copies would spend the same limit twice. Parallel stages use ``lane()``.
public struct ResourceBudget: Sendable {
  /// The limits that are charged.
  public let limits: DecodingLimits
  /// The format that errors refer to.
  public var format: AssetType?
  /// Memory kept between images; `nil` if every image allocates its own.
  package let bufferPool: BufferPool?
  /// Called at every checkpoint, where the deadline is checked too.
  private let shouldCancel: (@Sendable () -> Bool)?

  /// The number of bytes currently held.
  public private(set) var heldByteCount = 0
  /// The maximum number of bytes held at any one time.
  public private(set) var peakByteCount = 0
  /// The number of bytes of metadata kept or decompressed so far.
  public private(set) var metadataByteCount = 0
  /// The number of pieces of metadata kept so far.
  public private(set) var metadataChunkCount = 0
  /// The units of work done so far, about a nanosecond each.
  public private(set) var work: Int64 = 0
  /// The work allowed; grows with the number of pixels.
  private var allowedWork: Int64
  /// The work that encoders may do in addition; it shrinks as they do it.
  private var encodingAllowance: Int64 = 0
  /// The number of bytes of the file that is converted.
  private var inputByteCount = 0
  /// The number of pixels for which work is allowed, of all frames of an animation.
  private var pixelCount = 0
  /// The amount of work at which the next checkpoint is due.
  private var nextCheckpoint: Int64 = 0
  /// The number of pictures that enclose the current one.
  public private(set) var depth = 0
  /// The time spent in earlier calls.
  private var elapsed: Duration = .zero
  /// The start of the current call; set only if there is a deadline.
  private var callStart: ContinuousClock.Instant?

  /// Returns the current time. It is passed the work done so far, so that tests can let time follow from work.
  private let clock: @Sendable (Int64) -> ContinuousClock.Instant

  /// The work between two checkpoints, about a quarter of a millisecond.
  private static let checkpointInterval: Int64 = 250_000
  /// The most work that is charged at a time if its checkpoints are elsewhere.
  private static let largestPart = 25_000_000

  /// Creates a budget of which nothing is spent.
  ///
  /// - Parameters:
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

  private func exceeded(_ reason: String, _ byteOffset: Int?) -> CodecError {
    CodecError(.limitExceeded, reason, format: format, byteOffset: byteOffset)
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
      throw exceeded("decoding exceeds the memory limit of \(limits.maximumByteCount) bytes", byteOffset)
    }
    heldByteCount = held
    peakByteCount = max(peakByteCount, held)
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
      throw exceeded("\(width) × \(height) exceeds the limit of \(limits.maximumSourcePixelCount) pixels", byteOffset)
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

// MARK: Work and time

extension ResourceBudget {
  /// Charges work that is about to be done. Checks for cancellation and the deadline every 250,000 units.
  ///
  /// What is charged at once is done without a check, and must not exceed 100 million units: rows and portions are charged
  /// one by one.
  ///
  /// - Parameter units: about a nanosecond each; must depend only on the input.
  /// - Throws: ``CodecError/Kind/limitExceeded``, ``CodecError/Kind/cancelled`` or
  ///   ``CodecError/Kind/deadlineExceeded``.
  @inline(__always)
  public mutating func chargeWork(_ units: Int, byteOffset: Int? = nil) throws(CodecError) {
    let (sum, overflow) = work.addingReportingOverflow(Int64(max(0, units)))
    let done = work
    work = overflow ? .max : sum
    if work >= nextCheckpoint { try reachCheckpoint(byteOffset, done: done) }
  }

  /// Charges `count` times `unitsEach` units of work.
  public mutating func chargeWork(count: Int, unitsEach: Int, byteOffset: Int? = nil) throws(CodecError) {
    let (units, overflow) = count.multipliedReportingOverflow(by: unitsEach)
    try chargeWork(overflow ? .max : units, byteOffset: byteOffset)
  }

  /// Charges work in the course of which ``checkpoint(byteOffset:)`` is called: work that is known in advance and done
  /// later, among other work, or that is charged after it was done. It is not taken for work between two checkpoints, as
  /// that of a single charge is.
  ///
  /// - Throws: as ``chargeWork(_:byteOffset:)``, before anything is charged if the work exceeds the limit.
  package mutating func chargeWorkInParts(count: Int, unitsEach: Int) throws(CodecError) {
    let (units, overflow) = count.multipliedReportingOverflow(by: unitsEach)
    guard !overflow, units <= availableWork else { return try chargeWork(overflow ? .max : units) }
    var rest = units
    while rest > Self.largestPart {
      try chargeWork(Self.largestPart)
      rest -= Self.largestPart
    }
    try chargeWork(rest)
  }

  /// Raises the work limit for an image of this many pixels, as ``DecodingLimits/maximumWorkPerPixel`` allows. Called
  /// once the image's size is known and has been checked. Nested pictures raise no limit: they may be many, and any of
  /// them may fail.
  public mutating func allowWork(forPixelCount count: Int) {
    guard depth == 0 else { return }
    let (units, overflow) = Int64(max(0, count)).multipliedReportingOverflow(by: limits.maximumWorkPerPixel)
    allowedWork = max(allowedWork, overflow ? .max : units)
    pixelCount = max(pixelCount, count)
  }

  /// Raises the work limit for an animation that is composed frame by frame: all canvases count as the pixels of one
  /// image, of at most ``DecodingLimits/maximumPixelCount``, or of more if the bytes that ``allowEncoding(ofByteCount:)``
  /// states pay for them.
  public mutating func allowWork(forFrameCount count: Int, canvas: PixelSize) {
    guard depth == 0 else { return }
    let pixels = Self.pixelCount(ofFrames: count, canvas: canvas)
    allowWork(forPixelCount: min(pixels, limits.maximumPixelCount))
    guard isPaid(framePixelCount: pixels) else { return }
    pixelCount = max(pixelCount, pixels)
    let (wanted, isHuge) = Int64(max(0, pixels)).multipliedReportingOverflow(by: limits.maximumWorkPerPixel)
    allowedWork = max(allowedWork, min(isHuge ? .max : wanted, paidWork(limits.maximumAnimationWorkPerByte)))
  }

  /// Checks the size of all frames of an animation that are composed by one call.
  ///
  /// - Throws: ``CodecError/Kind/limitExceeded`` if all canvases have more pixels together than
  ///   ``DecodingLimits/maximumSourcePixelCount``, and the bytes that ``allowEncoding(ofByteCount:)`` states do not pay for
  ///   them.
  package func checkFrames(count: Int, canvas: PixelSize) throws(CodecError) {
    let pixels = Self.pixelCount(ofFrames: count, canvas: canvas)
    if !isPaid(framePixelCount: pixels) { try checkSourceSize(width: pixels, height: 1) }
  }

  private static func pixelCount(ofFrames count: Int, canvas: PixelSize) -> Int {
    let (canvasPixels, canvasOverflow) = canvas.width.multipliedReportingOverflow(by: canvas.height)
    let (product, overflow) = canvasPixels.multipliedReportingOverflow(by: count)
    return canvasOverflow || overflow ? .max : product
  }

  /// Whether the bytes of the file pay for all frames. If they did not, the last frames would fail after all the work on
  /// the others.
  private func isPaid(framePixelCount: Int) -> Bool {
    paidWork(limits.maximumAnimationWorkPerByte) / Self.leastWorkPerFramePixel >= framePixelCount
  }

  /// The work of a pixel of an animation's canvas that a file must pay for: composing and resizing it.
  private static let leastWorkPerFramePixel: Int64 = 10

  /// The work that the bytes of the file pay for.
  private func paidWork(_ unitsEach: Int64) -> Int64 {
    let (units, overflow) = Int64(inputByteCount).multipliedReportingOverflow(by: unitsEach)
    return overflow ? .max : units
  }

  /// Throws unless this much work can still be done, and charges nothing. Stages whose cost is known before they begin
  /// call it, so that they do not fail halfway.
  ///
  /// - Throws: ``CodecError/Kind/limitExceeded``.
  public func requireWork(count: Int, unitsEach: Int) throws(CodecError) {
    let (units, overflow) = count.multipliedReportingOverflow(by: unitsEach)
    try requireWork(overflow ? .max : Int64(units))
  }

  /// Throws unless this many units of work can still be done, and charges nothing.
  ///
  /// - Throws: ``CodecError/Kind/limitExceeded``.
  public func requireWork(_ units: Int64) throws(CodecError) {
    guard units <= availableWork else {
      throw exceeded("the operation would exceed the limit of \(allowedWork) units of work", nil)
    }
  }

  /// The units of work that can still be done.
  public var availableWork: Int64 { max(0, allowedWork &- work) }

  /// Checks the work that was charged.
  ///
  /// - Parameter done: the work before that charge.
  @inline(never)
  private mutating func reachCheckpoint(_ byteOffset: Int?, done: Int64) throws(CodecError) {
    guard work <= allowedWork else {
      throw exceeded("decoding exceeds the limit of \(allowedWork) units of work", byteOffset)
    }
    try checkpoint(byteOffset: byteOffset, done: done)
    let (next, overflow) = work.addingReportingOverflow(Self.checkpointInterval)
    nextCheckpoint = min(overflow ? .max : next, allowedWork == .max ? .max : allowedWork &+ 1)
  }

  /// Throws if the caller has cancelled or the deadline has passed.
  ///
  /// - Throws: ``CodecError/Kind/cancelled`` or ``CodecError/Kind/deadlineExceeded``.
  public func checkpoint(byteOffset: Int? = nil) throws(CodecError) {
    try checkpoint(byteOffset: byteOffset, done: work)
  }

  private func checkpoint(byteOffset: Int?, done: Int64) throws(CodecError) {
    try interruption(done: done).check(byteOffset: byteOffset)
  }

  /// The checks of a checkpoint, for stages whose work has been charged.
  package var interruption: Interruption { interruption(done: work) }

  private func interruption(done: Int64) -> Interruption {
    var deadline: Interruption.Deadline?
    if let allowed = limits.deadline, let callStart {
      deadline = Interruption.Deadline(
        allowed: allowed, elapsed: elapsed, start: callStart, clock: clock, work: done)
    }
    return Interruption(shouldCancel: shouldCancel, deadline: deadline, format: format)
  }

  /// Resumes the clock. Sessions call this when they receive input.
  package mutating func resumeClock() {
    if limits.deadline != nil { callStart = clock(work) }
  }

  /// The limits of what is left: for stages that have a budget of their own, because they cannot be passed this one.
  package var remainingLimits: DecodingLimits {
    var remaining = limits
    remaining.maximumByteCount = availableByteCount
    remaining.maximumWork = availableWork
    if let deadline = limits.deadline, let callStart {
      remaining.deadline = max(.zero, deadline - elapsed - callStart.duration(to: clock(work)))
    }
    return remaining
  }

  /// Pauses the clock. Sessions call this when they return to their caller.
  package mutating func pauseClock() {
    if let callStart { elapsed += callStart.duration(to: clock(work)) }
    callStart = nil
  }
}

// MARK: Encoding

extension ResourceBudget {
  /// Creates the budget of an encoder that is called without one: what the pixels are worth. A bitmap is in memory
  /// already, so its size is the caller's choice, but the memory and the work of an encoder are in proportion to it.
  ///
  /// - Parameter pixelCount: the number of pixels of all pictures.
  package init(encoding pixelCount: Int, format: AssetType) {
    var limits = DecodingLimits.default
    func scaled(_ each: Int) -> Int {
      let (product, overflow) = max(0, pixelCount).multipliedReportingOverflow(by: each)
      return overflow ? .max : product
    }
    limits.maximumPixelCount = .max
    limits.maximumByteCount = max(limits.maximumByteCount, scaled(Self.encodingBytesPerPixel))
    limits.maximumWork = max(limits.maximumWork, Int64(clamping: scaled(Self.encodingWorkPerPixel)))
    self.init(limits, format: format)
  }

  /// More than any encoder needs for a pixel, with its output.
  private static let encodingBytesPerPixel = 160
  /// More than any encoder spends for a pixel. Searches for a size encode the picture up to eight times.
  private static let encodingWorkPerPixel = 20_000

  /// Allows encoders additional work for a file of this many bytes, as ``DecodingLimits/maximumEncodingWorkPerByte``
  /// states. Only ``encoding(_:)`` spends it. The frames of an animation may use more work too, as
  /// ``DecodingLimits/maximumAnimationWorkPerByte`` states.
  public mutating func allowEncoding(ofByteCount count: Int) {
    inputByteCount = max(0, count)
    encodingAllowance = paidWork(limits.maximumEncodingWorkPerByte)
  }

  /// The additional work that encoders may still do. All bytes of a file pay for it, but no more than one byte for each
  /// pixel does, so that long tails pay for nothing.
  private var availableEncodingAllowance: Int64 {
    let (units, overflow) = Int64(pixelCount).multipliedReportingOverflow(by: limits.maximumEncodingWorkPerByte)
    let spent = paidWork(limits.maximumEncodingWorkPerByte) - encodingAllowance
    return overflow ? encodingAllowance : min(encodingAllowance, max(0, units - spent))
  }

  /// Runs an encoder, which may spend the additional work that ``allowEncoding(ofByteCount:)`` allows. Decoding may not.
  public mutating func encoding<Result>(
    _ encode: (inout ResourceBudget) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    let (total, limit, workBefore) = (encodingAllowance, allowedWork, work)
    let allowance = availableEncodingAllowance
    let (raised, overflow) = limit.addingReportingOverflow(allowance)
    (allowedWork, encodingAllowance) = (overflow ? .max : raised, 0)
    defer {
      let spent = max(0, min(work &- workBefore, allowance))
      let (remaining, overflow) = limit.addingReportingOverflow(spent)
      (allowedWork, encodingAllowance) = (overflow ? .max : remaining, total - spent)
      nextCheckpoint = min(nextCheckpoint, work)
    }
    return try encode(&self)
  }
}

// MARK: Nested and parallel work

extension ResourceBudget {
  /// Enters a picture nested in the current one; ``ascend()`` leaves it.
  ///
  /// - Throws: ``CodecError/Kind/limitExceeded`` if the depth exceeds ``DecodingLimits/maximumNestingDepth``.
  public mutating func descend(byteOffset: Int? = nil) throws(CodecError) {
    guard depth < limits.maximumNestingDepth else {
      throw exceeded("pictures are nested more than \(limits.maximumNestingDepth) levels deep", byteOffset)
    }
    depth += 1
  }

  /// Leaves a nested picture.
  public mutating func ascend() {
    depth = max(0, depth - 1)
  }

  /// Returns a budget for one of several parallel stages. Each lane may spend all that is left of this budget;
  /// ``join(_:)`` then charges their total, so the outcome does not depend on the number of lanes.
  public func lane() -> ResourceBudget {
    var lane = self
    lane.peakByteCount = lane.heldByteCount
    lane.nextCheckpoint = lane.work
    return lane
  }

  /// Charges what the lanes spent. They must have been created by ``lane()`` since the last charge.
  ///
  /// - Throws: ``CodecError/Kind/limitExceeded`` if their total exceeds what was left.
  public mutating func join(_ lanes: [ResourceBudget]) throws(CodecError) {
    let (heldBefore, metadataBefore, chunksBefore, workBefore) = (
      heldByteCount, metadataByteCount, metadataChunkCount, work
    )
    for lane in lanes {
      metadataChunkCount += lane.metadataChunkCount - chunksBefore
      metadataByteCount += lane.metadataByteCount - metadataBefore
      let (sum, overflow) = work.addingReportingOverflow(lane.work &- workBefore)
      work = overflow ? .max : sum
      heldByteCount += lane.heldByteCount - heldBefore
      peakByteCount = max(peakByteCount, lane.peakByteCount, heldByteCount)
    }
    guard metadataByteCount <= limits.maximumMetadataByteCount else {
      throw exceeded("the metadata exceeds the limit of \(limits.maximumMetadataByteCount) bytes", nil)
    }
    try allocate(0)
    try chargeWork(0)
    guard work <= allowedWork else { throw exceeded("decoding exceeds the limit of \(allowedWork) units of work", nil) }
  }
}
