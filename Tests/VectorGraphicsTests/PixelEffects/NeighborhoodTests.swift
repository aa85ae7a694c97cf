import ImageCore
import TestSupport
import Testing
import VectorGraphics

/// Effects that look at the pixels around a pixel.
@Suite struct NeighborhoodTests {
  private let region = PixelRect(x: -3, y: 5, width: 75, height: 41)

  @Test(arguments: [(0, 0), (1, 0), (2, 3), (9, 40), (100, 1)]) func morphology(_ radius: (Int, Int)) throws {
    var random = TestRandom(5)
    let layer = randomLayer(PixelRect(x: 2, y: 5, width: 60, height: 38), &random)
    for kind in [Morphology.Operator.dilate, .erode] {
      let effect = Morphology(kind, before: radius, after: (max(0, radius.0 - 1), radius.1))
      let result = try effect.apply(to: layer, area: region, region: region)
      let difference = largestDifference(result, region) { x, y in
        var values: [[Double]] = []
        for row in y - radius.1...y + radius.1 {
          for column in x - radius.0...x + max(0, radius.0 - 1) where region.contains(column, row) {
            values.append(layer.samples(column, row))
          }
        }
        return (0..<4).map { channel in
          let samples = values.map { $0[channel] }
          return (kind == .erode ? samples.min() : samples.max()) ?? 0
        }
      }
      #expect(difference == 0, "\(kind) \(radius)")
    }
  }

  @Test func morphologyExtremes() throws {
    let layer = Layer(bounds: PixelRect(x: 0, y: 0, width: 20, height: 20), filledWith: 0xFF00_00FF)
    let effect = Morphology(.dilate, before: (1 << 40, 1 << 40), after: (1 << 40, 1 << 40))
    let result = try effect.apply(to: layer, area: region, region: region)
    #expect(largestDifference(result, region) { _, _ in [255, 0, 0, 255] } == 0)
  }

  @Test(arguments: [EdgeMode.none, .duplicate, .wrap], [false, true])
  func convolution(_ edgeMode: EdgeMode, _ preservesAlpha: Bool) throws {
    var random = TestRandom(6)
    let layer = randomLayer(region, &random)
    let weights = (0..<12).map { _ in Double.random(in: -1...2, using: &random) }
    let effect = try #require(
      Convolution(
        columns: 4, rows: 3, weights: weights, targetX: 1, targetY: 2, divisor: 3.5, bias: 0.1, edgeMode: edgeMode,
        preservesAlpha: preservesAlpha))
    let result = try effect.apply(to: layer, area: region, region: region)
    // Filter Effects 1, section 9.9, as it is written.
    func place(_ value: Int, _ low: Int, _ count: Int) -> Int? {
      if (low..<low + count).contains(value) { return value }
      switch edgeMode {
      case .none: return nil
      case .duplicate: return min(max(value, low), low + count - 1)
      case .wrap: return low + ((value - low) % count + count) % count
      }
    }
    let difference = largestDifference(result, region) { x, y in
      var sum = [0.0, 0, 0, 0]
      for i in 0..<3 {
        for j in 0..<4 {
          guard let column = place(x - 1 + j, region.minX, region.width),
            let row = place(y - 2 + i, region.minY, region.height)
          else { continue }
          let source = preservesAlpha ? layer.straight(column, row) : layer.samples(column, row)
          for channel in 0..<4 { sum[channel] += source[channel] / 255 * weights[(2 - i) * 4 + 3 - j] }
        }
      }
      let original = layer.samples(x, y)[3] / 255
      let alpha = preservesAlpha ? original : sum[3] / 3.5 + 0.1
      let colors = sum[..<3].map { $0 / 3.5 + 0.1 * alpha }
      if preservesAlpha { return premultiplied(colors + [alpha]) }
      let cut = min(max(alpha, 0), 1)
      return colors.map { min(max($0, 0), cut) * 255 } + [cut * 255]
    }
    #expect(difference <= 1.01)
  }

  @Test func convolutionsThatMakeNoSense() {
    func make(_ columns: Int, _ rows: Int, _ count: Int, target: Int = 0, divisor: Double = 1) -> Convolution? {
      Convolution(
        columns: columns, rows: rows, weights: Array(repeating: 1, count: count), targetX: target, targetY: 0,
        divisor: divisor, bias: 0, edgeMode: .none, preservesAlpha: false)
    }
    #expect(make(3, 3, 9) != nil)
    #expect(make(3, 3, 8) == nil)
    #expect(make(0, 3, 0) == nil)
    #expect(make(3, 3, 9, target: 3) == nil)
    #expect(make(3, 3, 9, target: -1) == nil)
    #expect(make(3, 3, 9, divisor: 0) == nil)
  }

  @Test func displacement() throws {
    var random = TestRandom(7)
    let layer = randomLayer(region, &random)
    let map = randomLayer(region, &random)
    let effect = Displacement(scaleX: 20, scaleY: -12, channelX: .green, channelY: .alpha)
    let result = try effect.apply(to: layer, map: map, area: region)
    let difference = largestDifference(result, region) { x, y in
      let straight = map.straight(x, y)
      let column = Double(x) + 20 * (straight[1] / 255 - 0.5)
      let row = Double(y) - 12 * (straight[3] / 255 - 0.5)
      return layer.samples(Int(column.rounded()), Int(row.rounded()))
    }
    #expect(difference == 0)
    let far = Displacement(scaleX: 1e300, scaleY: .nan, channelX: .red, channelY: .blue)
    #expect(try far.apply(to: layer, map: map, area: region).bounds == region)
  }

  /// The intersection of disjoint rectangles is empty: nothing may be read there.
  @Test func rectanglesThatDoNotMeet() throws {
    let layer = Layer(bounds: region, filledWith: 0xFFFF_FFFF)
    for far in [PixelRect(x: 500, y: 10, width: 9, height: 9), PixelRect(x: 0, y: -900, width: 9, height: 9)] {
      #expect(region.intersection(far) == .empty)
      #expect(largestDifference(layer.extracting(far), far) { _, _ in [0, 0, 0, 0] } == 0)
      #expect(
        try Morphology(.dilate, before: (2, 2), after: (2, 2)).apply(to: layer, area: far, region: far).bounds.isEmpty)
      let matrix = try ColorMatrix.identity.apply(to: layer, area: far)
      #expect(matrix.bounds.isEmpty)
    }
  }

  @Test func tiling() throws {
    var random = TestRandom(8)
    let layer = randomLayer(region, &random)
    for tile in [PixelRect(x: 0, y: 6, width: 7, height: 5), PixelRect(x: 3, y: 9, width: 1, height: 1)] {
      let area = PixelRect(x: -20, y: -9, width: 60, height: 50)
      let result = try layer.tiled(tile, area: area)
      let difference = largestDifference(result, area) { x, y in
        func place(_ value: Int, _ low: Int, _ count: Int) -> Int { low + ((value - low) % count + count) % count }
        return layer.samples(place(x, tile.minX, tile.width), place(y, tile.minY, tile.height))
      }
      #expect(difference == 0)
    }
    #expect(try layer.tiled(.empty, area: region).bounds.isEmpty)
  }
}
