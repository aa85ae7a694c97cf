import ImageCore
import TestSupport
import Testing
import VectorGraphics

/// Pixels in which contours cancel, overlap or cross have the coverage of the filled area.
@Suite struct OverlapTests {
  private let bounds = PixelRect(minX: 0, minY: 0, maxX: 24, maxY: 20)

  private func rectangle(_ x0: Double, _ x1: Double, y0: Double = 0, y1: Double = 10) -> [Point] {
    [Point(x: x0, y: y0), Point(x: x1, y: y0), Point(x: x1, y: y1), Point(x: x0, y: y1)]
  }

  /// The same along rows and along columns, and under both rules.
  @Test(arguments: [
    (10.4, 10.4, 255), (10.2, 10.8, 102), (10.5, 10.5, 255),
  ])
  func oppositeRectanglesThatMeetInAPixelAddUp(first: Double, second: Double, expected: UInt8) throws {
    let contours = [rectangle(0, first), rectangle(20, second)]
    for isTransposed in [false, true] {
      let polygons = Polygons(
        contours: contours.map { $0.map { isTransposed ? Point(x: $0.y, y: $0.x) : $0 } })
      for rule in [Fill.Rule.nonZero, .evenOdd] {
        let mask = try coverage(polygons.path, fill: Fill(rule: rule), bounds)
        for place in 0..<10 {
          let value = isTransposed ? mask[place, 10] : mask[10, place]
          #expect(abs(Int(value) - Int(expected)) <= 1)
        }
      }
    }
  }

  @Test func oppositeSliversInAPixelDoNotVanish() throws {
    let polygons = Polygons(contours: [rectangle(10.1, 10.3), rectangle(10.8, 10.6)])
    for rule in [Fill.Rule.nonZero, .evenOdd] {
      let mask = try coverage(polygons.path, fill: Fill(rule: rule), bounds)
      for y in 0..<10 { #expect(abs(Int(mask[10, y]) - 102) <= 1) }
    }
  }

  /// Rectangles whose edges do not fall on the sides of pixels, in opposite directions, above each other.
  @Test func aSeamBetweenOppositeRectanglesIsCovered() throws {
    let polygons = Polygons(contours: [
      rectangle(0, 20, y0: 0, y1: 10.5), rectangle(20, 0, y0: 10.5, y1: 20),
    ])
    let mask = try coverage(polygons.path, bounds)
    for x in 0..<20 { #expect(mask[x, 10] == 255) }
  }

  @Test(arguments: ["retraced", "two subpaths", "dashes"])
  func retracedStrokesCountOnce(kind: String) throws {
    var path = Path()
    path.move(to: Point(x: 10.5, y: 2))
    path.line(to: Point(x: 10.5, y: 18))
    if kind != "retraced" { path.move(to: Point(x: 10.5, y: 18)) }
    path.line(to: Point(x: 10.5, y: 2))
    var canvas = try Canvas(bounds: bounds)
    let style = StrokeStyle(width: 0.4, dashes: kind == "dashes" ? [16, 1] : [])
    try canvas.stroke(path, style: style, paint: .color(.black))
    for y in 3..<17 { #expect(abs(Int(canvas.layer[10, y] >> 24) - 102) <= 1, "row \(y)") }
  }

  /// Every pixel of random polygons, including those in which several edges cross, is within 2.5 % of its exact coverage,
  /// the accuracy of the reference included.
  @Test(arguments: OverlapShapes.allCases, [Fill.Rule.nonZero, .evenOdd])
  func randomPolygonsHaveTheirExactCoverage(shapes: OverlapShapes, rule: Fill.Rule) throws {
    var random = TestRandom(UInt64(shapes.hashSeed))
    for _ in 0..<60 {
      let polygons = shapes.polygons(&random)
      let mask = try coverage(polygons.path, fill: Fill(rule: rule), bounds)
      for y in bounds.minY..<bounds.maxY {
        let rows = polygons.scanlines(row: y, count: 96, isEvenOdd: rule == .evenOdd)
        for x in bounds.minX..<bounds.maxX {
          let exact = rows.coverage(x) * 255
          #expect(abs(Double(mask[x, y]) - exact) < 6, "(\(x), \(y)) of \(polygons.contours)")
        }
      }
    }
  }

  /// A band of rows is drawn as it is in the whole shape.
  @Test func partsOfOverlappingPolygonsEqualTheWhole() throws {
    var random = TestRandom(21)
    for _ in 0..<40 {
      let polygons = OverlapShapes.polygonsOfSeven.polygons(&random)
      let whole = try coverage(polygons.path, bounds)
      for top in stride(from: 0, to: 20, by: 5) {
        let part = PixelRect(minX: 0, minY: top, maxX: 24, maxY: top + 5)
        let mask = try coverage(polygons.path, part)
        for y in top..<top + 5 {
          for x in 0..<24 { #expect(abs(Int(mask[x, y]) - Int(whole[x, y])) <= 3, "(\(x), \(y))") }
        }
      }
    }
  }

  /// A comb of lines that cross each other in every pixel costs what it is charged, and ends at the limit.
  @Test func crowdedRowsAreCharged() throws {
    var random = TestRandom(5)
    var path = Path()
    for index in 0..<60 {
      let point = Point(x: random.number(0...24), y: index % 2 == 0 ? 0 : 20)
      if index == 0 { path.move(to: point) } else { path.line(to: point) }
    }
    func work(_ path: Path, limit: Int64?) throws -> Int64 {
      var limits = DecodingLimits.default
      if let limit {
        limits.maximumWork = limit
        limits.maximumWorkPerPixel = 0
      }
      var canvas = try Canvas(bounds: .empty, budget: RasterBudget(resources: ResourceBudget(limits)))
      let before = canvas.budget.resources.work
      _ = try canvas.makeMask(path, bounds: bounds)
      return canvas.budget.resources.work - before
    }
    let charged = try work(path, limit: nil)
    // At least one unit for each of the edges in each of sixteen slabs of each row.
    #expect(charged > 20 * 16 * 60)
    #expect(throws: CodecError.self) { try work(path, limit: charged / 2) }
  }
}

/// Kinds of random polygons.
enum OverlapShapes: CaseIterable {
  case triangles, polygonsOfFive, polygonsOfSeven, rectangles, slivers, tiny

  var hashSeed: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  func polygons(_ random: inout TestRandom) -> Polygons {
    switch self {
    case .triangles: return corners(2, 3, &random, -4...26)
    case .polygonsOfFive: return corners(2, 5, &random, -4...26)
    case .polygonsOfSeven: return corners(3, 7, &random, -4...26)
    case .tiny: return corners(3, 4, &random, 4...8)
    case .rectangles:
      return quadrilaterals(&random) { random in
        let (corner, size) = (random.point(0...18), random.point(0.1...5))
        return [
          corner, Point(x: corner.x + size.x, y: corner.y), corner + size, Point(x: corner.x, y: corner.y + size.y),
        ]
      }
    case .slivers:
      return quadrilaterals(&random) { random in
        let (x, width, slant) = (random.number(8...12), random.number(0.05...0.6), random.number(-1...1))
        return [
          Point(x: x, y: 1), Point(x: x + width, y: 1), Point(x: x + width + slant, y: 18),
          Point(x: x + slant, y: 18),
        ]
      }
    }
  }

  private func corners(
    _ contourCount: Int, _ cornerCount: Int, _ random: inout TestRandom, _ range: ClosedRange<Double>
  ) -> Polygons {
    var contours: [[Point]] = []
    for _ in 0..<contourCount {
      var contour: [Point] = []
      for _ in 0..<cornerCount { contour.append(random.point(range)) }
      contours.append(contour)
    }
    return Polygons(contours: contours)
  }

  /// Four quadrilaterals in random directions.
  private func quadrilaterals(_ random: inout TestRandom, _ make: (inout TestRandom) -> [Point]) -> Polygons {
    var contours: [[Point]] = []
    for _ in 0..<4 {
      let contour = make(&random)
      contours.append(Bool.random(using: &random) ? contour : contour.reversed())
    }
    return Polygons(contours: contours)
  }
}

/// The inside parts of equally spaced scanlines of a row.
struct InsideScanlines {
  var spans: [ClosedRange<Double>]
  var count: Int

  /// The covered share of a pixel: exact horizontally, sampled vertically.
  func coverage(_ x: Int) -> Double {
    let (left, right) = (Double(x), Double(x + 1))
    return spans.reduce(0) { $0 + max(0, min($1.upperBound, right) - max($1.lowerBound, left)) } / Double(count)
  }
}

extension Polygons {
  func scanlines(row: Int, count: Int, isEvenOdd: Bool) -> InsideScanlines {
    var spans: [ClosedRange<Double>] = []
    for line in 0..<count {
      let y = Double(row) + (Double(line) + 0.5) / Double(count)
      var crossings: [(x: Double, winding: Int)] = []
      for contour in contours {
        for (index, a) in contour.enumerated() {
          let b = contour[(index + 1) % contour.count]
          if (a.y <= y) == (b.y <= y) { continue }
          crossings.append((a.x + (y - a.y) * (b.x - a.x) / (b.y - a.y), a.y < b.y ? 1 : -1))
        }
      }
      crossings.sort { $0.x < $1.x }
      var winding = 0
      for (index, crossing) in crossings.enumerated() {
        if isEvenOdd ? winding & 1 != 0 : winding != 0 { spans.append(crossings[index - 1].x...crossing.x) }
        winding += crossing.winding
      }
    }
    return InsideScanlines(spans: spans, count: count)
  }
}
