// Work and time: what a budget allows for an image, and the checkpoints for cancellation and the deadline.

extension ResourceBudget {
  /// The work between two checkpoints, about a quarter of a millisecond.
  private static let checkpointInterval: Int64 = 250_000
  /// The most work that is charged at a time if its checkpoints are elsewhere.
  private static let largestPart = 25_000_000

  /// Charges work that is about to be done. Checks for cancellation and the deadline every 250,000 units.
  ///
  /// The work of one charge is done without a check, and must not exceed 100 million units: rows and portions are
  /// charged one by one.
  ///
  /// - Parameters:
  ///   - units: about a nanosecond each; must depend only on the input.
  ///   - byteOffset: the offset that errors state; `nil` if no bytes are at fault.
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
  /// later, among other work, or that is charged after it was done. It is not taken for work between two checkpoints,
  /// as that of a single charge is.
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

  /// Raises the work limit for following the coded data of an image without decoding it, which takes a share of the work
  /// of decoding. The size need not have been checked: no image of more pixels than
  /// ``DecodingLimits/maximumSourcePixelCount`` can be decoded.
  ///
  /// - Parameter divisor: 2 for half of the work of decoding.
  package mutating func allowWork(forDataOf size: PixelSize, divisor: Int = 1) {
    let (count, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    allowWork(forPixelCount: min(overflow ? .max : count, limits.maximumSourcePixelCount) / divisor)
  }

  /// Raises the work limit for an image whose pixels are decoded one by one: its bytes pay for the work, as those of
  /// an animation do, up to a number of units for each pixel. A limit of no work per pixel allows nothing here either.
  package mutating func allowWork(forPixelCount count: Int, unitsEach: Int, byteCount: Int) {
    guard depth == 0, limits.maximumWorkPerPixel > 0 else { return }
    let (wanted, overflow) = Int64(max(0, count)).multipliedReportingOverflow(by: Int64(max(0, unitsEach)))
    let (paid, isHuge) = Int64(max(0, byteCount)).multipliedReportingOverflow(by: limits.maximumAnimationWorkPerByte)
    allowedWork = max(allowedWork, min(overflow ? .max : wanted, isHuge ? .max : paid))
  }

  /// Raises the work limit for an animation that is composed frame by frame: all canvases count as the pixels of one
  /// image, of at most ``DecodingLimits/maximumPixelCount``, or of more if the bytes that
  /// ``allowEncoding(ofByteCount:)`` states pay for them.
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
  ///   ``DecodingLimits/maximumSourcePixelCount``, and the bytes that ``allowEncoding(ofByteCount:)`` states do not pay
  ///   for them.
  package func checkFrames(count: Int, canvas: PixelSize) throws(CodecError) {
    let pixels = Self.pixelCount(ofFrames: count, canvas: canvas)
    if !isPaid(framePixelCount: pixels) { try checkSourceSize(width: pixels, height: 1) }
  }

  private static func pixelCount(ofFrames count: Int, canvas: PixelSize) -> Int {
    let (canvasPixels, canvasOverflow) = canvas.width.multipliedReportingOverflow(by: canvas.height)
    let (product, overflow) = canvasPixels.multipliedReportingOverflow(by: count)
    return canvasOverflow || overflow ? .max : product
  }

  /// Whether the bytes of the file pay for all frames. If they did not, the last frames would fail after all the work
  /// on the others.
  private func isPaid(framePixelCount: Int) -> Bool {
    paidWork(limits.maximumAnimationWorkPerByte) / Self.leastWorkPerFramePixel >= framePixelCount
  }

  /// The work of a pixel of an animation's canvas that a file must pay for: composing and resizing it.
  private static let leastWorkPerFramePixel: Int64 = 10

  /// The work that the bytes of the file pay for.
  func paidWork(_ unitsEach: Int64) -> Int64 {
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
      throw exceeded(.work, "the operation would exceed the limit of \(allowedWork) units of work", nil)
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
      throw exceedsWork(byteOffset)
    }
    try checkpoint(byteOffset: byteOffset, done: done)
    let (next, overflow) = work.addingReportingOverflow(Self.checkpointInterval)
    nextCheckpoint = min(overflow ? .max : next, allowedWork == .max ? .max : allowedWork &+ 1)
  }

  func exceedsWork(_ byteOffset: Int?) -> CodecError {
    exceeded(.work, "decoding exceeds the limit of \(allowedWork) units of work", byteOffset)
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

  /// The limits of what is left: for stages that have a separate budget, because they cannot be passed this one.
  package var remainingLimits: DecodingLimits {
    var remaining = limits
    remaining.maximumByteCount = availableByteCount
    remaining.maximumWork = availableWork
    if let deadline = limits.deadline, let callStart {
      remaining.deadline = max(.zero, deadline - elapsed - callStart.duration(to: clock(work)))
    }
    return remaining
  }

  /// Runs a step that reads headers or metadata, perhaps one of several attempts. Its work counts as the caller's; the
  /// memory that it holds is credited at its end, and the metadata that it reads is not counted.
  ///
  /// - Parameter limits: those of sizes and metadata that apply to the step.
  package mutating func reading<Result>(
    _ limits: DecodingLimits, as format: AssetType?,
    _ body: (inout ResourceBudget) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    var step = ResourceBudget(
      limits, format: format, bufferPool: bufferPool, shouldCancel: shouldCancel, clock: clock)
    (step.heldByteCount, step.peakByteCount, step.depth) = (heldByteCount, peakByteCount, depth)
    (step.work, step.allowedWork, step.nextCheckpoint) = (work, allowedWork, nextCheckpoint)
    (step.elapsed, step.callStart) = (elapsed, callStart)
    defer {
      work = step.work
      peakByteCount = step.peakByteCount
    }
    return try body(&step)
  }

  /// Pauses the clock. Sessions call this when they return to their caller.
  package mutating func pauseClock() {
    if let callStart { elapsed += callStart.duration(to: clock(work)) }
    callStart = nil
  }
}
