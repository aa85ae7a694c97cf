import ImageCore
import TestSupport
import Testing
import VectorGraphics

@Suite struct StrokeTests {
  private let bounds = PixelRect(minX: 0, minY: 0, maxX: 48, maxY: 48)

  /// With round joins and caps a stroke is everything within half of its width.
  @Test(arguments: [0.4, 1, 3, 9, 20.0])
  func roundStrokesAreDistances(width: Double) throws {
    var random = TestRandom(UInt64(width * 10))
    for _ in 0..<30 {
      let points = (0..<Int.random(in: 2...6, using: &random)).map { _ in random.point(-5...53) }
      let isClosed = Bool.random(using: &random)
      var path = Path()
      path.move(to: points[0])
      for point in points.dropFirst() { path.line(to: point) }
      if isClosed { path.close() }
      let lines = zip(points, points.dropFirst() + (isClosed ? [points[0]] : []))
      try check(path, width: width) { place in lines.map { distance(place, $0, $1) }.min() ?? 0 }
    }
  }

  @Test(arguments: [1.0, 6, 24])
  func strokesOfCurvesAreDistances(width: Double) throws {
    var random = TestRandom(UInt64(width))
    for _ in 0..<12 {
      let p = (0..<4).map { _ in random.point(0...48) }
      var path = Path()
      path.move(to: p[0])
      path.cubic(to: p[3], control1: p[1], control2: p[2])
      let places = (0...400).map { step in
        let t = Double(step) / 400
        let s = 1 - t
        return p[0] * (s * s * s) + p[1] * (3 * s * s * t) + p[2] * (3 * s * t * t) + p[3] * (t * t * t)
      }
      try check(path, width: width) { place in
        zip(places, places.dropFirst()).map { distance(place, $0, $1) }.min() ?? 0
      }
    }
  }

  /// Pixels clearly inside are covered, pixels clearly outside are not, those between have about the share that is inside.
  private func check(_ path: Path, width: Double, _ distance: (Point) -> Double) throws {
    var budget = RasterBudget()
    let outline = try path.stroked(
      StrokeStyle(width: width, cap: .round, join: .round), transform: .identity, budget: &budget)
    let mask = try coverage(outline, bounds)
    for y in bounds.minY..<bounds.maxY {
      for x in bounds.minX..<bounds.maxX {
        let center = distance(Point(x: Double(x) + 0.5, y: Double(y) + 0.5)) - width / 2
        let value = Int(mask[x, y])
        if center < -0.78 {
          #expect(value >= 254, "(\(x), \(y)): \(value) of \(path.points) \(path.verbs)")
        } else if center > 0.78 {
          #expect(value <= 1, "(\(x), \(y)): \(value) of \(path.points) \(path.verbs)")
        }
      }
    }
  }

  @Test func joinsHaveTheirAreas() throws {
    // A right angle at (20, 20), lines of 10 and a width of 4.
    var path = Path()
    path.move(to: Point(x: 10, y: 20))
    path.line(to: Point(x: 20, y: 20))
    path.line(to: Point(x: 20, y: 30))
    // Two rectangles that overlap in a square of 2 · 2, without the corner.
    let lines = 80.0 - 4
    #expect(abs(try area(path, StrokeStyle(width: 4, join: .miter)) - (lines + 4)) < 0.05)
    #expect(abs(try area(path, StrokeStyle(width: 4, join: .arcs)) - (lines + 4)) < 0.05)
    #expect(abs(try area(path, StrokeStyle(width: 4, join: .bevel)) - (lines + 2)) < 0.05)
    #expect(abs(try area(path, StrokeStyle(width: 4, join: .round)) - (lines + .pi)) < 0.1)
    // The miter's length is √2 widths.
    #expect(abs(try area(path, StrokeStyle(width: 4, join: .miter, miterLimit: 1.41)) - (lines + 2)) < 0.05)
    #expect(abs(try area(path, StrokeStyle(width: 4, join: .miter, miterLimit: 1.42)) - (lines + 4)) < 0.05)
    // Cut at 1.2 · 2 from the corner: the tip that is missing is a triangle of the height 2√2 - 2.4.
    let missing = 2 * 2.0.squareRoot() - 2.4
    #expect(
      abs(try area(path, StrokeStyle(width: 4, join: .miterClip, miterLimit: 1.2)) - (lines + 4 - missing * missing))
        < 0.05)
  }

  @Test func capsHaveTheirAreas() throws {
    var path = Path()
    path.move(to: Point(x: 10, y: 10))
    path.line(to: Point(x: 20, y: 20))
    let length = 200.0.squareRoot()
    #expect(abs(try area(path, StrokeStyle(width: 4, cap: .butt)) - length * 4) < 0.1)
    #expect(abs(try area(path, StrokeStyle(width: 4, cap: .square)) - (length + 4) * 4) < 0.1)
    #expect(abs(try area(path, StrokeStyle(width: 4, cap: .round)) - (length * 4 + 4 * .pi)) < 0.3)
  }

  @Test func subpathsWithoutLengthHaveCaps() throws {
    var dot = Path()
    dot.move(to: Point(x: 24, y: 24))
    dot.close()
    #expect(try area(dot, StrokeStyle(width: 6, cap: .butt)) == 0)
    #expect(abs(try area(dot, StrokeStyle(width: 6, cap: .square)) - 36) < 0.01)
    #expect(abs(try area(dot, StrokeStyle(width: 6, cap: .round)) - 9 * .pi) < 0.3)
    var lone = Path()
    lone.move(to: Point(x: 24, y: 24))
    #expect(try area(lone, StrokeStyle(width: 6, cap: .round)) == 0)
  }

  @Test func dashesHaveTheirLengths() throws {
    var line = Path()
    line.move(to: Point(x: 2, y: 10))
    line.line(to: Point(x: 42, y: 10))
    func length(_ dashes: [Double], _ offset: Double = 0) throws -> Double {
      try area(line, StrokeStyle(width: 2, dashes: dashes, dashOffset: offset)) / 2
    }
    #expect(abs(try length([5, 5]) - 20) < 0.01)
    #expect(abs(try length([6]) - 22) < 0.01)
    #expect(abs(try length([4, 2, 1]) - 20) < 0.01)
    #expect(abs(try length([10, 30], 5) - 10) < 0.01)
    #expect(abs(try length([10, 30], -35) - 10) < 0.01)
    #expect(try length([0, 0]) == 40)
    #expect(try length([-1, 2]) == 40)
    #expect(try length([1e-9, 1e-9]) == 40)
    var square = Path(Rect(x: 10, y: 10, width: 20, height: 20))
    // The dash over the start is one with the one before the end: the corner there is joined.
    #expect(abs(try area(square, StrokeStyle(width: 4, dashes: [10, 70], dashOffset: 5)) - 40) < 0.05)
    square = square.transformed(by: .translation(x: 3, y: 2))
    #expect(abs(try area(square, StrokeStyle(width: 2, dashes: [200, 1])) - 160) < 0.05)
  }

  @Test func strokesAreShapedBeforeTheTransform() throws {
    var path = Path()
    path.move(to: Point(x: 1, y: 4))
    path.line(to: Point(x: 1, y: 8))
    var canvas = try Canvas(bounds: bounds)
    try canvas.stroke(
      path, style: StrokeStyle(width: 1), transform: .scale(x: 20, y: 2), paint: .color(.black))
    for y in 0..<20 {
      for x in 0..<40 { #expect((canvas.layer[x, y] != 0) == (x >= 10 && x < 30 && y >= 8 && y < 16)) }
    }
  }

  @Test func enormousDashCountsAreSolidOrALimit() throws {
    var path = Path()
    path.move(to: Point(x: 0, y: 10))
    path.line(to: Point(x: 1e8, y: 10))
    for dash in [1e-12, 0.001, 60, 150, 1e6] {
      var canvas = try Canvas(bounds: bounds)
      try canvas.stroke(
        path, style: StrokeStyle(width: 2, cap: .round, dashes: [dash, dash]), paint: .color(.black))
      #expect(canvas.layer[1, 10] == 0xFF00_0000)
    }
  }

  private func area(_ path: Path, _ style: StrokeStyle) throws -> Double {
    var budget = RasterBudget()
    let outline = try path.stroked(style, transform: .identity, budget: &budget)
    return try coverage(outline, bounds).coverage.reduce(0) { $0 + Double($1) / 255 }
  }
}
