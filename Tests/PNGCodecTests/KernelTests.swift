import PNGCodec
import TestSupport
import Testing

@Suite struct KernelTests {
  /// Rows of every length and pixel size against the specification's formulas.
  @Test(arguments: [1, 2, 3, 4, 6, 8])
  func filtersAreUndoneAsTheSpecificationSays(distance: Int) {
    var random = TestRandom(UInt64(distance))
    for pixelCount in Array(0...20) + [33, 64, 127] {
      let count = pixelCount * distance
      for _ in 0..<20 {
        let filters = (0..<5).map { _ in Int.random(in: 0...4, using: &random) }
        check(filters, count: count, distance: distance, &random)
      }
      // Paeth rows in pairs and alone.
      check([4, 4], count: count, distance: distance, &random)
      check([4, 4, 4, 4, 4], count: count, distance: distance, &random)
    }
  }

  private func check(_ filters: [Int], count: Int, distance: Int, _ random: inout TestRandom) {
    let padding = 5
    var strip = (0..<padding + count + filters.count * (count + 1)).map { _ in
      // Extremes as often as anything else.
      [UInt8(0), 255, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
    }
    let start = padding + count
    for (row, filter) in filters.enumerated() { strip[start + row * (count + 1)] = UInt8(filter) }
    var expected = strip
    for (row, filter) in filters.enumerated() {
      let offset = start + row * (count + 1) + 1
      let above = row == 0 ? padding : offset - count - 1
      for index in 0..<count {
        let left = index < distance ? 0 : Int(expected[offset + index - distance])
        let corner = index < distance ? 0 : Int(expected[above + index - distance])
        expected[offset + index] &+= UInt8(predict(filter, left, Int(expected[above + index]), corner))
      }
    }
    var bytes = strip.mutableSpan
    let done = FilteredRows(byteCount: count, distance: distance)
      .unfilter(&bytes, start: start, prior: padding, rowCount: filters.count)
    #expect(done == filters.count)
    #expect(strip == expected)
  }

  @Test func unknownFiltersStopTheRun() {
    var strip: [UInt8] = [0, 0, 1, 1, 2, 5, 3, 4, 0, 1, 1]
    var bytes = strip.mutableSpan
    let done = FilteredRows(byteCount: 2, distance: 1).unfilter(&bytes, start: 2, prior: 0, rowCount: 3)
    #expect(done == 1)
    #expect(strip[3...4] == [1, 3])
  }

  @Test func bytesAreWidenedFromTheLowestAndNarrowed() {
    var random = TestRandom(6)
    for _ in 0..<1000 {
      let bytes = random.next()
      let lanes = widened(bytes)
      for lane in 0..<8 { #expect(lanes[lane] == Int16(UInt8(truncatingIfNeeded: bytes >> (lane * 8)))) }
      #expect(narrowed(lanes) == bytes)
    }
  }

  @Test func pixelsAreSpreadAsOneByOne() {
    let pixels = (0..<96).map { UInt8($0) }
    for bytesPerPixel in [1, 2, 3, 4, 6, 8] {
      for step in [1, 2, 8] {
        let count = 96 / bytesPerPixel
        var row = [UInt8](repeating: 255, count: 5 + ((count - 1) * step + 1) * bytesPerPixel)
        var expected = row
        for index in 0..<count * bytesPerPixel {
          expected[5 + index / bytesPerPixel * step * bytesPerPixel + index % bytesPerPixel] = pixels[index]
        }
        var span = row.mutableSpan
        spreadPixels(
          pixels.span, count: count, bytesPerPixel: bytesPerPixel, into: &span, from: 5, step: step * bytesPerPixel)
        #expect(row == expected)
      }
    }
  }

  @Test func thePaethPredictorEqualsTheSpecificationForAllNeighbours() {
    for a in stride(from: 0, through: 255, by: 3) {
      for b in stride(from: 0, through: 255, by: 5) {
        for start in stride(from: 0, through: 248, by: 8) {
          let corners = (0..<8).map { start + $0 }
          let corner = SIMD8<Int16>(corners.map(Int16.init))
          let up = SIMD8<Int16>(repeating: Int16(b))
          let lanes = paethPredictor(
            left: SIMD8(repeating: Int16(a)), above: up, aboveLeft: corner,
            tripleMinusAbove: corner &+ corner &+ corner &- up)
          for lane in 0..<8 { #expect(Int(lanes[lane]) == predict(4, a, b, corners[lane])) }
        }
      }
    }
  }
}
