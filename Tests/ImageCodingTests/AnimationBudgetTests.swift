// The budget of a call that composes all frames of an animation.

import ImageCoding
import Testing
import Threading

/// Frames that cover the canvas and cost a stated amount of work each.
private final class CostlyFrames: AnimationFrames {
  let canvasSize: PixelSize
  let canvasFormat = PixelFormat.rgba8
  let loopCount = LoopCount.infinite
  let options: DecodingOptions
  let frames: [AnimationFrameInfo]
  private let workPerFrame: Int
  let drawnCount = Mutex(0)

  init(
    count: Int, canvas: PixelSize = PixelSize(width: 1, height: 1), workPerFrame: Int,
    disposal: AnimationFrameInfo.Disposal = .keep, limits: DecodingLimits = .default
  ) {
    canvasSize = canvas
    self.workPerFrame = workPerFrame
    options = DecodingOptions(limits: limits)
    frames = (0..<count).map { _ in
      AnimationFrameInfo(
        region: PixelRegion(x: 0, y: 0, width: canvas.width, height: canvas.height), storedDelay: .milliseconds(10),
        disposal: disposal, blend: .over)
    }
  }

  func draw(
    frameAt index: Int, onto canvas: inout Bitmap, budget: inout ResourceBudget
  ) throws(CodecError) -> [ImageDiagnostic] {
    drawnCount.withLock { $0 += 1 }
    // Left behind, as by decoders that do not credit their buffers.
    try budget.allocate(100)
    try budget.chargeWork(workPerFrame)
    return []
  }
}

@Suite struct AnimationBudgetTests {
  private func play(_ frames: CostlyFrames, _ budget: inout ResourceBudget) throws(CodecError) -> Int {
    var cursor = AnimationCursor(frames)
    var count = 0
    while try cursor.next(budget: &budget) != nil { count += 1 }
    cursor.release(to: &budget)
    return count
  }

  @Test func workIsATotal() throws {
    let limits = DecodingLimits(maximumWork: 10_000_000)
    var budget = ResourceBudget(limits)
    #expect(try play(CostlyFrames(count: 9, workPerFrame: 1_000_000), &budget) == 9)
    #expect(budget.work == 9 * 1_000_001)
    #expect(budget.heldByteCount == 0)
    let many = CostlyFrames(count: 50, workPerFrame: 1_000_000)
    budget = ResourceBudget(limits)
    let error = #expect(throws: CodecError.self) { try play(many, &budget) }
    #expect(error?.kind == .limitExceeded)
    #expect(many.drawnCount.withLock { $0 } == 10)
    // Frames that are requested one by one are separate calls.
    var cursor = AnimationCursor(CostlyFrames(count: 50, workPerFrame: 1_000_000, limits: limits))
    var count = 0
    while try cursor.next() != nil { count += 1 }
    #expect(count == 50)
  }

  @Test func theWorkLimitGrowsWithAllCanvasesUpToTheLargestImage() throws {
    // 100 canvases of 100 pixels, and 30 units for each.
    let canvas = PixelSize(width: 10, height: 10)
    let limits = DecodingLimits(maximumPixelCount: 10_000, maximumWork: 1000)
    var budget = ResourceBudget(limits)
    #expect(try play(CostlyFrames(count: 100, canvas: canvas, workPerFrame: 2_800), &budget) == 100)
    budget = ResourceBudget(limits)
    #expect(throws: CodecError.self) {
      try play(CostlyFrames(count: 100, canvas: canvas, workPerFrame: 3_100), &budget)
    }
    // More frames may not cost more.
    budget = ResourceBudget(limits)
    let error = #expect(throws: CodecError.self) {
      try play(CostlyFrames(count: 200, canvas: canvas, workPerFrame: 2_000), &budget)
    }
    #expect(error?.kind == .limitExceeded)
  }

  @Test func theBytesOfTheFilePayForMoreFrames() throws {
    let canvas = PixelSize(width: 10, height: 10)
    let limits = DecodingLimits(maximumPixelCount: 1000, maximumWork: 1000, maximumAnimationWorkPerByte: 50)
    func play(_ count: Int, workPerFrame: Int, byteCount: Int) throws -> Int64 {
      var budget = ResourceBudget(limits)
      budget.allowEncoding(ofByteCount: byteCount)
      _ = try self.play(CostlyFrames(count: count, canvas: canvas, workPerFrame: workPerFrame), &budget)
      return budget.work
    }
    // 300 canvases of 100 pixels are allowed 30 units for each pixel, of which the largest image has 30,000.
    #expect(throws: CodecError.self) { try play(300, workPerFrame: 2_000, byteCount: 12_000) }
    #expect(try play(300, workPerFrame: 2_000, byteCount: 12_600) == 300 * 2_100)
    // No file pays for more than that.
    #expect(throws: CodecError.self) { try play(300, workPerFrame: 3_000, byteCount: 1_000_000) }
    // Bytes that pay for 10 units of no more than half of the frames pay for none.
    #expect(throws: CodecError.self) { try play(300, workPerFrame: 400, byteCount: 2_900) }
    #expect(try play(300, workPerFrame: 900, byteCount: 6_000) == 300 * 1_000)
    // Few bytes take nothing away.
    #expect(try play(10, workPerFrame: 2_000, byteCount: 1) == 10 * 2_100)
  }

  @Test func theDeadlineIsThatOfAllFrames() throws {
    let start = ContinuousClock.now
    let limits = DecodingLimits(deadline: .milliseconds(20))
    var budget = ResourceBudget(limits, clock: { work in start.advanced(by: .nanoseconds(work)) })
    let frames = CostlyFrames(count: 100, workPerFrame: 1_000_000)
    let error = #expect(throws: CodecError.self) { try play(frames, &budget) }
    #expect(error?.kind == .deadlineExceeded)
    #expect((20...22).contains(frames.drawnCount.withLock { $0 }))
  }

  @Test func everyFrameIsACheckpoint() throws {
    let checks = Mutex(0)
    var budget = ResourceBudget(
      .default,
      shouldCancel: {
        checks.withLock { $0 += 1 }
        return checks.withLock { $0 } > 7
      })
    let frames = CostlyFrames(count: 100, workPerFrame: 0)
    let error = #expect(throws: CodecError.self) { try play(frames, &budget) }
    #expect(error?.kind == .cancelled)
    #expect(frames.drawnCount.withLock { $0 } <= 7)
  }

  @Test func theCanvasIsHeldOnceAndACopyIfAFrameRestoresIt() throws {
    let canvas = PixelSize(width: 10, height: 10)
    for (disposal, expected) in [(AnimationFrameInfo.Disposal.keep, 400), (.restorePrevious, 800)] {
      var budget = ResourceBudget(.default)
      let frames = CostlyFrames(count: 20, canvas: canvas, workPerFrame: 1, disposal: disposal)
      #expect(try play(frames, &budget) == 20)
      #expect(budget.peakByteCount == expected + 100)
      #expect(budget.heldByteCount == 0)
    }
  }

  /// Each call without a budget is charged for the canvas, for the copy, and here for 100 bytes more.
  @Test func theCopyCountsInCallsWithoutABudgetToo() throws {
    for (limit, isEnough) in [(899, false), (900, true)] {
      let frames = CostlyFrames(
        count: 2, canvas: PixelSize(width: 10, height: 10), workPerFrame: 1, disposal: .restorePrevious,
        limits: DecodingLimits(maximumByteCount: limit))
      var cursor = AnimationCursor(frames)
      #expect(((try? cursor.next()) != nil) == isEnough)
    }
  }

  @Test func aSeekSpendsTheCallersBudget() throws {
    let animation = try ComposedAnimation(CostlyFrames(count: 10, workPerFrame: 1_000_000))
    var budget = ResourceBudget(.default)
    #expect(try animation.frame(at: 9, budget: &budget).pixelSize == PixelSize(width: 1, height: 1))
    #expect(budget.work == 10_000_000)
    #expect(budget.heldByteCount == 4)
    // The same frame is cached.
    _ = try animation.frame(at: 9, budget: &budget)
    #expect(budget.work == 10_000_000)
    #expect(budget.heldByteCount == 8)
  }
}

@Suite struct EncodingAllowanceTests {
  @Test func onlyEncodersSpendIt() throws {
    var budget = ResourceBudget(
      DecodingLimits(maximumWork: 1000, maximumWorkPerPixel: 0, maximumEncodingWorkPerByte: 10))
    budget.allowEncoding(ofByteCount: 200)
    budget.allowWork(forPixelCount: 200)
    #expect(throws: CodecError.self) { try budget.requireWork(count: 1001, unitsEach: 1) }
    try budget.encoding { (budget) throws(CodecError) in
      try budget.requireWork(count: 3000, unitsEach: 1)
      try budget.chargeWork(1500)
    }
    // The spent work is not credited, and the rest is for encoders.
    #expect(budget.availableWork == 1000)
    #expect(throws: CodecError.self) { try budget.requireWork(count: 1001, unitsEach: 1) }
    try budget.encoding { (budget) throws(CodecError) in try budget.chargeWork(500) }
    #expect(budget.availableWork == 1000)
    #expect(throws: CodecError.self) {
      try budget.encoding { (budget) throws(CodecError) in try budget.chargeWork(1001) }
    }
  }

  @Test func bytesWithoutPixelsPayForNothing() throws {
    var budget = ResourceBudget(
      DecodingLimits(maximumWork: 1000, maximumWorkPerPixel: 0, maximumEncodingWorkPerByte: 10))
    budget.allowEncoding(ofByteCount: 1_000_000)
    budget.allowWork(forPixelCount: 150)
    try budget.encoding { (budget) throws(CodecError) in
      #expect(budget.availableWork == 2500)
      try budget.chargeWork(1000)
    }
    try budget.encoding { (budget) throws(CodecError) in
      #expect(budget.availableWork == 1500)
      try budget.chargeWork(500)
    }
    try budget.encoding { (budget) throws(CodecError) in #expect(budget.availableWork == 1000) }
    // The frames of an animation count together.
    budget.allowWork(forFrameCount: 3, canvas: PixelSize(width: 10, height: 10))
    try budget.encoding { (budget) throws(CodecError) in #expect(budget.availableWork == 2500) }
  }

  @Test func requiredWorkIsNotCharged() throws {
    var budget = ResourceBudget(DecodingLimits(maximumWork: 1000))
    try budget.requireWork(count: 100, unitsEach: 10)
    let error = #expect(throws: CodecError.self) { try budget.requireWork(count: 101, unitsEach: 10) }
    #expect(error?.kind == .limitExceeded)
    #expect(throws: CodecError.self) { try budget.requireWork(count: .max, unitsEach: 2) }
    #expect(budget.work == 0)
    try budget.chargeWork(600)
    #expect(throws: CodecError.self) { try budget.requireWork(count: 401, unitsEach: 1) }
  }
}
