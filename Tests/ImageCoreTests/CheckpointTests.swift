// Deadlines and cancellation are noticed while the pixels of a whole bitmap are processed.

import ImageCore
import TestSupport
import Testing

@Suite struct CheckpointTests {
  /// Some rows of a large picture, and what is charged between two checkpoints at most: the interval and a row.
  private static let size = PixelSize(width: 1 << 18, height: 24)
  private static let allowed = Int64(250_000 + 4 * size.width)

  private func bitmap(_ format: PixelFormat) throws -> Bitmap {
    try Bitmap(width: Self.size.width, height: Self.size.height, format: format, limits: .unlimited)
  }

  @Test(arguments: [PixelFormat.bgra8, .gray8, .rgba16])
  func conversionsChargeRows(target: PixelFormat) throws {
    let intervals = WorkBetweenCheckpoints()
    var budget = intervals.makeBudget()
    var picture = try bitmap(.rgba8)
    try picture.convert(to: target, budget: &budget)
    #expect(picture.format == target)
    #expect(budget.work == Int64(4 * Self.size.width * Self.size.height))
    #expect(intervals.largest(upTo: budget) <= Self.allowed)
  }

  @Test(arguments: [ImageOrientation.down, .right, .leftMirrored])
  func turningChargesRows(orientation: ImageOrientation) throws {
    let intervals = WorkBetweenCheckpoints()
    var budget = intervals.makeBudget()
    var picture = try bitmap(.gray8)
    picture.orientation = orientation
    let upright = picture.orientedUp()
    try picture.applyOrientation(.apply, budget: &budget)
    #expect(picture == upright && budget.heldByteCount == 0)
    #expect(budget.work == Int64(2 * Self.size.width * Self.size.height))
    #expect(intervals.largest(upTo: budget) <= Self.allowed)
  }

  @Test func nothingIsDoneBeyondTheLimit() throws {
    var canvas = try bitmap(.rgba8)
    var budget = ResourceBudget(DecodingLimits(maximumWork: 15))
    #expect(throws: CodecError.self) { try canvas.convert(to: .bgra8, budget: &budget) }
    canvas.orientation = .right
    #expect(throws: CodecError.self) { try canvas.applyOrientation(.apply, budget: &budget) }
    #expect(budget.work == 0 && canvas.format == .rgba8 && canvas.orientation == .right)
    #expect(canvas.row(0).indices.allSatisfy { canvas.row(0)[$0] == 0 })
  }

  @Test func conversionsAreCancelled() throws {
    var picture = try bitmap(.rgba8)
    var budget = ResourceBudget(.default, shouldCancel: { true })
    #expect(throws: CodecError.self) { try picture.convert(to: .bgra8, budget: &budget) }
    #expect(budget.work <= Self.allowed)
  }

  @Test func workInPartsIsATotal() throws {
    let intervals = WorkBetweenCheckpoints()
    var budget = intervals.makeBudget()
    try budget.chargeWorkInParts(count: 333_333_333, unitsEach: 3)
    #expect(budget.work == 999_999_999)
    #expect(intervals.count >= 40 && intervals.largest(upTo: budget) <= 25_000_000)
    #expect(throws: CodecError.self) { try budget.chargeWorkInParts(count: 1_000_000_002, unitsEach: 1) }
    #expect(throws: CodecError.self) { try budget.chargeWorkInParts(count: .max, unitsEach: 2) }
  }

  @Test func anInterruptionIsACheckpoint() {
    let start = ContinuousClock.now
    var limits = DecodingLimits.default
    limits.deadline = .nanoseconds(1000)
    var budget = ResourceBudget(limits, clock: { start + .nanoseconds($0) })
    let early = budget.interruption
    #expect(throws: Never.self) { try early.check() }
    #expect(throws: Never.self) { try budget.chargeWork(1001) }
    let late = budget.interruption
    #expect(throws: CodecError.self) { try late.check() }
    #expect(throws: CodecError.self) { try budget.checkpoint() }
    // Rows of a thousand pixels are checked every 65.
    #expect(throws: Never.self) { for row in 1..<65 { try late.check(row: row, width: 1000) } }
    #expect(throws: CodecError.self) { try late.check(row: 65, width: 1000) }
  }
}
