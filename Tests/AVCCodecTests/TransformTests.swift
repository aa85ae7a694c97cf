import AVCCodec
import TestSupport
import Testing

/// Residuals by the matrices of the transforms (equations 8-338 and 8-358), whose rows are basis functions.
@Suite struct TransformTests {
  /// Twice the basis functions of four samples.
  private static let small = [[2, 2, 2, 2], [2, 1, -1, -2], [2, -2, -2, 2], [1, -2, 2, -1]]
  /// Eight times those of eight samples.
  private static let large = [
    [8, 8, 8, 8, 8, 8, 8, 8], [12, 10, 6, 3, -3, -6, -10, -12], [8, 4, -4, -8, -8, -4, 4, 8],
    [10, -3, -12, -6, 6, 12, 3, -10], [8, -8, -8, 8, 8, -8, -8, 8], [6, -12, 3, 10, -10, -3, 12, -6],
    [4, -8, 8, -4, -4, 8, -8, 4], [3, -6, 10, -12, 12, -10, 6, -3],
  ]
  private static let hadamard = [[1, 1, 1, 1], [1, 1, -1, -1], [1, -1, -1, 1], [1, -1, 1, -1]]

  /// The sums of products of a block of columns × rows with basis functions.
  private static func transform(_ block: [Int32], _ columns: [[Int]], _ rows: [[Int]]) -> [Int] {
    let (width, height) = (columns.count, rows.count)
    return (0..<width * height).map { place in
      var sum = 0
      for v in 0..<height {
        for u in 0..<width {
          sum += Int(block[v * width + u]) * columns[u][place % width] * rows[v][place / width]
        }
      }
      return sum
    }
  }

  /// Coefficients that halving keeps exact.
  private static func block(_ count: Int, step: Int32, _ noise: inout TestRandom) -> [Int32] {
    (0..<count).map { _ in Int32.random(in: -40...40, using: &noise) * step }
  }

  /// Samples to which residuals are added, with a border that stays as it is.
  private struct Canvas {
    static let stride = 12
    let old: [UInt16]
    var samples: [UInt16]
    let maximum: Int

    init(bitDepth: Int, _ noise: inout TestRandom) {
      maximum = 1 << bitDepth - 1
      old = (0..<Self.stride * 10).map { _ in UInt16.random(in: 0...UInt16(1 << bitDepth - 1), using: &noise) }
      samples = old
    }

    static var position: SamplePosition { SamplePosition(index: stride + 2, stride: stride) }

    /// Whether the samples are the old ones plus residuals, within the range.
    func equals(residuals: [Int], size: Int) -> Bool {
      old.indices.allSatisfy { index in
        let (x, y) = (index % Self.stride - 2, index / Self.stride - 1)
        guard (0..<size).contains(x), (0..<size).contains(y) else { return samples[index] == old[index] }
        return Int(samples[index]) == min(max(Int(old[index]) + residuals[y * size + x], 0), maximum)
      }
    }
  }

  /// Equations 8-336, 8-337, 8-356 and 8-357.
  private static func scaled(_ level: Int32, _ factor: Int32, qp: Int, base: Int) -> Int32 {
    let product = Int(level) * Int(factor)
    return Int32(
      qp >= 6 * base ? product << (qp / 6 - base) : (product + (1 << (base - 1 - qp / 6))) >> (base - qp / 6))
  }

  @Test(arguments: [8, 12, 14]) func smallBlocks(_ bitDepth: Int) {
    var noise = TestRandom(UInt64(bitDepth))
    for round in 0..<300 {
      let (qp, keepsDC) = (round % 52, round & 1 == 1)
      // Multiples of 16 whose scaled values halving keeps exact.
      let factors: [Int32] = (0..<20).map { _ in Int32.random(in: 1...9, using: &noise) * 64 }
      let block = Self.block(16, step: 4, &noise)
      var levels: [Int32] = [7] + block + [7]
      var scaled = block.indices.map { Self.scaled(block[$0], factors[4 + $0], qp: qp, base: 4) }
      if keepsDC { scaled[0] = block[0] }
      var canvas = Canvas(bitDepth: bitDepth, &noise)
      let maximum = Int32(canvas.maximum)
      var span = levels.mutableSpan
      var values = canvas.samples.mutableSpan
      addSmallBlock(
        &span, at: 1, factors.span, BlockScale(firstFactor: 4, qp: qp, base: 4, keepsDC: keepsDC),
        maximum: maximum, to: &values, Canvas.position)
      let residuals = Self.transform(scaled, Self.small, Self.small).map { ($0 / 4 + 32) >> 6 }
      #expect(canvas.equals(residuals: residuals, size: 4))
      #expect(levels == [7] + [Int32](repeating: 0, count: 16) + [7])
    }
  }

  @Test func scaledBlocks() {
    var noise = TestRandom(1)
    for _ in 0..<100 {
      var levels = Self.block(16, step: 4, &noise)
      let residuals = Self.transform(levels, Self.small, Self.small).map { ($0 / 4 + 32) >> 6 }
      var canvas = Canvas(bitDepth: 8, &noise)
      var span = levels.mutableSpan
      var values = canvas.samples.mutableSpan
      let factors: [Int32] = [1]
      addSmallBlock(&span, at: 0, factors.span, nil, maximum: 255, to: &values, Canvas.position)
      #expect(canvas.equals(residuals: residuals, size: 4) && levels.allSatisfy { $0 == 0 })
    }
  }

  @Test(arguments: [8, 12, 14]) func largeBlocks(_ bitDepth: Int) {
    var noise = TestRandom(UInt64(bitDepth))
    for round in 0..<300 {
      let qp = round % 60
      let factors: [Int32] = (0..<70).map { _ in Int32.random(in: 1...3, using: &noise) * 64 }
      let block = Self.block(64, step: 64, &noise)
      var levels = block
      let scaled = block.indices.map { Self.scaled(block[$0], factors[6 + $0], qp: qp, base: 6) }
      var canvas = Canvas(bitDepth: bitDepth, &noise)
      let maximum = Int32(canvas.maximum)
      var span = levels.mutableSpan
      var values = canvas.samples.mutableSpan
      addLargeBlock(
        &span, at: 0, factors.span, BlockScale(firstFactor: 6, qp: qp, base: 6, keepsDC: false),
        maximum: maximum, to: &values, Canvas.position)
      let residuals = Self.transform(scaled, Self.large, Self.large).map { ($0 / 64 + 32) >> 6 }
      #expect(canvas.equals(residuals: residuals, size: 8) && levels.allSatisfy { $0 == 0 })
    }
  }

  @Test func blocksOfDC() {
    var noise = TestRandom(3)
    let pair = [[1, 1], [1, -1]]
    for _ in 0..<100 {
      let block = Self.block(16, step: 1, &noise)
      var luma = block
      var lumaSpan = luma.mutableSpan
      InverseTransform.transformDC4x4(&lumaSpan, at: 0)
      #expect(luma.map { Int($0) } == Self.transform(block, Self.hadamard, Self.hadamard))
      for rowCount in [2, 4] {
        var chroma = block
        var span = chroma.mutableSpan
        InverseTransform.transformChromaDC(&span, at: 0, rowCount: rowCount)
        let part = Array(block.prefix(2 * rowCount))
        #expect(
          chroma.prefix(2 * rowCount).map { Int($0) }
            == Self.transform(part, pair, rowCount == 2 ? pair : Self.hadamard))
      }
    }
  }

  @Test func anyCoefficientsComeBack() {
    for value in [Int32.max, .min] {
      var block = [Int32](repeating: value, count: 64)
      var samples = [UInt16](repeating: 9, count: 64)
      let factors = block
      let position = SamplePosition(index: 0, stride: 8)
      let scale = BlockScale(firstFactor: 0, qp: 51, base: 4, keepsDC: false)
      var span = block.mutableSpan
      var values = samples.mutableSpan
      addLargeBlock(&span, at: 0, factors.span, scale, maximum: 255, to: &values, position)
      addSmallBlock(&span, at: 16, factors.span, scale, maximum: 255, to: &values, position)
      for index in 0..<64 { span[index] = value }
      InverseTransform.transformDC4x4(&span, at: 0)
      InverseTransform.transformChromaDC(&span, at: 0, rowCount: 4)
    }
  }
}
