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

  @Test func smallBlocks() {
    var noise = TestRandom(1)
    for _ in 0..<200 {
      let block = Self.block(16, step: 4, &noise)
      var result: [Int32] = [7] + block + [7]
      var span = result.mutableSpan
      InverseTransform.transform4x4(&span, at: 1)
      #expect(
        result[1...16].elementsEqual(Self.transform(block, Self.small, Self.small).map { Int32(($0 / 4 + 32) >> 6) }))
      #expect(result[0] == 7 && result[17] == 7)
    }
  }

  @Test func largeBlocks() {
    var noise = TestRandom(2)
    for _ in 0..<200 {
      let block = Self.block(64, step: 64, &noise)
      var result: [Int32] = block
      var span = result.mutableSpan
      InverseTransform.transform8x8(&span, at: 0)
      #expect(result == Self.transform(block, Self.large, Self.large).map { Int32(($0 / 64 + 32) >> 6) })
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
      var span = block.mutableSpan
      InverseTransform.transform8x8(&span, at: 0)
      InverseTransform.transform4x4(&span, at: 16)
      InverseTransform.transformDC4x4(&span, at: 0)
      InverseTransform.transformChromaDC(&span, at: 0, rowCount: 4)
    }
  }
}
