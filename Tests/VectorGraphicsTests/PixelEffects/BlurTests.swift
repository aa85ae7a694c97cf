import ImageCore
import TestSupport
import Testing
import VectorGraphics

@Suite struct BlurTests {
  private let bounds = PixelRect(x: -5, y: 3, width: 90, height: 71)

  /// Rows of samples blurred by means of boxes, one after the other, with direct sums; each rounded to whole numbers.
  private func boxed(_ line: [Double], _ widths: [Int]) -> [Double] {
    var line = line
    for width in widths {
      line = line.indices.map { place in
        var sum = 0.0
        for other in place - width / 2...place + width / 2 where line.indices.contains(other) { sum += line[other] }
        return (sum / Double(width)).rounded()
      }
    }
    return line
  }

  /// Widths of five odd boxes whose variances come nearest to a bell curve's, by trying all of them.
  private func widths(_ deviation: Double) -> [Int] {
    func variance(_ widths: [Int]) -> Double { widths.reduce(0) { $0 + Double($1 * $1 - 1) / 12 } }
    var best: [Int] = []
    for low in stride(from: 1, through: 2 * Int(deviation) + 3, by: 2) {
      for count in 0...5 {
        let candidate = Array(repeating: low, count: count) + Array(repeating: low + 2, count: 5 - count)
        if best.isEmpty
          || abs(variance(candidate) - deviation * deviation) < abs(variance(best) - deviation * deviation)
        {
          best = candidate
        }
      }
    }
    return best
  }

  @Test(arguments: [2.2, 3.7, 11, 60, 200]) func boxesEqualDirectSums(_ deviation: Double) throws {
    var random = TestRandom(1)
    let layer = randomLayer(bounds, &random)
    let widths = widths(deviation)
    for isVertical in [false, true] {
      let blur = GaussianBlur(x: isVertical ? 0 : deviation, y: isVertical ? deviation : 0)
      let result = try blur.apply(to: layer, area: bounds, region: bounds)
      var expected: [Int: [[Double]]] = [:]
      let lines = isVertical ? bounds.minX..<bounds.maxX : bounds.minY..<bounds.maxY
      let places = isVertical ? bounds.minY..<bounds.maxY : bounds.minX..<bounds.maxX
      for line in lines {
        let pixels = places.map { isVertical ? layer.samples(line, $0) : layer.samples($0, line) }
        expected[line] = (0..<4).map { channel in boxed(pixels.map { $0[channel] }, widths) }
      }
      let difference = largestDifference(result, bounds) { x, y in
        let (line, place) = isVertical ? (x, y - bounds.minY) : (y, x - bounds.minX)
        return (0..<4).map { expected[line]?[$0][place] ?? -1 }
      }
      // A quotient may be rounded the other way once in a pass.
      #expect(difference <= 2, "\(deviation) \(isVertical)")
    }
  }

  @Test(arguments: [0.3, 1, 1.99]) func narrowBlursAreGaussian(_ deviation: Double) throws {
    var random = TestRandom(2)
    let layer = randomLayer(bounds, &random)
    let weights = (-30...30).map { ElementaryFunctions.exponential(-Double($0 * $0) / (2 * deviation * deviation)) }
    let sum = weights.reduce(0, +)
    let result = try GaussianBlur(x: deviation, y: 0).apply(to: layer, area: bounds, region: bounds)
    let difference = largestDifference(result, bounds) { x, y in
      var total = [0.0, 0, 0, 0]
      for (index, weight) in weights.enumerated() {
        for (channel, value) in layer.samples(x + index - 30, y).enumerated() { total[channel] += value * weight / sum }
      }
      return total
    }
    #expect(difference <= 1.3)
  }

  /// Far from edges, wide blurs are close to the bell curve as well.
  @Test func boxesComeCloseToTheBellCurve() throws {
    var layer = Layer(bounds: PixelRect(x: 0, y: 0, width: 200, height: 1))
    for index in 100 * 4..<200 * 4 { layer.pixels[index] = 255 }
    let result = try GaussianBlur(x: 10, y: 0).apply(to: layer, area: layer.bounds, region: layer.bounds)
    for x in 60..<140 {
      var expected = 0.0
      for other in 100..<200 {
        let distance = Double(other - x)
        expected += ElementaryFunctions.exponential(-distance * distance / 200) / (10 * 2.5066282746) * 255
      }
      #expect(abs(result.samples(x, 0)[3] - expected) < 3.5)
    }
  }

  /// The pixels of a part do not depend on the rest of the region that is computed.
  @Test func partsEqualTheWhole() throws {
    var random = TestRandom(3)
    let layer = randomLayer(PixelRect(x: 10, y: 10, width: 40, height: 30), &random)
    let region = PixelRect(x: 0, y: 0, width: 80, height: 60)
    for deviation in [1.2, 4.0] {
      let blur = GaussianBlur(x: deviation, y: deviation / 2 + 1)
      let whole = try blur.apply(to: layer, area: region, region: region)
      let part = PixelRect(x: 5, y: 20, width: 22, height: 9)
      let result = try blur.apply(to: layer, area: part, region: region)
      #expect(part.contains(result.bounds))
      #expect(largestDifference(result, part) { whole.samples($0, $1) } == 0)
    }
  }

  @Test func nothingToDo() throws {
    var random = TestRandom(4)
    let layer = randomLayer(PixelRect(x: 0, y: 0, width: 7, height: 7), &random)
    #expect(GaussianBlur(x: 0, y: 0.04).isIdentity)
    #expect(GaussianBlur(x: .nan, y: -1).isIdentity)
    let far = PixelRect(x: 1000, y: 0, width: 5, height: 5)
    let result = try GaussianBlur(x: 3, y: 3).apply(to: layer, area: far, region: far)
    #expect(result.bounds.isEmpty)
  }

  @Test func extremes() throws {
    let layer = Layer(bounds: PixelRect(x: 0, y: 0, width: 300, height: 2), filledWith: 0xFFFF_FFFF)
    for deviation in [1e5, 1e9, .infinity] {
      let result = try GaussianBlur(x: deviation, y: deviation).apply(
        to: layer, area: layer.bounds, region: layer.bounds)
      #expect(largestDifference(result, layer.bounds) { _, _ in [0, 0, 0, 0] } <= 1)
    }
  }

  @Test func cancels() {
    let layer = Layer(bounds: PixelRect(x: 0, y: 0, width: 300, height: 300), filledWith: 0xFFFF_FFFF)
    #expect(throws: CodecError.self) {
      try GaussianBlur(x: 3, y: 3).apply(
        to: layer, area: layer.bounds, region: layer.bounds,
        interruption: ResourceBudget(.default, shouldCancel: { true }).interruption)
    }
  }
}
