import HEVCCodec
import TestSupport
import Testing

@Suite struct KernelTests {
  // MARK: Transforms

  /// The matrix of the cosine transform of 32 samples, from the values of its first column (equation 8-311).
  static let matrix: [[Int]] = {
    // The magnitudes of the cosines of 0…31 quarter turns over 32, as the specification rounds them.
    let column = [
      64, 90, 90, 90, 89, 88, 87, 85, 83, 82, 80, 78, 75, 73, 70, 67, 64, 61, 57, 54, 50, 46, 43, 38, 36, 31, 25, 22,
      18, 13, 9, 4,
    ]
    return (0..<32).map { row in
      (0..<32).map { place in
        // cos((2·place + 1)·row·π/64): fold the angle into the first quarter turn.
        var angle = (2 * place + 1) * row % 128
        if angle > 64 { angle = 128 - angle }
        if row == 0 { return 64 }
        return angle > 32 ? -column[64 - angle] : angle == 32 ? 0 : column[angle]
      }
    }
  }()

  /// The inverse transform as it is defined.
  static func slowInverse(_ input: [Int16], size: Int, matrix: (Int, Int) -> Int, bitDepth: Int) -> [Int16] {
    func clamp(_ value: Int) -> Int { min(max(value, -32768), 32767) }
    var middle = [Int](repeating: 0, count: size * size)
    for x in 0..<size {
      for y in 0..<size {
        let sum = (0..<size).reduce(0) { $0 + matrix($1, y) * Int(input[$1 * size + x]) }
        middle[y * size + x] = clamp((sum + 64) >> 7)
      }
    }
    let shift = 20 - bitDepth
    return (0..<size * size).map { index in
      let (x, y) = (index % size, index / size)
      let sum = (0..<size).reduce(0) { $0 + matrix($1, x) * middle[y * size + $1] }
      return Int16(clamp((sum + 1 << (shift - 1)) >> shift))
    }
  }

  @Test(arguments: [3, 4, 5], [8, 10, 12])
  func transformsAreTheirMatrices(_ log2Size: Int, _ bitDepth: Int) {
    var noise = TestRandom(UInt64(log2Size * 100 + bitDepth))
    let size = 1 << log2Size
    var scratch = [Int16](repeating: 77, count: transformScratchCount)
    for round in 0..<40 {
      let columnCount = min(size, 4 * Int.random(in: 1...size / 4, using: &noise))
      let rowCount = min(size, 4 * Int.random(in: 1...size / 4, using: &noise))
      let range: ClosedRange<Int16> = round % 4 == 0 ? .min ... .max : -300...300
      var input = [Int16](repeating: 0, count: size * size)
      for y in 0..<rowCount {
        for x in 0..<columnCount where round % 3 != 0 || Bool.random(using: &noise) {
          input[y * size + x] = Int16.random(in: range, using: &noise)
        }
      }
      var output = [Int16](repeating: 0, count: size * size)
      var scratchSpan = scratch.mutableSpan
      var span = output.mutableSpan
      invertTransform(
        input.span, &scratchSpan, into: &span, log2Size: log2Size, columnCount: columnCount, rowCount: rowCount,
        bitDepth: bitDepth)
      let step = 32 / size
      let expected = Self.slowInverse(input, size: size, matrix: { Self.matrix[$0 * step][$1] }, bitDepth: bitDepth)
      #expect(output == expected)
    }
  }

  @Test(arguments: [8, 10, 12])
  func smallTransformsAreTheirMatrices(_ bitDepth: Int) {
    let sine = [[29, 55, 74, 84], [74, 74, 0, -74], [84, -29, -74, 55], [55, -84, 74, -29]]
    var noise = TestRandom(UInt64(bitDepth))
    for round in 0..<100 {
      let range: ClosedRange<Int16> = round % 4 == 0 ? .min ... .max : -500...500
      let input = (0..<16).map { _ in Int16.random(in: range, using: &noise) }
      for isSine in [false, true] {
        var output = [Int16](repeating: 0, count: 16)
        var span = output.mutableSpan
        invertSmallTransform(input.span, into: &span, isSine: isSine, bitDepth: bitDepth)
        let expected = Self.slowInverse(
          input, size: 4, matrix: { isSine ? sine[$0][$1] : Self.matrix[$0 * 8][$1] }, bitDepth: bitDepth)
        #expect(output == expected)
      }
    }
  }

  @Test(arguments: [2, 3, 4, 5], [8, 12, 13, 16])
  func wideTransformsAreTheirMatrices(_ log2Size: Int, _ bitDepth: Int) {
    var noise = TestRandom(31)
    let size = 1 << log2Size
    var wide = WideResiduals()
    var scratch = [Int16](repeating: 0x5A5A, count: transformScratchCount)
    for isExtreme in [false, true] {
      for columnCount in stride(from: 4, through: size, by: 4) {
        for rowCount in stride(from: 4, through: size, by: 4) {
          let range: ClosedRange<Int16> = isExtreme ? .min ... .max : -40...40
          let input = (0..<size * size).map { index in
            let isCoded = index % size < columnCount && index / size < rowCount
            return isCoded ? Int16.random(in: range, using: &noise) : 0
          }
          wide.invertTransform(
            input, &scratch, log2Size: log2Size, columnCount: columnCount, rowCount: rowCount, isSine: false,
            bitDepth: bitDepth)
          let expected = Self.slowInverse(
            input, size: size, matrix: { Self.matrix[$0 * (32 / size)][$1] }, bitDepth: bitDepth)
          #expect(wide.residuals.prefix(size * size).map { Int16(clamping: $0) } == expected)
          #expect(!isExtreme || bitDepth < 16 || wide.residuals.contains { abs($0) > 32768 })
        }
      }
    }
  }

  @Test(arguments: [2, 3, 4, 5], [8, 12])
  func residualsAreAddedAndClipped(_ log2Size: Int, _ bitDepth: Int) {
    var noise = TestRandom(9)
    let (size, stride) = (1 << log2Size, 40)
    let maximum = (1 << bitDepth) - 1
    let samples = (0..<stride * 34).map { _ in UInt16.random(in: 0...UInt16(maximum), using: &noise) }
    let residuals = (0..<size * size).map { index in
      index % 7 == 0 ? Int16.random(in: .min ... .max, using: &noise) : Int16.random(in: -200...200, using: &noise)
    }
    var expected = samples
    for y in 0..<size {
      for x in 0..<size {
        let index = 43 + y * stride + x
        expected[index] = UInt16(min(max(Int(samples[index]) + Int(residuals[y * size + x]), 0), maximum))
      }
    }
    var result = samples
    var span = result.mutableSpan
    addResiduals(residuals.span, to: &span, at: 43, stride: stride, log2Size: log2Size, bitDepth: bitDepth)
    #expect(result == expected)
  }

  // MARK: Sample adaptive offset

  @Test(arguments: [8, 10, 12, 16])
  func edgeOffsetsCompareOppositeNeighbours(_ bitDepth: Int) {
    var noise = TestRandom(12)
    let stride = 96
    let samples = (0..<stride * 40).map { _ in UInt16.random(in: 100...110, using: &noise) }
    let offsets = SIMD4<Int16>(7, 3, -2, -120)
    for distance in [1, stride, stride + 1, stride - 1] {
      let area = SampleArea(index: 2 * stride + 16, stride: stride, width: 45, height: 33)
      var tile = [UInt16](repeating: 0, count: 64 * 64)
      if bitDepth > 14 {
        addWideEdgeOffsets(samples, area, to: &tile, distance: distance, offsets: offsets, bitDepth: bitDepth)
      } else {
        var span = tile.mutableSpan
        addEdgeOffsets(samples.span, area, to: &span, distance: distance, offsets: offsets, bitDepth: bitDepth)
      }
      for y in 0..<area.height {
        for x in 0..<area.width {
          let index = area.index + y * stride + x
          let (a, c, b) = (Int(samples[index - distance]), Int(samples[index]), Int(samples[index + distance]))
          let category = (c - a).signum() + (c - b).signum()
          let offset = [7, 3, 0, -2, -120][category + 2]
          #expect(Int(tile[y * 64 + x]) == max(0, c + offset))
        }
      }
    }
  }

  @Test func bandOffsetsDependOnTheUpperBits() {
    var noise = TestRandom(13)
    let samples = (0..<2000).map { _ in UInt16.random(in: 0...1023, using: &noise) }
    let area = SampleArea(index: 5, stride: 60, width: 51, height: 30)
    var tile = [UInt16](repeating: 0, count: 64 * 64)
    var span = tile.mutableSpan
    addBandOffsets(
      samples.span, area, to: &span, firstBand: 30, offsets: SIMD4(40, -5, 6, -7), bitDepth: 10)
    for y in 0..<area.height {
      for x in 0..<area.width {
        let value = Int(samples[area.index + y * 60 + x])
        let offset = [30: 40, 31: -5, 0: 6, 1: -7][value / 32] ?? 0
        #expect(Int(tile[y * 64 + x]) == min(max(value + offset, 0), 1023))
      }
    }
  }
}
