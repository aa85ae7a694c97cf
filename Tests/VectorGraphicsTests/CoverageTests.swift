import ImageCore
import TestSupport
import Testing
import VectorGraphics

@Suite struct CoverageTests {
  private let bounds = PixelRect(minX: 0, minY: 0, maxX: 24, maxY: 20)

  /// A convex polygon covers each pixel by its area there, also where it reaches beyond the bounds on any side.
  @Test(arguments: [4.0, 30, 1000])
  func convexPolygonsCoverTheirExactArea(size: Double) throws {
    var random = TestRandom(UInt64(size))
    for _ in 0..<100 {
      let corners = (0..<3).map { _ in random.point(-size + 10...size + 10) }
      let polygons = Polygons(contours: [corners])
      let mask = try coverage(polygons.path, bounds)
      for y in bounds.minY..<bounds.maxY {
        for x in bounds.minX..<bounds.maxX {
          let exact = abs(polygons.signedArea(inPixel: x, y)) * 255
          #expect(abs(Double(mask[x, y]) - exact) < 2.5, "(\(x), \(y)) of \(corners)")
        }
      }
    }
  }

  @Test(arguments: [Fill.Rule.nonZero, .evenOdd])
  func selfIntersectingPolygonsFollowTheRule(rule: Fill.Rule) throws {
    var random = TestRandom(7)
    for _ in 0..<25 {
      let polygons = Polygons(contours: (0..<2).map { _ in (0..<5).map { _ in random.point(-6...28) } })
      let mask = try coverage(polygons.path, fill: Fill(rule: rule), bounds)
      for y in bounds.minY..<bounds.maxY {
        for x in bounds.minX..<bounds.maxX {
          // Where all windings within a pixel agree in sign the signed area tells nothing about overlaps; pixels wholly
          // inside or outside do.
          let share = supersampled(x, y, count: 8) { place in
            let winding = polygons.winding(at: place)
            return rule == .nonZero ? winding != 0 : winding % 2 != 0
          }
          let uniform = isUniform(polygons, x, y)
          let value = Double(mask[x, y])
          if uniform { #expect(abs(value - share * 255) < 1.5, "(\(x), \(y)) of \(polygons.contours)") }
        }
      }
    }
  }

  /// Whether no edge comes near a pixel.
  private func isUniform(_ polygons: Polygons, _ x: Int, _ y: Int) -> Bool {
    let center = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
    return polygons.contours.allSatisfy { contour in
      contour.indices.allSatisfy { distance(center, contour[$0], contour[($0 + 1) % contour.count]) > 0.75 }
    }
  }

  @Test func withoutAntialiasingCentresDecide() throws {
    var random = TestRandom(11)
    for _ in 0..<50 {
      let polygons = Polygons(contours: [(0..<4).map { _ in random.point(-10...34) }])
      let mask = try coverage(polygons.path, fill: Fill(isAntialiased: false), bounds)
      for y in bounds.minY..<bounds.maxY {
        for x in bounds.minX..<bounds.maxX {
          let center = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
          let contour = polygons.contours[0]
          let isNearEdge = contour.indices.contains {
            distance(center, contour[$0], contour[($0 + 1) % contour.count]) < 0.01
          }
          if isNearEdge { continue }
          #expect(mask[x, y] == (polygons.winding(at: center) != 0 ? 255 : 0), "(\(x), \(y))")
        }
      }
    }
  }

  /// The coverage of shapes higher than a band of the rasteriser equals that of their parts.
  @Test func largeShapesEqualTheirTiles() throws {
    var random = TestRandom(3)
    let whole = PixelRect(minX: -100, minY: -50, maxX: 1500, maxY: 900)
    for _ in 0..<5 {
      let polygons = Polygons(contours: (0..<3).map { _ in (0..<7).map { _ in random.point(-300...1500) } })
      let mask = try coverage(polygons.path, whole)
      for _ in 0..<20 {
        let x = Int.random(in: -100..<1400, using: &random)
        let y = Int.random(in: -50..<800, using: &random)
        let tile = PixelRect(x: x, y: y, width: 60, height: 40)
        let part = try coverage(polygons.path, tile)
        var largest = 0
        for y in tile.minY..<tile.maxY {
          for x in tile.minX..<tile.maxX {
            largest = max(largest, abs(Int(mask[x, y]) - Int(part[x, y])))
          }
        }
        #expect(largest <= 3)
      }
    }
  }

  @Test func circlesHaveTheirArea() throws {
    for radius in [0.3, 1, 5, 60, 400.0] {
      var path = Path()
      path.addEllipse(center: Point(x: 500.3, y: 450.7), radiusX: radius, radiusY: radius)
      let mask = try coverage(path, PixelRect(minX: 0, minY: 0, maxX: 1000, maxY: 1000))
      let area = mask.coverage.reduce(0.0) { $0 + Double($1) / 255 }
      #expect(abs(area - .pi * radius * radius) < 0.01 + 0.025 * 2 * .pi * radius + 0.0003 * area, "radius \(radius)")
    }
  }

  @Test func hostileNumbersNeitherTrapNorHang() throws {
    let numbers: [Double] = [
      .nan, .infinity, -.infinity, 1e38, -1e38, 1e308, 1e-45, 0, -28_808_594, 1e9, 0.5, 7, 1e15,
    ]
    var random = TestRandom(5)
    func point() -> Point {
      Point(x: numbers.randomElement(using: &random) ?? 0, y: numbers.randomElement(using: &random) ?? 0)
    }
    for _ in 0..<300 {
      var path = Path()
      for _ in 0..<6 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: path.move(to: point())
        case 1: path.line(to: point())
        case 2: path.quad(to: point(), control: point())
        case 3: path.cubic(to: point(), control1: point(), control2: point())
        case 4:
          path.arc(
            to: point(), radiusX: point().x, radiusY: point().x, rotation: point().x, isLarge: true, isSweep: false)
        default: path.close()
        }
      }
      let transform = AffineTransform(point().x, point().y, point().x, point().y, 0, 0)
      _ = path.bounds
      _ = PathMeasure(path).location(at: 1)
      _ = try coverage(path, bounds)
      _ = try coverage(path, transform: transform, fill: Fill(rule: .evenOdd, isAntialiased: false), bounds)
      var canvas = try Canvas(bounds: bounds)
      let style = StrokeStyle(
        width: point().x, cap: .round, join: .miterClip, miterLimit: point().x, dashes: [point().x, 3],
        dashOffset: point().x)
      for transform in [.identity, transform] {
        do {
          try canvas.stroke(path, style: style, transform: transform, paint: .color(.black))
        } catch {
          #expect(error.kind == .limitExceeded)
        }
      }
    }
  }
}
