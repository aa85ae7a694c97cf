import ImageCoding
import JXLCodec
import Testing

/// Inverse transforms compared with sums over all coefficients.
@Suite struct InverseTransformTests {
  /// Numbers between −1 and 1 that look random.
  private static func numbers(_ count: Int) -> [Float] {
    var state: UInt32 = 1
    return (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: state)) / 2_147_483_648
    }
  }

  /// cos(π · k · (2i + 1) / 2n), and √2 times that for k > 0.
  private static func basis(_ frequency: Int, _ index: Int, _ count: Int) -> Double {
    let angle = Double.pi * Double(frequency * (2 * index + 1)) / Double(2 * count)
    return ElementaryFunctions.cosine(angle) * (frequency == 0 ? 1 : 2.0.squareRoot())
  }

  /// The samples of one row and one column, from coefficients by vertical and horizontal frequency.
  private static func sample(
    _ x: Int, _ y: Int, columns: Int, rows: Int, _ coefficient: (_ x: Int, _ y: Int) -> Float
  ) -> Double {
    var sum: Double = 0
    for v in 0..<rows {
      for h in 0..<columns {
        sum += Double(coefficient(h, v)) * basis(h, x, columns) * basis(v, y, rows)
      }
    }
    return sum
  }

  @Test(arguments: TransformKind.allCases.filter { $0.isFullCosine })
  func fullCosineTransforms(_ kind: TransformKind) {
    let (rows, columns) = (8 * kind.rows, 8 * kind.columns)
    let coefficients = Self.numbers(rows * columns)
    var transforms = BlockTransforms(area: coefficients.count)
    var values = [Float](repeating: 0, count: coefficients.count)
    var samples = values.mutableSpan
    transforms.inverse(coefficients.span, rows: rows, columns: columns, into: &samples, at: 0, stride: columns)
    let step = max(1, rows * columns / 64) | 1
    for index in stride(from: 0, to: rows * columns, by: step * 7) {
      let (y, x) = index.quotientAndRemainder(dividingBy: columns)
      let expected = Self.sample(x, y, columns: columns, rows: rows) { h, v in
        coefficients[rows < columns ? v * columns + h : h * rows + v]
      }
      #expect(abs(Double(values[index]) - expected) < 1e-3, "\(kind) \(x) \(y)")
    }
  }

  @Test func quartersOfDCT4() {
    let coefficients = Self.numbers(64)
    var block = coefficients
    SmallTransforms.inverse(.dct4, &block)
    let (a, b, c, d) = (coefficients[0], coefficients[1], coefficients[8], coefficients[9])
    let means = [a + b + c + d, a + b - c - d, a - b + c - d, a - b - c + d]
    for index in 0..<64 {
      let (y, x) = index.quotientAndRemainder(dividingBy: 8)
      let (qx, qy) = (x / 4, y / 4)
      let expected = Self.sample(x % 4, y % 4, columns: 4, rows: 4) { h, v in
        h + v == 0 ? means[2 * qy + qx] : coefficients[8 * (qy + 2 * h) + qx + 2 * v]
      }
      #expect(abs(Double(block[index]) - expected) < 1e-4)
    }
  }

  @Test func halvesOfDCT4x8() {
    let coefficients = Self.numbers(64)
    var (wide, tall) = (coefficients, coefficients)
    SmallTransforms.inverse(.dct4x8, &wide)
    SmallTransforms.inverse(.dct8x4, &tall)
    let (a, b) = (coefficients[0], coefficients[8])
    for index in 0..<64 {
      let (y, x) = index.quotientAndRemainder(dividingBy: 8)
      let half = y / 4
      let expected = Self.sample(x, y % 4, columns: 8, rows: 4) { h, v in
        h + v == 0 ? (half == 0 ? a + b : a - b) : coefficients[8 * (half + 2 * v) + h]
      }
      #expect(abs(Double(wide[index]) - expected) < 1e-4)
      #expect(abs(Double(tall[8 * x + y]) - expected) < 1e-4)
    }
  }

  @Test(arguments: [TransformKind.corner0, .corner1, .corner2, .corner3])
  func cornersOfAFV(_ kind: TransformKind) {
    let coefficients = Self.numbers(64)
    var block = coefficients
    SmallTransforms.inverse(kind, &block)
    let flips = Int(kind.rawValue - TransformKind.corner0.rawValue)
    let (isRight, isLow) = (flips & 1 == 1, flips & 2 == 2)
    let (a, b, c) = (coefficients[0], coefficients[1], coefficients[8])
    for index in 0..<64 {
      let (y, x) = index.quotientAndRemainder(dividingBy: 8)
      let expected: Double
      if (y >= 4) != isLow {
        expected = Self.sample(x, y % 4, columns: 8, rows: 4) { h, v in
          h + v == 0 ? a - c : coefficients[8 * (1 + 2 * v) + h]
        }
      } else if (x >= 4) != isRight {
        expected = Self.sample(x % 4, y % 4, columns: 4, rows: 4) { h, v in
          h + v == 0 ? a - b + c : coefficients[16 * h + 2 * v + 1]
        }
      } else {
        let place = 4 * (isLow ? 7 - y : y) + (isRight ? 7 - x : x)
        expected = (0..<16).reduce(0.0) { sum, k in
          let coefficient = k == 0 ? (a + b + c) * 4 : coefficients[16 * (k / 4) + 2 * (k % 4)]
          return sum + Double(coefficient) * Double(CornerBasis.samples[16 * k + place])
        }
      }
      #expect(abs(Double(block[index]) - expected) < 1e-4)
    }
  }

  /// The basis of the corners is orthonormal, as far as its nine digits allow.
  @Test func cornerBasisIsOrthonormal() {
    for first in 0..<16 {
      for second in 0..<16 {
        let product = (0..<16).reduce(Float(0)) {
          $0 + CornerBasis.samples[16 * first + $1] * CornerBasis.samples[16 * second + $1]
        }
        #expect(abs(product - (first == second ? 1 : 0)) < 1e-5)
      }
    }
  }

  /// DCT2 and the Hornuss transform of a constant block, and of single coefficients by their definitions.
  @Test func sumsAndDifferences() {
    for kind in [TransformKind.dct2, .hornuss] {
      var block = [Float](repeating: 0, count: 64)
      block[0] = 3
      SmallTransforms.inverse(kind, &block)
      #expect(block == [Float](repeating: 3, count: 64))
    }
    // The finest differences of DCT2: each coefficient of the right half changes the sign between rows of two.
    var block = [Float](repeating: 0, count: 64)
    block[4] = 1
    SmallTransforms.inverse(.dct2, &block)
    #expect(block[0..<2] == [1, 1] && block[8..<10] == [-1, -1])
    #expect(block.reduce(0) { $0 + abs($1) } == 4)
    // A sample of the Hornuss transform is its coefficient, except for the mean of its quarter.
    block = [Float](repeating: 0, count: 64)
    block[8 * 4 + 6] = 16
    SmallTransforms.inverse(.hornuss, &block)
    for y in 0..<4 { for x in 0..<4 { #expect(block[8 * y + x] == (x == 3 && y == 2 ? 15 : -1)) } }
    #expect(block[4] == 0 && block[32] == 0)
  }

  /// The lowest frequencies of a varblock whose blocks have known means: a forward transform of the means, scaled so
  /// that the means of the samples are close to those of the blocks.
  @Test(arguments: [TransformKind.dct16, .dct32x8, .dct8x32, .dct16x32, .dct64])
  func lowestFrequencies(_ kind: TransformKind) {
    let (columns, rows) = (kind.columns, kind.rows)
    // A gradient, whose means are exact after the transform but for the truncation of high frequencies.
    let means = (0..<columns * rows).map { Float($0 % columns) * 0.5 + Float($0 / columns) }
    var values = [Float](repeating: 0, count: 64 * columns * rows)
    var lowest = LowestFrequencies()
    var coefficients = values.mutableSpan
    lowest.replace(in: &coefficients, kind, means.span, start: 0, stride: columns)
    var transforms = BlockTransforms(area: values.count)
    let copy = values
    var samples = values.mutableSpan
    transforms.inverse(
      copy.span, rows: 8 * rows, columns: 8 * columns, into: &samples, at: 0, stride: 8 * columns)
    for by in 0..<rows {
      for bx in 0..<columns {
        var sum: Float = 0
        for y in 0..<8 { for x in 0..<8 { sum += values[(8 * by + y) * 8 * columns + 8 * bx + x] } }
        #expect(abs(sum / 64 - means[by * columns + bx]) < 1e-3)
      }
    }
  }
}
