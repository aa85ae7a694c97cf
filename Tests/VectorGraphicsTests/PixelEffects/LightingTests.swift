import ImageCore
import TestSupport
import Testing
import VectorGraphics

/// Lighting against the formulas and the table of kernels of Filter Effects 1, section 9.10.
@Suite struct LightingTests {
  private let region = PixelRect(x: 3, y: -4, width: 30, height: 22)
  private typealias Vector = (x: Double, y: Double, z: Double)

  private func surface() -> Layer {
    var random = TestRandom(17)
    return randomLayer(region, &random)
  }

  /// The nine cases of the specification: the position of a pixel, its factor and its kernel, for the slope along x;
  /// rows from above to below.
  private func slope(_ layer: Layer, _ x: Int, _ y: Int, isVertical: Bool) -> Double {
    // The kernels for y are those for x mirrored at the diagonal.
    let (place, across) = isVertical ? (y, x) : (x, y)
    let (first, last) = isVertical ? (region.minY, region.maxY - 1) : (region.minX, region.maxX - 1)
    let (low, high) = isVertical ? (region.minX, region.maxX - 1) : (region.minY, region.maxY - 1)
    let row: [Double] = place == first ? [0, -1, 1] : place == last ? [-1, 1, 0] : [-1, 0, 1]
    let weights: [Double] = across == low ? [0, 2, 1] : across == high ? [1, 2, 0] : [1, 2, 1]
    let isEdge = place == first || place == last
    let isCrossEdge = across == low || across == high
    let factor = isEdge && isCrossEdge ? 2.0 / 3 : isCrossEdge ? 1.0 / 3 : isEdge ? 1.0 / 2 : 1.0 / 4
    var sum = 0.0
    for i in 0..<3 {
      for j in 0..<3 {
        let (column, line) = isVertical ? (x + i - 1, y + j - 1) : (x + j - 1, y + i - 1)
        sum += row[j] * weights[i] * layer.samples(column, line)[3] / 255
      }
    }
    return factor * sum
  }

  private func unit(_ v: Vector) -> Vector {
    let length = (v.x * v.x + v.y * v.y + v.z * v.z).squareRoot()
    return (v.x / length, v.y / length, v.z / length)
  }

  private func dot(_ a: Vector, _ b: Vector) -> Double { a.x * b.x + a.y * b.y + a.z * b.z }

  private func expected(_ lighting: Lighting, _ layer: Layer, _ x: Int, _ y: Int) -> [Double] {
    let scale = lighting.surfaceScale
    let normal = unit(
      (-scale * slope(layer, x, y, isVertical: false), -scale * slope(layer, x, y, isVertical: true), 1))
    let height = scale * layer.samples(x, y)[3] / 255
    func towards(_ p: SIMD3<Float>) -> Vector {
      unit((Double(p.x) - Double(x), Double(p.y) - Double(y), Double(p.z) - height))
    }
    var light: Vector
    var strength = 1.0
    switch lighting.source {
    case .distant(let azimuth, let elevation):
      let (a, e) = (azimuth * .pi / 180, elevation * .pi / 180)
      light = (
        ElementaryFunctions.cosine(a) * ElementaryFunctions.cosine(e),
        ElementaryFunctions.sine(a) * ElementaryFunctions.cosine(e), ElementaryFunctions.sine(e)
      )
    case .point(let position): light = towards(position)
    case .spot(let spot):
      light = towards(spot.position)
      let direction = spot.target - spot.position
      let s = unit((Double(direction.x), Double(direction.y), Double(direction.z)))
      let cosine = -dot(light, s)
      strength = cosine > 0 ? ElementaryFunctions.power(cosine, spot.exponent) : 0
      if let angle = spot.limitingConeAngle {
        strength *= min(max((cosine - ElementaryFunctions.cosine(angle * .pi / 180)) / 0.016, 0), 1)
      }
    }
    let color = [lighting.color.x, lighting.color.y, lighting.color.z].map { Double($0) * strength * 255 }
    switch lighting.reflection {
    case .diffuse(let constant):
      return color.map { min(max(constant * dot(normal, light) * $0, 0), 255) } + [255]
    case .specular(let constant, let exponent):
      let cosine = max(0, dot(normal, unit((light.x, light.y, light.z + 1))))
      let values = color.map { min(max(constant * ElementaryFunctions.power(cosine, exponent) * $0, 0), 255) }
      return values + [values.max() ?? 0]
    }
  }

  private static let sources: [Lighting.Source] = [
    .distant(azimuth: 235, elevation: 60), .point(SIMD3(10, 3, 12)),
    .spot(
      Lighting.Spot(position: SIMD3(5, 0, 20), target: SIMD3(18, 8, 0), exponent: 3, limitingConeAngle: nil)),
    .spot(Lighting.Spot(position: SIMD3(5, 0, 20), target: SIMD3(18, 8, 0), exponent: 1, limitingConeAngle: 20)),
  ]

  @Test(arguments: sources, [Lighting.Reflection.diffuse(constant: 1.3), .specular(constant: 0.9, exponent: 12)])
  func formulas(_ source: Lighting.Source, _ reflection: Lighting.Reflection) throws {
    let layer = surface()
    let lighting = Lighting(
      source: source, reflection: reflection, surfaceScale: 4, color: SIMD3(1, 0.5, 0.2))
    let result = try lighting.draw(area: region, surface: layer, region: region)
    #expect(largestDifference(result, region) { expected(lighting, layer, $0, $1) } <= 1.3)
    // A part of it is the same, though edges are then not those of the region.
    let part = PixelRect(x: 10, y: 2, width: 9, height: 8)
    let piece = try lighting.draw(area: part, surface: layer, region: region)
    #expect(largestDifference(piece, part) { result.samples($0, $1) } == 0)
  }

  /// The edge of a cone that shines straight down on a plane fades between two circles.
  @Test func theEdgeOfAConeFades() throws {
    let region = PixelRect(x: 0, y: 0, width: 60, height: 60)
    func lit(_ angle: Double?) throws -> Layer {
      let spot = Lighting.Spot(
        position: SIMD3(30.3, 29.6, 40), target: SIMD3(30.3, 29.6, 0), exponent: 0, limitingConeAngle: angle)
      let lighting = Lighting(
        source: .spot(spot), reflection: .diffuse(constant: 1), surfaceScale: 1, color: SIMD3(1, 1, 1))
      return try lighting.draw(area: region, surface: Layer(bounds: region), region: region)
    }
    let (cone, open) = (try lit(25), try lit(nil))
    let outer = ElementaryFunctions.cosine(25 * .pi / 180)
    func radius(_ cosine: Double) -> Double { 40 * (1 - cosine * cosine).squareRoot() / cosine }
    var partCount = 0
    for y in 0..<60 {
      for x in 0..<60 {
        let (dx, dy) = (Double(x) - 30.3, Double(y) - 29.6)
        let distance = (dx * dx + dy * dy).squareRoot()
        let share = cone.samples(x, y)[0] / open.samples(x, y)[0]
        if distance > radius(outer) + 0.01 { #expect(share == 0) }
        if distance < radius(outer + 0.016) - 0.01 { #expect(share == 1) }
        if share > 0.05, share < 0.95 { partCount += 1 }
      }
    }
    #expect(partCount > 60)
  }

  @Test func regionsTooSmall() throws {
    let lighting = Lighting(
      source: .distant(azimuth: 0, elevation: 90), reflection: .diffuse(constant: 1), surfaceScale: 1,
      color: SIMD3(1, 1, 1))
    let small = PixelRect(x: 3, y: 3, width: 2, height: 30)
    #expect(try lighting.draw(area: small, surface: surface(), region: small).bounds.isEmpty)
  }

  @Test func extremes() throws {
    for value in [Double.infinity, -1e308, .nan, 0] {
      let place = SIMD3<Float>(Float(value), 1e38, -1e38)
      let spot = Lighting.Spot(position: place, target: place, exponent: value, limitingConeAngle: value)
      for source in [Lighting.Source.point(place), .spot(spot), .distant(azimuth: value, elevation: value)] {
        for reflection in [Lighting.Reflection.diffuse(constant: value), .specular(constant: 1, exponent: value)] {
          let lighting = Lighting(
            source: source, reflection: reflection, surfaceScale: value, color: SIMD3(1, 1, 1))
          let result = try lighting.draw(area: region, surface: surface(), region: region)
          #expect(result.bounds == region)
        }
      }
    }
  }
}
