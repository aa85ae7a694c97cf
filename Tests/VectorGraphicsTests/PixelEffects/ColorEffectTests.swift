import ImageCore
import TestSupport
import Testing
import VectorGraphics

/// Effects that look at one pixel at a time.
@Suite struct ColorEffectTests {
  private let bounds = PixelRect(x: 4, y: -2, width: 50, height: 33)
  private let area = PixelRect(x: 0, y: -5, width: 60, height: 40)

  private func random(_ seed: UInt64) -> Layer {
    var random = TestRandom(seed)
    return randomLayer(bounds, &random)
  }

  @Test func colorMatrix() throws {
    var generator = TestRandom(9)
    let layer = random(10)
    for (index, offset) in [0.0, 0, 0.3, 0.3].enumerated() {
      var coefficients = (0..<20).map { _ in Double.random(in: -0.6...1, using: &generator) }
      coefficients[19] = offset
      // Every other matrix ignores colours.
      if index % 2 == 1 { for place in coefficients.indices where place % 5 < 3 { coefficients[place] = 0 } }
      let result = try ColorMatrix(coefficients).apply(to: layer, area: area)
      let difference = largestDifference(result, area) { x, y in
        let samples = layer.samples(x, y)
        let colors = samples[..<3].map { samples[3] > 0 ? $0 / samples[3] : 0 }
        let source = colors + [samples[3] / 255, 1]
        return premultiplied(
          (0..<4).map { (row: Int) -> Double in
            (0..<5).reduce(0.0) { (sum: Double, column: Int) in sum + coefficients[row * 5 + column] * source[column] }
          })
      }
      #expect(difference <= 0.51)
    }
  }

  /// The matrices of Filter Effects 1, section 9.6, at values where they are easily known.
  @Test func namedMatrices() {
    func isClose(_ matrix: ColorMatrix, _ expected: [Double]) -> Bool {
      zip(matrix.coefficients, expected).allSatisfy { abs($0 - $1) < 1e-9 }
    }
    #expect(isClose(.saturation(1), ColorMatrix.identity.coefficients))
    #expect(isClose(.hueRotation(0), ColorMatrix.identity.coefficients))
    #expect(isClose(.hueRotation(360), ColorMatrix.identity.coefficients))
    let gray = [0.213, 0.715, 0.072, 0, 0]
    #expect(isClose(.saturation(0), gray + gray + gray + [0, 0, 0, 1, 0]))
    // Half a turn mirrors at the gray axis: twice the gray minus the colour.
    let half = ColorMatrix.hueRotation(180).coefficients
    #expect(abs(half[0] - (2 * 0.213 - 1)) < 1e-9 && abs(half[1] - 2 * 0.715) < 1e-9)
    // Grays stay what they are under every turn.
    for degrees in [30.0, 77, 200] {
      let matrix = ColorMatrix.hueRotation(degrees).coefficients
      for row in 0..<3 {
        let sum: Double = matrix[row * 5..<row * 5 + 3].reduce(0, +)
        #expect(abs(sum - 1) < 1e-9)
      }
    }
    #expect(ColorMatrix([1, 2, 3]) == .identity)
  }

  @Test func extremeMatrices() throws {
    let matrix = ColorMatrix([
      1e308, -1e308, 0, 0, 0, 0, .infinity, 0, 0, 0, 0, 0, .nan, 0, 0, 0, 0, 0, 1e308, -1e308,
    ])
    let result = try matrix.apply(to: random(11), area: area)
    #expect(area.contains(result.bounds))
  }

  @Test func transferTables() throws {
    let layer = random(12)
    let tables = TransferTables(
      red: { 1 - $0 }, green: { $0 * $0 }, blue: { _ in .nan }, alpha: { 0.25 + $0 })
    let result = try tables.apply(to: layer, area: area)
    let difference = largestDifference(result, area) { x, y in
      let source = layer.straight(x, y).map { $0 / 255 }
      return premultiplied([1 - source[0], source[1] * source[1], 0, 0.25 + source[3]])
    }
    #expect(difference <= 1.01)
  }

  @Test func conversionsFollowTheTransferFunctionOfSRGB() throws {
    let layer = random(13)
    func decoded(_ value: Double) -> Double {
      value <= 0.04045 ? value / 12.92 : ElementaryFunctions.power((value + 0.055) / 1.055, 2.4)
    }
    func encoded(_ value: Double) -> Double {
      value <= 0.0031308 ? value * 12.92 : 1.055 * ElementaryFunctions.power(value, 1 / 2.4) - 0.055
    }
    let linear = try layer.inLinearLight()
    let back = try layer.inSRGB()
    for (result, function) in [(linear, decoded), (back, encoded)] {
      let difference = largestDifference(result, bounds) { x, y in
        let source = layer.straight(x, y).map { $0 / 255 }
        return premultiplied(source[..<3].map(function) + [source[3]])
      }
      #expect(difference <= 1.01)
    }
  }

  @Test func arithmetic() throws {
    let (first, second) = (random(14), random(15))
    for (k1, k2, k3, k4) in [(0.5, 0.3, 0.4, 0.0), (-1, 0.5, 1.5, 0.1), (0, 1, 0, -0.2)] {
      let mixture = ArithmeticCompositing(k1: k1, k2: k2, k3: k3, k4: k4)
      let result = try mixture.apply(first, second, area: area)
      let difference = largestDifference(result, area) { x, y in
        let (a, b) = (first.samples(x, y).map { $0 / 255 }, second.samples(x, y).map { $0 / 255 })
        let values = (0..<4).map { min(max(k1 * a[$0] * b[$0] + k2 * a[$0] + k3 * b[$0] + k4, 0), 1) }
        return values.map { min($0, values[3]) * 255 }
      }
      #expect(difference <= 1.01)
    }
  }

  @Test func fillings() {
    let layer = random(16)
    let filled = layer.filled(with: Color(red: 1, green: 0.2, blue: 0, alpha: 0.5))
    let difference = largestDifference(filled, bounds) { x, y in
      let alpha = layer.samples(x, y)[3] / 255 * 0.5
      return [alpha * 255, alpha * 51, 0, alpha * 255]
    }
    #expect(difference <= 1.01)
    let moved = layer.movedBy(x: 3, y: -4)
    #expect(largestDifference(moved, area) { layer.samples($0 - 3, $1 + 4) } == 0)
  }
}
