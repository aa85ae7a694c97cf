// Deadlines, cancellation and limits are noticed while large frames are drawn.

import ImageCoding
import TestSupport
import Testing

@Suite struct FrameBlendingTests {
  @Test(arguments: [AnimationFrameInfo.Blend.over, .replace])
  func framesAreDrawnByRows(blend: AnimationFrameInfo.Blend) throws {
    let size = PixelSize(width: 1 << 18, height: 24)
    let intervals = WorkBetweenCheckpoints()
    var budget = intervals.makeBudget()
    var canvas = try Bitmap(width: size.width, height: size.height, format: .rgba8, limits: .unlimited)
    let frame = canvas
    try canvas.draw(frame, atX: 0, y: 0, blend: blend, budget: &budget)
    #expect(budget.work == Int64(4 * size.width * size.height))
    // The interval between checkpoints and a row.
    #expect(intervals.largest(upTo: budget) <= Int64(250_000 + 4 * size.width))
  }

  @Test func nothingIsDrawnBeyondTheLimit() throws {
    var canvas = try Bitmap(width: 4, height: 4, format: .rgba8)
    let frame = try Bitmap(width: 2, height: 2, format: .rgba8, pixels: [UInt8](repeating: 255, count: 16))
    var budget = ResourceBudget(DecodingLimits(maximumWork: 15))
    #expect(throws: CodecError.self) { try canvas.draw(frame, atX: 0, y: 0, blend: .over, budget: &budget) }
    #expect(budget.work == 0)
    #expect(canvas.row(0).indices.allSatisfy { canvas.row(0)[$0] == 0 })
  }
}
