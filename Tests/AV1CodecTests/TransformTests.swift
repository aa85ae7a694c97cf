import AV1Codec
import TestSupport
import Testing

@Suite struct TransformTests {
  @Test(arguments: 0..<19, [8, 10, 12])
  func residualsAreThoseOfTheSpecification(number: Int, bitDepth: Int) {
    var random = TestRandom(UInt64(number * 16 + bitDepth))
    let size = TransformSize(rawValue: UInt8(number))
    let types = max(size.width, size.height) == 64 ? 0..<1 : max(size.width, size.height) == 32 ? 0..<10 : 0..<16
    for type in types where max(size.width, size.height) < 32 || type == 0 || type == 9 {
      for round in 0..<3 {
        let extent = (
          columns: min(size.width, 32) >> (round % 3), rows: min(size.height, 32) >> (round * 2 % 3)
        )
        check(
          size, TransformType(rawValue: UInt8(type)), columns: max(extent.columns, 1), rows: max(extent.rows, 1),
          magnitude: [40, 300, 2000][round % 3] << (bitDepth - 8), bitDepth: bitDepth, &random)
      }
    }
  }

  /// Values whose sum is just small enough for lanes of 16 bits.
  @Test(arguments: 0..<19, [10, 12])
  func residualsOfSmallCoefficientsAreThoseOfTheSpecification(number: Int, bitDepth: Int) {
    var random = TestRandom(UInt64(number * 16 + bitDepth))
    let size = TransformSize(rawValue: UInt8(number))
    let side = max(size.width, size.height)
    for type in side == 64 ? [0] : side == 32 ? [0, 9] : Array(0..<16) {
      for count in [1, 2, 4, 16, 64] {
        let magnitude = (type < 9 ? 8192 : 1024) / count
        check(
          size, TransformType(rawValue: UInt8(type)), columns: min(size.width, 32), rows: min(size.height, 32),
          count: count, magnitude: magnitude, bitDepth: bitDepth, &random)
      }
    }
  }

  private func check(
    _ size: TransformSize, _ type: TransformType, columns: Int, rows: Int, count: Int, magnitude: Int, bitDepth: Int,
    _ random: inout TestRandom
  ) {
    var coefficients = [[Int]](repeating: [Int](repeating: 0, count: columns), count: rows)
    for _ in 0..<count {
      coefficients[Int.random(in: 0..<rows, using: &random)][Int.random(in: 0..<columns, using: &random)] =
        Bool.random(using: &random) ? magnitude : -magnitude
    }
    check(size, type, coefficients, columns: columns, rows: rows, bitDepth: bitDepth, &random)
  }

  private func check(
    _ size: TransformSize, _ type: TransformType, columns: Int, rows: Int, magnitude: Int, bitDepth: Int,
    _ random: inout TestRandom
  ) {
    let (storedColumns, storedRows) = (min(size.width, 32), min(size.height, 32))
    var coefficients = [[Int]](repeating: [Int](repeating: 0, count: storedColumns), count: storedRows)
    // Few large values, so that no intermediate one exceeds its range.
    for _ in 0..<max(columns * rows / 8, 1) {
      coefficients[Int.random(in: 0..<rows, using: &random)][Int.random(in: 0..<columns, using: &random)] =
        Int.random(in: -magnitude...magnitude, using: &random) / max(columns * rows / 32, 1)
    }
    check(size, type, coefficients, columns: columns, rows: rows, bitDepth: bitDepth, &random)
  }

  private func check(
    _ size: TransformSize, _ type: TransformType, _ coefficients: [[Int]], columns: Int, rows: Int, bitDepth: Int,
    _ random: inout TestRandom
  ) {
    let (width, height) = (size.width, size.height)
    let (storedColumns, storedRows) = (min(width, 32), min(height, 32))
    var values = [Int32](repeating: 0, count: 1024)
    for row in 0..<storedRows {
      for column in 0..<storedColumns { values[column * storedRows + row] = Int32(coefficients[row][column]) }
    }
    let maximum = 1 << bitDepth - 1
    let stride = width + 8
    let samples = (0..<stride * height + 16).map { _ in UInt16(Int.random(in: 0...maximum, using: &random)) }
    var result = samples
    var scratch = [Int32](repeating: 0x5555_5555, count: transformScratchByteCount / 4)
    let block = CoefficientBlock(
      size: size, type: type, columnCount: columns, rowCount: rows,
      magnitude: coefficients.joined().reduce(0) { $0 + abs($1) })
    add(block, &values, &scratch, &result, stride: stride, bitDepth: bitDepth)
    let residuals = SlowTransform.residuals(
      coefficients, number: Int(size.rawValue), log2Width: size.log2Width, log2Height: size.log2Height,
      type: Int(type.rawValue), bitDepth: bitDepth)
    var expected = samples
    for y in 0..<height {
      for x in 0..<width {
        let index = 5 + y * stride + x
        expected[index] = UInt16(min(max(Int(samples[index]) + residuals[y][x], 0), maximum))
      }
    }
    #expect(result == expected, "\(width) × \(height), type \(type.rawValue), \(bitDepth) bits")
    #expect(values.allSatisfy { $0 == 0 })
  }

  private func add(
    _ block: CoefficientBlock, _ values: inout [Int32], _ scratch: inout [Int32], _ samples: inout [UInt16],
    stride: Int, bitDepth: Int
  ) {
    var coefficients = values.mutableSpan
    var work = scratch.mutableSpan
    var target = samples.mutableSpan
    addInverseTransform(block, &coefficients, &work, to: &target, at: 5, stride: stride, bitDepth: bitDepth)
  }
}
