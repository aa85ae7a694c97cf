import ImageCore
import TestSupport
import Testing
import VectorGraphics

/// Coverage by samples, held against windings counted sample by sample.
@Suite struct SampledCoverageTests {
  private let bounds = PixelRect(minX: 0, minY: 0, maxX: 32, maxY: 32)

  /// Lines on the grid of the samples' corners: no rounding decides, so every sample must agree.
  @Test(arguments: [Fill.Rule.nonZero, .evenOdd])
  func polygonsOnTheGridCoverTheirSamples(rule: Fill.Rule) throws {
    var random = TestRandom(11)
    for _ in 0..<60 {
      let contours = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        (0..<Int.random(in: 3...6, using: &random)).map { _ in
          Point(
            x: Double(Int.random(in: -20...148, using: &random)) / 4,
            y: Double(Int.random(in: 0...128, using: &random)) / 4)
        }
      }
      // Horizontal and vertical lines only: a slope is rounded.
      let polygons = Polygons(
        contours: contours.map { contour in
          contour.enumerated().flatMap { index, point in
            [point, Point(x: contour[(index + 1) % contour.count].x, y: point.y)]
          }
        })
      let mask = try sampled(polygons.path, Fill(rule: rule))
      for y in 0..<32 {
        for x in 0..<32 {
          // A row of four counts 63 or 64.
          #expect(abs(Int(mask[x, y]) - expected(polygons, x, y, rule)) <= 1)
        }
      }
    }
  }

  /// Edges in any direction may be off by the rounding of an end point and of a slope: a sample next to an edge may fall
  /// on either side of it, no other.
  @Test func polygonsCoverTheirSamples() throws {
    var random = TestRandom(12)
    for _ in 0..<30 {
      let contour = (0..<Int.random(in: 3...7, using: &random)).map { _ in random.point(-6...38) }
      let polygons = Polygons(contours: [contour])
      let mask = try sampled(polygons.path)
      for y in 0..<32 {
        for x in 0..<32 {
          var least = 0
          var most = 0
          for place in samples(x, y) {
            let isInside = polygons.winding(at: place) != 0
            let isNearEdge = zip(contour, contour.dropFirst() + [contour[0]]).contains { a, b in
              distance(place, a, b) < 0.02
            }
            least += isInside && !isNearEdge ? 16 : 0
            most += isInside || isNearEdge ? 16 : 0
          }
          #expect(Int(mask[x, y]) >= least - 1 && Int(mask[x, y]) <= most)
        }
      }
    }
  }

  /// Curves stray from the truth by less than half a sample.
  @Test func curvesCoverTheirSamples() throws {
    var random = TestRandom(13)
    for round in 0..<40 {
      let p = (0..<4).map { _ in random.point(-4...36) }
      var path = Path()
      path.move(to: p[0])
      var places: [Point] = []
      for step in 0...400 {
        let t = Double(step) / 400
        let s = 1 - t
        places.append(
          round % 2 == 0
            ? p[0] * (s * s * s) + p[1] * (3 * s * s * t) + p[2] * (3 * s * t * t) + p[3] * (t * t * t)
            : p[0] * (s * s) + p[1] * (2 * s * t) + p[2] * (t * t))
      }
      if round % 2 == 0 {
        path.cubic(to: p[3], control1: p[1], control2: p[2])
      } else {
        path.quad(to: p[2], control: p[1])
      }
      let polygons = Polygons(contours: [places])
      // Where the path leaves the surface it is cut a little beside the border.
      let mask = try sampled(path)
      for y in 0..<32 {
        for x in 0..<32 {
          let center = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
          let away = zip(places, places.dropFirst() + [places[0]]).map { distance(center, $0, $1) }.min() ?? 0
          if away > 1.1 { #expect(mask[x, y] == (polygons.winding(at: center) != 0 ? 255 : 0)) }
        }
      }
    }
  }

  @Test func edgesOnEachOtherDoNotAddUp() throws {
    var once = Path()
    once.addRect(Rect(x: 4.25, y: 4.5, width: 8, height: 8))
    var twice = once
    twice.append(once)
    #expect(try sampled(once).coverage == sampled(twice).coverage)
    #expect(try sampled(once)[4, 8] == 192)
    #expect(try sampled(once)[8, 4] == 127)
    #expect(try sampled(once)[8, 8] == 255)
  }

  @Test func withoutSmoothEdgesOnlyTheMiddleCounts() throws {
    let rect = Path(Rect(x: 4.4, y: 4.6, width: 8, height: 8))
    let mask = try sampled(rect, Fill(isAntialiased: false))
    for y in 0..<32 {
      for x in 0..<32 { #expect(mask[x, y] == (x >= 4 && x < 12 && y >= 5 && y < 13 ? 255 : 0)) }
    }
  }

  /// The mask does not depend on which part of the surface is wanted.
  @Test func clipsOnlyCut() throws {
    var random = TestRandom(14)
    for _ in 0..<30 {
      var path = Path()
      path.move(to: random.point(2...30))
      for _ in 0..<4 {
        path.cubic(to: random.point(2...30), control1: random.point(2...30), control2: random.point(2...30))
      }
      var whole = try Canvas(bounds: bounds)
      whole.samplesCoverage = true
      try whole.fill(path, paint: .color(.black))
      let part = PixelRect(minX: 7, minY: 5, maxX: 20, maxY: 23)
      var clipped = try Canvas(bounds: bounds)
      clipped.samplesCoverage = true
      try clipped.fill(path, paint: .color(.black), compositing: Compositing(clip: Clip(bounds: part)))
      for y in 0..<32 {
        for x in 0..<32 {
          let isIn = x >= 7 && x < 20 && y >= 5 && y < 23
          #expect(clipped.layer[x, y] == (isIn ? whole.layer[x, y] : 0))
        }
      }
    }
  }

  // MARK: Hairlines

  @Test func hairlinesHaveTheirWeight() throws {
    // On the middle of a row all of the weight is in that row, between two rows it is shared.
    let middle = try hairline(Point(x: 4, y: 10.5), Point(x: 20, y: 10.5), width: 1)
    #expect((4..<20).allSatisfy { middle[$0, 10] == 255 && middle[$0, 9] == 0 && middle[$0, 11] == 0 })
    #expect(middle[3, 10] == 0 && middle[20, 10] == 0)
    let between = try hairline(Point(x: 4, y: 10), Point(x: 20, y: 10), width: 1)
    #expect((4..<20).allSatisfy { abs(Int(between[$0, 9]) - 127) < 2 && abs(Int(between[$0, 10]) - 127) < 2 })
    let thin = try hairline(Point(x: 4.5, y: 2), Point(x: 4.5, y: 12), width: 0.25)
    #expect((2..<12).allSatisfy { abs(Int(thin[4, $0]) - 64) < 2 })
    // Square caps reach half a pixel farther.
    let square = try hairline(Point(x: 4, y: 10.5), Point(x: 20, y: 10.5), width: 1, cap: .square)
    #expect(abs(Int(square[3, 10]) - 127) < 2 && abs(Int(square[20, 10]) - 127) < 2)
  }

  @Test func hairlinesFollowTheirLines() throws {
    var random = TestRandom(15)
    for _ in 0..<50 {
      let (a, b) = (random.point(-10...42), random.point(-10...42))
      let layer = try hairline(a, b, width: 0.9)
      for y in 0..<32 {
        for x in 0..<32 {
          let away = distance(Point(x: Double(x) + 0.5, y: Double(y) + 0.5), a, b)
          if away > 1.6 { #expect(layer[x, y] == 0) }
        }
      }
      // In each column of a flat line, or row of a steep one, the weight is that of a pixel.
      guard abs(b.x - a.x) > abs(b.y - a.y) else { continue }
      for x in 1..<31 where Double(x) > min(a.x, b.x) + 1 && Double(x) < max(a.x, b.x) - 2 {
        let y = a.y + (Double(x) + 0.5 - a.x) * (b.y - a.y) / (b.x - a.x)
        guard y > 2, y < 30 else { continue }
        let sum = (0..<32).reduce(0) { $0 + Int(layer[x, $1]) }
        #expect(abs(sum - 229) < 6)
      }
    }
  }

  /// The alpha of a stroked line.
  private func hairline(
    _ a: Point, _ b: Point, width: Double, cap: StrokeStyle.Cap = .butt
  ) throws -> AlphaGrid {
    var path = Path()
    path.move(to: a)
    path.line(to: b)
    var canvas = try Canvas(bounds: bounds)
    canvas.samplesCoverage = true
    try canvas.stroke(path, style: StrokeStyle(width: width, cap: cap), paint: .color(.black))
    return AlphaGrid(layer: canvas.layer)
  }

  private struct AlphaGrid {
    let layer: Layer
    subscript(x: Int, y: Int) -> UInt8 { UInt8(layer[x, y] >> 24) }
  }

  // MARK: The slow twin

  private func sampled(_ path: Path, _ fill: Fill = Fill()) throws -> Mask {
    var canvas = try Canvas(bounds: .empty)
    canvas.samplesCoverage = true
    return try canvas.makeMask(path, fill: fill, bounds: bounds)
  }

  private func samples(_ x: Int, _ y: Int) -> [Point] {
    (0..<16).map { index in
      Point(x: Double(x) + (Double(index % 4) + 0.5) / 4, y: Double(y) + (Double(index / 4) + 0.5) / 4)
    }
  }

  /// Sixteen for each sample inside.
  private func expected(_ polygons: Polygons, _ x: Int, _ y: Int, _ rule: Fill.Rule) -> Int {
    16
      * samples(x, y).count { place in
        let winding = polygons.winding(at: place)
        return rule == .nonZero ? winding != 0 : winding % 2 != 0
      }
  }
}
