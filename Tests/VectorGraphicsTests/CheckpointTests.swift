// Deadlines and cancellation are noticed while large shapes, layers and masks are drawn.

import ImageCore
import TestSupport
import Testing
import VectorGraphics

@Suite struct CheckpointTests {
  private let intervals = WorkBetweenCheckpoints()

  private func canvas(width: Int, height: Int, _ limits: DecodingLimits = .default) throws -> Canvas {
    try Canvas(
      bounds: PixelRect(x: 0, y: 0, width: width, height: height),
      budget: RasterBudget(resources: intervals.makeBudget(limits)))
  }

  private func zigzag(lineCount: Int, width: Double, height: Double) -> Path {
    var path = Path()
    path.move(to: .zero)
    for index in 1...lineCount {
      path.line(to: Point(x: index % 2 == 0 ? 0 : width, y: height * Double(index) / Double(lineCount)))
    }
    return path
  }

  @Test func layersAreChargedInParts() throws {
    // Nothing is allocated before anything is drawn.
    let bounds = PixelRect(x: 0, y: 0, width: 10_000, height: 10_000)
    var canvas = try canvas(width: 100, height: 100)
    try canvas.pushLayer(bounds: bounds)
    #expect(canvas.budget.resources.work == 2 * 800 + 3 * (10_000 + 100_000_000))
    #expect(intervals.largest(upTo: canvas.budget.resources) <= 25_000_000)
  }

  @Test func aLayerBeyondTheMemoryCostsNothing() throws {
    var canvas = try canvas(width: 100, height: 100, DecodingLimits(maximumByteCount: 1 << 20))
    let (work, held) = (canvas.budget.resources.work, canvas.budget.resources.heldByteCount)
    #expect(throws: CodecError.self) {
      try canvas.pushLayer(bounds: PixelRect(x: 0, y: 0, width: 1000, height: 1000))
    }
    #expect(canvas.budget.resources.work == work && canvas.budget.resources.heldByteCount == held)
  }

  @Test func clearingALayerIsInterrupted() throws {
    var canvas = try canvas(width: 1000, height: 1000)
    try canvas.pushLayer(bounds: canvas.bounds)
    let corner = Clip(bounds: PixelRect(x: 0, y: 0, width: 1, height: 1))
    try canvas.paint(.color(.white), compositing: Compositing(clip: corner))
    let count = intervals.count
    _ = try canvas.popLayer()
    #expect(intervals.count >= count + 14)
  }

  @Test func coveringALayerChargesRows() throws {
    var canvas = try canvas(width: 4000, height: 1000)
    let work = canvas.budget.resources.work
    try canvas.paint(.color(.white), compositing: Compositing(blendMode: .multiply))
    #expect(canvas.budget.resources.work - work >= 4_000_000 * 36)
    #expect(intervals.largest(upTo: canvas.budget.resources) <= 25_000_000)
  }

  @Test func longEdgesAreChargedInParts() throws {
    var canvas = try canvas(width: 4000, height: 50)
    try canvas.fill(zigzag(lineCount: 10_000, width: 4000, height: 50), paint: .color(.white))
    #expect(canvas.budget.resources.work >= 10_000 * 4000 * 16)
    #expect(intervals.largest(upTo: canvas.budget.resources) <= 25_000_000)
  }

  @Test func drawingEdgesIsInterrupted() throws {
    // One row is one band, after which its pixels are charged.
    var canvas = try canvas(width: 4000, height: 1)
    let bounds = canvas.bounds
    var path = Path()
    path.move(to: .zero)
    for _ in 0..<5_000 {
      path.line(to: Point(x: 4000, y: 1))
      path.line(to: .zero)
    }
    _ = try canvas.makeMask(path, bounds: bounds)
    // Ten thousand edges of four thousand cells, of which four million may be drawn between two checks: nine checks, of
    // which the first is at a different amount of work.
    #expect(intervals.mostBetweenCharges >= 8)
  }

  @Test func strokesChargeSegments() throws {
    let path = zigzag(lineCount: 500_000, width: 1, height: 1)
    var budget = RasterBudget(resources: intervals.makeBudget())
    let visible = Rect(x: 1000, y: 1000, width: 1, height: 1)
    _ = try path.stroked(StrokeStyle(width: 1), precision: .fine(scale: 1), visible: visible, budget: &budget)
    #expect(budget.resources.work >= 500_000 * 100)
    #expect(intervals.largest(upTo: budget.resources) <= 1_000_000)
  }

  @Test func dashesAreChargedAsTheyAreFound() throws {
    var path = Path()
    path.move(to: .zero)
    path.line(to: Point(x: 100_000, y: 0))
    var budget = RasterBudget(resources: intervals.makeBudget())
    var style = StrokeStyle(width: 1)
    style.dashes = [0.5, 0.5]
    let visible = Rect(x: 0, y: 1000, width: 1, height: 1)
    _ = try path.stroked(style, precision: .fine(scale: 1), visible: visible, budget: &budget)
    #expect(budget.resources.work >= 100_000 * 300 && budget.resources.work <= 100_010 * 300)
    #expect(intervals.largest(upTo: budget.resources) <= 1_000_000)
  }

  @Test func masksAreCombinedWithChecks() throws {
    let bounds = PixelRect(x: 0, y: 0, width: 1000, height: 1000)
    let budget = intervals.makeBudget()
    var mask = Mask(bounds: bounds, coverage: 100)
    func expectChecks(_ body: () throws -> Void) rethrows {
      let count = intervals.count
      try body()
      #expect(intervals.count >= count + 15)
    }
    try expectChecks { try mask.formUnion(Mask(bounds: bounds, coverage: 50), budget.interruption) }
    try expectChecks { _ = try mask.intersection(mask, budget.interruption) }
    try expectChecks { _ = try Mask(Layer(bounds: bounds), source: .luminance, budget.interruption) }
  }
}
