import AV1Codec
import TestSupport
import Testing

@Suite struct FilterTests {
  /// Samples with differences that are small often enough for each filter to apply.
  private static func line(_ bitDepth: Int, _ random: inout TestRandom) -> [Int] {
    let spread = [1, 1, 3, 12, 60][Int.random(in: 0..<5, using: &random)] << (bitDepth - 8)
    var value = Int.random(in: 0..<1 << bitDepth, using: &random)
    return (0..<16).map { index in
      let step = index == 8 ? spread * 2 : spread
      value += Int.random(in: -step...step, using: &random)
      return min(max(value, 0), 1 << bitDepth - 1)
    }
  }

  @Test(arguments: [4, 6, 8, 16], [8, 10, 12])
  func edgesAreFilteredAsTheSpecificationSays(length: Int, bitDepth: Int) {
    var random = TestRandom(UInt64(length * 16 + bitDepth))
    for round in 0..<300 {
      let lineCount = round % 2 == 0 ? 4 : 8
      let strength = EdgeStrength(
        limit: Int.random(in: 1...63, using: &random), edgeLimit: Int.random(in: 4...190, using: &random),
        threshold: Int.random(in: 0...3, using: &random))
      let edge = TransformEdge(strength: strength, length: length, lineCount: lineCount, bitDepth: bitDepth)
      let lines = (0..<8).map { _ in Self.line(bitDepth, &random) }
      let expected = lines.enumerated().map { index, line in
        index >= lineCount
          ? line
          : slowEdgeFilter(
            line, limit: strength.limit, edgeLimit: strength.edgeLimit, threshold: strength.threshold, length: length,
            bitDepth: bitDepth)
      }
      var vertical = lines.flatMap { $0.map { UInt16($0) } }
      var verticalSpan = vertical.mutableSpan
      filterVerticalEdge(edge, &verticalSpan, at: 8, stride: 16)
      #expect(vertical == expected.flatMap { $0.map { UInt16($0) } })
      var horizontal = (0..<16).flatMap { row in lines.map { UInt16($0[row]) } }
      var horizontalSpan = horizontal.mutableSpan
      filterHorizontalEdge(edge, &horizontalSpan, at: 64, stride: 8)
      #expect(horizontal == (0..<16).flatMap { row in expected.map { UInt16($0[row]) } })
    }
  }

  @Test(arguments: [(8, 8), (4, 4), (4, 8)], [8, 10, 12])
  func squaresAreEnhancedAsTheSpecificationSays(size: (width: Int, height: Int), bitDepth: Int) {
    var random = TestRandom(UInt64(size.width * 16 + bitDepth))
    for round in 0..<200 {
      let maximum = 1 << bitDepth - 1
      let base = Int.random(in: 0...maximum, using: &random)
      let spread = [4, 30, 255][round % 3] << (bitDepth - 8)
      let window: [Int?] = (0..<192).map { _ in
        guard round % 4 != 0 || Int.random(in: 0..<5, using: &random) > 0 else { return nil }
        return min(max(base + Int.random(in: -spread...spread, using: &random), 0), maximum)
      }
      var complete = window
      for y in 0..<size.height {
        for x in 0..<size.width where complete[(y + 2) * 16 + x + 2] == nil { complete[(y + 2) * 16 + x + 2] = base }
      }
      let primary = round % 5 == 0 ? 0 : Int.random(in: 0...15, using: &random) << (bitDepth - 8)
      let secondary = round % 7 == 0 ? 0 : [1, 2, 4].randomElement(using: &random)! << (bitDepth - 8)
      let (direction, damping) = (round % 8, Int.random(in: 2...6, using: &random) + bitDepth - 8)
      let expected = slowEnhancement(
        complete, width: size.width, height: size.height, primary: primary, secondary: secondary,
        direction: direction, damping: damping, isEven: round % 2 == 0)
      let filter = EnhancementFilter(
        primary: primary, secondary: secondary, direction: direction, damping: damping, usesEvenTaps: round % 2 == 0)
      let input = complete.map { $0.map { UInt16($0) } ?? EnhancementFilter.unavailable }
      var samples = [UInt16](repeating: 7, count: 16 * 8)
      var span = samples.mutableSpan
      enhance(
        (input + [UInt16](repeating: 0, count: 16)).span,
        EnhancementSource(index: 34, stride: 16, isPartial: complete.contains(nil)), filter, width: size.width,
        height: size.height, &span, at: 3, stride: 16)
      for y in 0..<size.height {
        #expect(samples[y * 16 + 3..<y * 16 + 3 + size.width].map { Int($0) } == expected[y])
        #expect(samples[y * 16 + 3 + size.width] == 7)
      }
    }
  }

  @Test(arguments: [(8, 8), (4, 4), (4, 8), (8, 4)])
  func squaresOfBytesAreEnhancedAsTheSpecificationSays(size: (width: Int, height: Int)) {
    var random = TestRandom(UInt64(size.width * 16 + size.height))
    for round in 0..<400 {
      let base = Int.random(in: 0...255, using: &random)
      let spread = [4, 30, 255][round % 3]
      let window: [Int?] = (0..<192).map { _ in
        min(max(base + Int.random(in: -spread...spread, using: &random), 0), 255)
      }
      let primary = round % 5 == 0 ? 0 : Int.random(in: 0...15, using: &random)
      let secondary = round % 7 == 0 ? 0 : [1, 2, 4].randomElement(using: &random)!
      let (direction, damping) = (round % 8, Int.random(in: 2...6, using: &random))
      let expected = slowEnhancement(
        window, width: size.width, height: size.height, primary: primary, secondary: secondary,
        direction: direction, damping: damping, isEven: round % 2 == 0)
      let filter = EnhancementFilter(
        primary: primary, secondary: secondary, direction: direction, damping: damping, usesEvenTaps: round % 2 == 0)
      var input = [UInt8](repeating: 0, count: enhancementStride * 13)
      for y in 0..<12 {
        for x in 0..<16 { input[y * enhancementStride + x] = UInt8(window[y * 16 + x] ?? 0) }
      }
      var samples = [UInt16](repeating: 7, count: 16 * 8)
      var span = samples.mutableSpan
      enhanceBytes(
        input.span, at: 2 * enhancementStride + 2, filter, width: size.width, height: size.height, &span, at: 3,
        stride: 16)
      for y in 0..<size.height {
        #expect(samples[y * 16 + 3..<y * 16 + 3 + size.width].map { Int($0) } == expected[y])
        #expect(samples[y * 16 + 3 + size.width] == 7)
      }
    }
  }

  @Test(arguments: [8, 10, 12])
  func directionsAreThoseOfTheSpecification(_ bitDepth: Int) {
    var random = TestRandom(UInt64(bitDepth))
    for round in 0..<200 {
      let range = [0...255, 100...110, 0...1][round % 3]
      let square = (0..<8).map { _ in
        (0..<8).map { _ -> Int in
          let rest = Int.random(in: 0..<1 << (bitDepth - 8), using: &random)
          return Int.random(in: range, using: &random) << (bitDepth - 8) + rest
        }
      }
      let expected = slowDirection(square, shift: bitDepth - 8)
      let samples = square.flatMap { $0.map { UInt16($0) } }
      let found = findDirection(samples.span, at: 0, stride: 8, shift: Int32(bitDepth - 8))
      #expect(found.direction == expected.direction && found.variance == expected.variance)
    }
  }

  /// Lines of equal samples in each direction.
  @Test func directionsOfLinesAreFound() {
    let lines: [(Int, Int) -> Int] = [
      { $0 + $1 }, { $0 + $1 / 2 }, { y, _ in y }, { 3 + $0 - $1 / 2 }, { 7 + $0 - $1 }, { 3 - $0 / 2 + $1 },
      { _, x in x }, { $0 / 2 + $1 },
    ]
    for (direction, line) in lines.enumerated() {
      for shift in [0, 2, 4] {
        var samples = [UInt16](repeating: 0, count: 80)
        for y in 0..<8 {
          for x in 0..<8 { samples[y * 10 + x] = UInt16(line(y, x) * 37 % 11 * 20 << shift) }
        }
        let found = findDirection(samples.span, at: 0, stride: 10, shift: Int32(shift))
        #expect(found.direction == direction && found.variance > 0)
      }
    }
    let flat = [UInt16](repeating: 90, count: 64)
    #expect(findDirection(flat.span, at: 0, stride: 8, shift: 0).variance == 0)
  }

  private static func window(_ width: Int, _ height: Int, _ bitDepth: Int, _ random: inout TestRandom) -> [[Int]] {
    (0..<height + 6).map { _ in
      (0..<width + 6).map { _ in
        Int.random(in: 0..<1 << bitDepth, using: &random) >> Int.random(in: 0...2, using: &random)
      }
    }
  }

  private static func stored(_ window: [[Int]]) -> [UInt16] {
    var samples = [UInt16](repeating: 0, count: RestorationWindow.sampleCount)
    for (y, row) in window.enumerated() {
      for (x, value) in row.enumerated() { samples[y * RestorationWindow.stride + x] = UInt16(value) }
    }
    return samples
  }

  @Test(arguments: [8, 10, 12])
  func wienerFiltersAreThoseOfTheSpecification(_ bitDepth: Int) {
    var random = TestRandom(UInt64(bitDepth))
    for (width, height) in [(1, 1), (8, 4), (13, 9), (40, 56), (128, 64)] {
      let window = Self.window(width, height, bitDepth, &random)
      func taps() -> [Int] {
        let (a, b, c) = (
          Int.random(in: -5...10, using: &random), Int.random(in: -23...8, using: &random),
          Int.random(in: -17...46, using: &random)
        )
        return [a, b, c, 128 - 2 * (a + b + c), c, b, a]
      }
      let (vertical, horizontal) = (taps(), taps())
      func stored(_ taps: [Int]) -> InlineArray<8, Int16> { InlineArray { $0 < 7 ? Int16(taps[$0]) : 0 } }
      let expected = slowWiener(window, vertical: vertical, horizontal: horizontal, bitDepth: bitDepth)
      var samples = [UInt16](repeating: 9, count: (width + 3) * height)
      var span = samples.mutableSpan
      restoreWiener(
        Self.stored(window).span, WienerTaps(vertical: stored(vertical), horizontal: stored(horizontal)),
        RestorationBlock(width: width, height: height, index: 1, stride: width + 3), bitDepth: bitDepth, &span)
      for y in 0..<height {
        #expect(samples[y * (width + 3) + 1..<y * (width + 3) + 1 + width].map { Int($0) } == expected[y])
        #expect(samples[y * (width + 3) + 1 + width] == 9)
      }
    }
  }

  @Test(
    arguments: [(0, [2, 12, 1, 4]), (9, [2, 68, 1, 15]), (10, [0, 0, 1, 5]), (15, [2, 75, 0, 0])], [8, 10, 12])
  func selfGuidedFiltersAreThoseOfTheSpecification(set: (number: Int, parameters: [Int]), bitDepth: Int) {
    var random = TestRandom(UInt64(set.number * 16 + bitDepth))
    var scratch = SelfGuidedScratch()
    for (width, height) in [(1, 2), (9, 6), (20, 14), (21, 7)] {
      let window = Self.window(width, height, bitDepth, &random)
      let (w0, w1) = (Int.random(in: -96...31, using: &random), Int.random(in: -32...95, using: &random))
      let expected = slowSelfGuided(window, parameters: set.parameters, w0: w0, w1: w1, bitDepth: bitDepth)
      var unit = RestorationUnit()
      unit.set = UInt8(set.number)
      unit.weights = SIMD2(Int16(w0), Int16(w1))
      var samples = [UInt16](repeating: 0, count: width * height)
      scratch.filter(
        Self.stored(window).span, unit, RestorationBlock(width: width, height: height, index: 0, stride: width),
        bitDepth: bitDepth, &samples)
      #expect(samples.map { Int($0) } == expected.flatMap { $0 })
    }
  }
}
