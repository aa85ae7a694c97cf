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
    for _ in 0..<24 {
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

  /// Pixels clearly inside are covered, pixels clearly outside are not, those between have about the share that is
  /// inside.
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

  /// The distance between every point of the outline and a curve that is not tighter than the stroke is half of the
  /// width.
  @Test func parallelsKeepTheirDistance() throws {
    var random = TestRandom(21)
    var count = 0
    while count < 20 {
      let p = (0..<4).map { _ in random.point(0...200) }
      let scale = random.number(0.3...4)
      let width = random.number(0.5...12)
      let places = (0...600).map { cubicPoint(p, Double($0) / 600) }
      // Nor does the curve come near itself: it always goes the same way.
      let way = p[3] - p[0]
      guard tightestTurn(places) > width, zip(places, places.dropFirst()).allSatisfy({ ($1 - $0).dot(way) > 0 }) else {
        continue
      }
      count += 1
      var path = Path()
      path.move(to: p[0])
      path.cubic(to: p[3], control1: p[1], control2: p[2])
      var budget = RasterBudget()
      let outline = try path.stroked(
        StrokeStyle(width: width), transform: .scale(x: scale, y: scale), budget: &budget)
      // Half of the width, within what a pixel's neighbour would see; caps and the steps of this test apart.
      let tolerance = 0.06 / scale
      for case .quad(let from, let control, let to) in outline.segments {
        for step in 0...4 {
          let t = Double(step) / 4
          let place = from * ((1 - t) * (1 - t)) + control * (2 * t * (1 - t)) + to * (t * t)
          let away = zip(places, places.dropFirst()).map { distance(place, $0, $1) }.min() ?? 0
          #expect(abs(away - width / 2) < tolerance)
        }
      }
    }
  }

  @Test func cuspsAreRound() throws {
    // The tip at (24, 13) is where the curve stands still and turns round.
    var path = Path()
    path.move(to: Point(x: 14, y: 40))
    path.cubic(to: Point(x: 34, y: 40), control1: Point(x: 34, y: 4), control2: Point(x: 14, y: 4))
    var canvas = try Canvas(bounds: bounds)
    try canvas.stroke(path, style: StrokeStyle(width: 6), paint: .color(.black))
    for y in 0..<48 {
      for x in 0..<48 {
        let away = (Point(x: Double(x) + 0.5, y: Double(y) + 0.5) - Point(x: 24, y: 13)).length
        if away < 2.2 { #expect(canvas.layer[x, y] == 0xFF00_0000) }
        if y < 13, away > 3.8 { #expect(canvas.layer[x, y] == 0) }
      }
    }
  }

  /// A curve whose control points are on one line goes to its turns and back, with round joins there.
  @Test func straightCurvesAreLines() throws {
    var path = Path()
    path.move(to: Point(x: 20, y: 24))
    path.quad(to: Point(x: 20, y: 24), control: Point(x: 40, y: 24))
    // It turns at (30, 24).
    #expect(abs(try area(path, StrokeStyle(width: 4)) - (40 + 2 * .pi)) < 0.1)
    path = Path()
    path.move(to: Point(x: 20, y: 24))
    path.cubic(to: Point(x: 30, y: 24), control1: Point(x: 22, y: 24), control2: Point(x: 27, y: 24))
    #expect(abs(try area(path, StrokeStyle(width: 4)) - 40) < 0.05)
    path = Path()
    path.move(to: Point(x: 20, y: 24))
    path.cubic(to: Point(x: 20, y: 24), control1: Point(x: 20, y: 24), control2: Point(x: 20, y: 24))
    #expect(try area(path, StrokeStyle(width: 4)) == 0)
    #expect(abs(try area(path, StrokeStyle(width: 4, cap: .square)) - 16) < 0.01)
  }

  @Test func dashesOfACircleHaveTheirAngles() throws {
    var circle = Path()
    circle.addEllipse(center: Point(x: 24, y: 24), radiusX: 16, radiusY: 16)
    let step = 2 * Double.pi * 16 / 12
    var canvas = try Canvas(bounds: bounds)
    try canvas.stroke(
      circle, style: StrokeStyle(width: 4, dashes: [step, step], dashOffset: step / 2), paint: .color(.black))
    // Dashes of 30 degrees, the first about the start on the right.
    for degree in stride(from: 0.0, to: 360, by: 3) where abs(abs((degree + 15).remainder(dividingBy: 30)) - 0) > 4 {
      let angle = degree * .pi / 180
      let place = Point(x: 24, y: 24) + Point(x: 16 * cosine(angle), y: 16 * cosine(angle - .pi / 2))
      let isDash = Int(((degree + 15) / 30).rounded(.down)) % 2 == 0
      #expect((canvas.layer[Int(place.x), Int(place.y)] >> 24 > 127) == isDash, "\(degree)")
    }
  }

  private func cubicPoint(_ p: [Point], _ t: Double) -> Point {
    let s = 1 - t
    return p[0] * (s * s * s) + p[1] * (3 * s * s * t) + p[2] * (3 * s * t * t) + p[3] * (t * t * t)
  }

  /// The smallest radius of the circles through three neighbours.
  private func tightestTurn(_ places: [Point]) -> Double {
    var least = Double.infinity
    for index in 1..<places.count - 1 {
      let a = places[index] - places[index - 1]
      let b = places[index + 1] - places[index]
      let area = abs(a.cross(b))
      if area > 0 { least = min(least, a.length * b.length * (a + b).length / (2 * area)) }
    }
    return least
  }

  private func cosine(_ angle: Double) -> Double {
    AffineTransform.rotation(angle).a
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
