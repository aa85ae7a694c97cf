import ImageCore
import TestSupport
import Testing
import VectorGraphics

@Suite struct PathTests {
  /// Points along a curve, by de Casteljau's construction.
  private func points(_ segment: PathSegment) -> [Point] {
    guard case .cubic(let a, let b, let c, let d) = segment else { return [] }
    return (0...64).map { step in
      let t = Double(step) / 64
      var p = [a, b, c, d]
      while p.count > 1 { p = zip(p, p.dropFirst()).map { $0.interpolated(to: $1, at: t) } }
      return p[0]
    }
  }

  @Test func subpathsAlwaysStartWithAMove() {
    var path = Path()
    path.line(to: Point(x: 1, y: 2))
    path.close()
    path.line(to: Point(x: 5, y: 6))
    #expect(path.verbs == [.move, .line, .close, .move, .line])
    #expect(path.points == [Point(x: 1, y: 2), Point(x: 1, y: 2), Point(x: 1, y: 2), Point(x: 5, y: 6)])
    #expect(path.currentPoint == Point(x: 5, y: 6))
  }

  /// All points of an arc are on one ellipse of the given axes through both ends, on the side that the flags choose.
  @Test func arcsLieOnTheirEllipse() {
    var random = TestRandom(9)
    for _ in 0..<500 {
      let from = random.point(-50...50)
      let end = random.point(-50...50)
      let (rx, ry) = (random.number(80...200), random.number(80...200))
      let angle = random.number(-7...7)
      let isLarge = Bool.random(using: &random)
      let isSweep = Bool.random(using: &random)
      var path = Path()
      path.move(to: from)
      path.arc(to: end, radiusX: rx, radiusY: ry, rotation: angle, isLarge: isLarge, isSweep: isSweep)
      #expect(path.currentPoint == end)
      // In the ellipse's own space it is a circle of radius 1.
      let toUnit = AffineTransform.scale(x: 1 / rx, y: 1 / ry) * .rotation(-angle)
      let curve = path.segments.flatMap(points).map(toUnit.apply)
      guard let first = curve.first, let last = curve.last else { continue }
      let half = (last - first) * 0.5
      let height = max(0, 1 - half.dot(half)).squareRoot()
      let isOnPositiveSide = isLarge != isSweep
      let center =
        first.interpolated(to: last, at: 0.5)
        + (half.normalized ?? .zero).perpendicular * (isOnPositiveSide ? height : -height)
      let turn = zip(curve, curve.dropFirst()).reduce(0) { sum, line in
        sum + (line.0 - center).cross(line.1 - center)
      }
      for point in curve { #expect(abs((point - center).length - 1) < 1e-3) }
      #expect((turn > 0) == isSweep)
      #expect((abs(turn) > .pi) == isLarge)
    }
  }

  @Test func arcsWithoutAnEllipseAreLines() {
    for radius in [0, .nan, .infinity] {
      var path = Path()
      path.move(to: .zero)
      path.arc(
        to: Point(x: 5, y: 5), radiusX: radius, radiusY: 4, rotation: 0, isLarge: false, isSweep: true)
      #expect(path.verbs == [.move, .line])
    }
    // Radii that are too small are enlarged until they reach: a half circle.
    var path = Path()
    path.move(to: .zero)
    path.arc(to: Point(x: 20, y: 0), radiusX: 1, radiusY: 1, rotation: 0, isLarge: false, isSweep: true)
    let box = path.bounds
    #expect(abs((box?.minY ?? 0) + 10) < 0.01 && abs(box?.maxY ?? 1) < 1e-9)
  }

  @Test func boundsAreThoseOfTheCurve() {
    var random = TestRandom(1)
    for _ in 0..<300 {
      let p = (0..<4).map { _ in random.point(-10...10) }
      var path = Path()
      path.move(to: p[0])
      path.cubic(to: p[3], control1: p[1], control2: p[2])
      let places = path.segments.flatMap(points)
      guard let box = path.bounds else {
        Issue.record("no bounds")
        return
      }
      #expect(abs(box.minX - (places.map(\.x).min() ?? 0)) < 0.02)
      #expect(abs(box.maxX - (places.map(\.x).max() ?? 0)) < 0.02)
      #expect(abs(box.minY - (places.map(\.y).min() ?? 0)) < 0.02)
      #expect(abs(box.maxY - (places.map(\.y).max() ?? 0)) < 0.02)
      #expect(box.minX <= (places.map(\.x).min() ?? 0) + 1e-9)
      #expect(box.maxY >= (places.map(\.y).max() ?? 0) - 1e-9)
    }
  }

  @Test func lengthsAndPlacesAlongAPath() {
    var path = Path(Rect(x: 10, y: 10, width: 30, height: 20))
    var measure = PathMeasure(path)
    #expect(measure.length == 100)
    #expect(measure.location(at: 35)?.point == Point(x: 40, y: 15))
    #expect(measure.location(at: 35)?.tangent == Point(x: 0, y: 1))
    #expect(measure.location(at: 100)?.point == Point(x: 10, y: 10))
    #expect(measure.location(at: 100.1) == nil)
    #expect(measure.location(at: -0.1) == nil)
    path = Path()
    path.addEllipse(center: Point(x: 3, y: 4), radiusX: 50, radiusY: 50)
    measure = PathMeasure(path)
    #expect(abs(measure.length - 100 * .pi) < 0.1)
    let quarter = measure.location(at: measure.length / 4)
    #expect(abs((quarter?.point.x ?? 0) - 3) < 0.1 && abs((quarter?.point.y ?? 0) - 54) < 0.1)
    #expect(abs((quarter?.tangent.x ?? 0) + 1) < 0.02)
    #expect(PathMeasure(Path()).location(at: 0) == nil)
  }

  @Test func curvesAreMeasuredAsTheirIntegralSays() throws {
    var path = Path()
    path.move(to: .zero)
    path.quad(to: Point(x: 2, y: 0), control: Point(x: 1, y: 2))
    let measure = PathMeasure(path)
    // √5 + arsinh(2) / 2.
    #expect(abs(measure.length - 2.957_885_715_089_195) < 1e-9)
    let top = try #require(measure.location(at: measure.length / 2))
    #expect(abs(top.point.x - 1) < 1e-6 && abs(top.point.y - 1) < 1e-6)
    #expect(abs(top.tangent.x - 1) < 1e-6 && abs(top.tangent.y) < 1e-5)
  }

  @Test func transformsInvert() throws {
    let transform = AffineTransform(2, 0.5, -1, 3, 7, -4)
    let inverse = try #require(transform.inverted)
    let point = Point(x: 3.25, y: -8.5)
    let back = inverse.apply(transform.apply(point))
    #expect((back - point).length < 1e-12)
    #expect(AffineTransform(1, 2, 2, 4, 0, 0).inverted == nil)
    #expect(AffineTransform(1e-200, 0, 0, 1e-200, 0, 0).inverted == nil)
    let (large, small) = (transform.maximumScale, transform.minimumScale)
    #expect(abs(large * small - 6.5) < 1e-9)
    for step in 0..<100 {
      let angle = Double(step) / 10
      let length = transform.applyToVector(AffineTransform.rotation(angle).apply(Point(x: 1, y: 0))).length
      #expect(length <= large + 1e-9 && length >= small - 1e-9)
    }
  }
}
