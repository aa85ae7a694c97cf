// The vector kernels, compared with the definition of each result, sample by sample.

import TestSupport
import Testing
import VectorGraphics

struct RowCompositingTests {
  /// Odd counts leave pixels after the groups of four.
  private static let counts = [0, 1, 2, 3, 4, 5, 7, 8, 11, 16, 61]
  private var random = TestRandom(5)

  /// round(a · b / 255) of numbers in 0…255.
  private func product(_ a: UInt32, _ b: UInt32) -> UInt32 { (2 * a * b + 255) / 510 }

  private func scaled(_ pixel: UInt32, _ factor: UInt32) -> UInt32 {
    stride(from: 0, to: 32, by: 8).reduce(0) { $0 | product(pixel >> UInt32($1) & 255, factor) << UInt32($1) }
  }

  private func over(_ source: UInt32, _ backdrop: UInt32) -> UInt32 {
    source + scaled(backdrop, 255 - source >> 24)
  }

  private mutating func pixel(isOpaque: Bool = false) -> UInt32 {
    let word = UInt32(truncatingIfNeeded: random.next())
    if isOpaque { return word | 0xFF00_0000 }
    return scaled(word, word >> 24) & 0x00FF_FFFF | word & 0xFF00_0000
  }

  /// Coverage in which groups of four are often empty or full.
  private mutating func coverage(_ count: Int) -> [UInt8] {
    var result: [UInt8] = []
    while result.count < count {
      let kind = random.next() % 4
      for _ in 0..<4 { result.append(kind == 0 ? 0 : kind == 1 ? 255 : UInt8(truncatingIfNeeded: random.next())) }
    }
    return Array(result[..<count])
  }

  @Test(arguments: [false, true])
  mutating func oneColour(isOpaque: Bool) {
    for count in Self.counts {
      let source = pixel(isOpaque: isOpaque)
      let backdrop = (0..<count).map { _ in pixel() }
      var row = backdrop
      var target = row.mutableSpan
      compositeRow(&target, with: source)
      #expect(row == backdrop.map { over(source, $0) })

      let amounts = coverage(count)
      row = backdrop
      target = row.mutableSpan
      compositeRow(&target, with: source, coverage: amounts.span)
      #expect(row == zip(backdrop, amounts).map { over(scaled(source, UInt32($1)), $0) })
    }
  }

  @Test mutating func rowsOfPixels() {
    for count in Self.counts {
      let sources = (0..<count).map { _ in pixel(isOpaque: random.next() % 2 == 0) }
      let backdrop = (0..<count).map { _ in pixel() }
      for amount: UInt32 in [1, 127, 254, 255] {
        var row = backdrop
        var target = row.mutableSpan
        compositeRow(&target, with: sources.span, amount: amount)
        #expect(row == zip(sources, backdrop).map { over(scaled($0, amount), $1) })
      }
      let amounts = coverage(count)
      var row = backdrop
      var target = row.mutableSpan
      compositeRow(&target, with: sources.span, coverage: amounts.span)
      #expect(row == (0..<count).map { over(scaled(sources[$0], UInt32(amounts[$0])), backdrop[$0]) })
    }
  }
}

struct CoverageSumTests {
  /// The sum of a fully covered pixel: 2 · 256 · 256.
  private let fullArea: Int32 = 131_072

  @Test(arguments: [false, true])
  func sumsAreCoverage(isEvenOdd: Bool) {
    var random = TestRandom(9)
    let full = Double(fullArea)
    for count in [0, 4, 8, 64] {
      var cells = (0..<count).map { _ in
        Int32(random.next() % UInt64(fullArea)) - fullArea / 2 - 1
      }
      // Whole pixels, where rounding would be seen first.
      if count > 4 { cells[3] = fullArea - cells[0] - cells[1] - cells[2] }
      let start = Int32(random.next() % 300_000) - 150_000
      var expected: [UInt8] = []
      var running = start
      for cell in cells {
        running += cell
        let winding = abs(Double(running)) / full
        let covered =
          isEvenOdd ? 1 - abs(winding.truncatingRemainder(dividingBy: 2) - 1) : min(1, winding)
        expected.append(UInt8((covered * 255).rounded(.toNearestOrAwayFromZero)))
      }
      var sum = start
      var coverage = [UInt8](repeating: 7, count: count)
      var source = cells.mutableSpan
      var target = coverage.mutableSpan
      sumCells(&source, &sum, isEvenOdd: isEvenOdd, into: &target)
      #expect(coverage == expected)
      #expect(sum == running)
      if let last = expected.last { #expect(VectorGraphics.coverage(ofArea: sum, isEvenOdd: isEvenOdd) == last) }
      #expect(cells.allSatisfy { $0 == 0 })
    }
  }
}
