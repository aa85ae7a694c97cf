// The vector arithmetic of the lossy encoder against slow twins.

import TestSupport
import Testing
import WebPCodec

@Suite struct BlockPairTests {
  private func pair(_ a: [Int], _ b: [Int]) -> BlockPair {
    func row(_ y: Int) -> SIMD8<Int16> {
      SIMD8(a[y * 4..<y * 4 + 4].map { Int16($0) } + b[y * 4..<y * 4 + 4].map { Int16($0) })
    }
    return BlockPair(r0: row(0), r1: row(1), r2: row(2), r3: row(3))
  }

  private func blocks(_ pair: BlockPair) -> ([Int], [Int]) {
    let rows = [pair.r0, pair.r1, pair.r2, pair.r3]
    return (
      rows.flatMap { row in (0..<4).map { Int(row[$0]) } }, rows.flatMap { row in (4..<8).map { Int(row[$0]) } }
    )
  }

  /// libwebp's arithmetic on one block of differences.
  private func transform(_ input: [Int]) -> [Int] {
    var columns = [Int](repeating: 0, count: 16)
    for y in 0..<4 {
      let d = Array(input[y * 4..<y * 4 + 4])
      let (a0, a1, a2, a3) = (d[0] + d[3], d[1] + d[2], d[1] - d[2], d[0] - d[3])
      columns[y * 4] = (a0 + a1) * 8
      columns[y * 4 + 1] = (a2 * 2217 + a3 * 5352 + 1812) >> 9
      columns[y * 4 + 2] = (a0 - a1) * 8
      columns[y * 4 + 3] = (a3 * 2217 - a2 * 5352 + 937) >> 9
    }
    var output = columns
    for x in 0..<4 {
      let (a0, a1) = (columns[x] + columns[12 + x], columns[4 + x] + columns[8 + x])
      let (a2, a3) = (columns[4 + x] - columns[8 + x], columns[x] - columns[12 + x])
      output[x] = (a0 + a1 + 7) >> 4
      output[4 + x] = (a2 * 2217 + a3 * 5352 + 12000) >> 16 + (a3 != 0 ? 1 : 0)
      output[8 + x] = (a0 - a1 + 7) >> 4
      output[12 + x] = (a3 * 2217 - a2 * 5352 + 51000) >> 16
    }
    return output
  }

  private func texture(_ input: [Int]) -> Int {
    let weights = [38, 32, 20, 9, 32, 28, 17, 7, 20, 17, 10, 4, 9, 7, 4, 2]
    func hadamard(_ v: [Int]) -> [Int] {
      let (a0, a1, a2, a3) = (v[0] + v[2], v[1] + v[3], v[1] - v[3], v[0] - v[2])
      return [a0 + a1, a3 + a2, a3 - a2, a0 - a1]
    }
    let rows = (0..<4).map { hadamard(Array(input[$0 * 4..<$0 * 4 + 4])) }
    var sum = 0
    for x in 0..<4 {
      let column = hadamard(rows.map { $0[x] })
      for y in 0..<4 { sum += weights[y * 4 + x] * abs(column[y]) }
    }
    return sum
  }

  private var extremes: [[Int]] {
    var random = TestRandom(6)
    let random255 = (0..<50).map { _ in (0..<16).map { _ in Int.random(in: -255...255, using: &random) } }
    let signs = (0..<50).map { _ in (0..<16).map { _ in Bool.random(using: &random) ? 255 : -255 } }
    return random255 + signs + [[Int](repeating: 0, count: 16), [Int](repeating: -255, count: 16)]
  }

  @Test func theForwardTransformIsThatOfItsTwin() {
    for (a, b) in zip(extremes, extremes.reversed()) {
      let (first, second) = blocks(pair(a, b).forwardTransformed())
      #expect(first == transform(a) && second == transform(b))
    }
  }

  @Test func sumsAreThoseOfTheirTwins() {
    for (a, b) in zip(extremes, extremes.reversed()) {
      let squares = pair(a, b).squareSums()
      #expect(Int(squares.0) == a.reduce(0) { $0 + $1 * $1 } && Int(squares.1) == b.reduce(0) { $0 + $1 * $1 })
      let (c, d) = (a.map { abs($0) }, b.map { abs($0) })
      let textures = pair(c, d).textureSums()
      #expect(Int(textures.0) == texture(c) && Int(textures.1) == texture(d))
    }
  }

  @Test func levelsAreRoundedWithABias() {
    let sharpening = [0, 30, 60, 90, 30, 60, 90, 90, 60, 90, 90, 90, 90, 90, 90, 90]
    for (first, others) in [(4, 4), (7, 9), (33, 61), (157, 284)] as [(Int32, Int32)] {
      for sharpens in [false, true] {
        let quantizer = PairQuantizer(first: first, others: others, bias: (96, 110), sharpens: sharpens)
        func level(_ coefficient: Int, _ index: Int) -> Int {
          let step = Int(index == 0 ? first : others)
          let raised = abs(coefficient) + (sharpens ? (sharpening[index] * step) >> 11 : 0)
          let level = min(2047, (raised * ((1 << 17) / step) + (index == 0 ? 96 : 110) << 9) >> 17)
          return coefficient < 0 ? -level : level
        }
        for (a, b) in zip(extremes, extremes.reversed()) {
          let (c, d) = (transform(a), transform(b))
          let levels = quantizer.levels(pair(c, d))
          let expected = (c.indices.map { level(c[$0], $0) }, d.indices.map { level(d[$0], $0) })
          #expect(blocks(levels) == expected)
          let restored = blocks(quantizer.coefficients(levels)).0
          #expect(restored == expected.0.indices.map { expected.0[$0] * Int($0 == 0 ? first : others) })
        }
      }
    }
  }

  @Test func blocksAreStoredWhereTheyWereLoaded() {
    var random = TestRandom(2)
    let buffer = random.bytes(MacroblockLayout.byteCount)
    for (first, second) in [(0, 4), (40, 44), (584, 712), (MacroblockLayout.byteCount - 100, 300)] {
      let loaded = loadBlocks(buffer.span, first, second)
      let (a, b) = blocks(loaded)
      for index in 0..<16 {
        let offset = index / 4 * 32 + index % 4
        #expect(a[index] == Int(buffer[first + offset]) && b[index] == Int(buffer[second + offset]))
      }
      var copy = [UInt8](repeating: 0, count: buffer.count)
      var target = copy.mutableSpan
      storeBlocks(loaded, &target, first, second)
      for index in 0..<16 {
        let offset = index / 4 * 32 + index % 4
        #expect(copy[first + offset] == buffer[first + offset] && copy[second + offset] == buffer[second + offset])
      }
      #expect(copy.reduce(0) { $0 + Int($1) } == (a + b).reduce(0, +))
      var coefficients = [Int16](repeating: 0, count: 40)
      var output = coefficients.mutableSpan
      storeCoefficients(loaded, &output, at: 5)
      #expect(coefficients[5..<37].map { Int($0) } == a + b)
      let again = loadCoefficients(coefficients.span, at: 5)
      #expect(blocks(again) == (a, b))
    }
  }
}
