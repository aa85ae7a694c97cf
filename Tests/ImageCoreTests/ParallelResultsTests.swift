// Parallel parts: their results and errors do not depend on the number of threads.

import ImageCore
import Testing

@Suite struct ParallelResultsTests {
  @Test(arguments: [1, 2, 8]) func resultsAreInOrderAndTheirTotalIsCharged(_ threads: Int) throws {
    var budget = ResourceBudget(DecodingLimits(maximumWork: 1_000_000, maximumWorkPerPixel: 0))
    let results = try parallelResults(count: 30, parallelism: threads, &budget) {
      (index, budget) throws(CodecError) in
      try budget.chargeWork(index)
      try budget.allocate(10)
      return index * index
    }
    #expect(results == (0..<30).map { $0 * $0 })
    #expect(budget.work == 435 && budget.heldByteCount == 300)
  }

  @Test(arguments: [1, 2, 8]) func theFirstErrorIsThrown(_ threads: Int) {
    for _ in 0..<50 {
      var budget = ResourceBudget(.default)
      let error = #expect(throws: CodecError.self) {
        try parallelResults(count: 30, parallelism: threads, &budget) { (index, _) throws(CodecError) in
          if index == 5 || index > 6 { throw CodecError(.malformed, "\(index)") }
        }
      }
      #expect(error?.reason == "5" && budget.work == 0)
    }
  }

  @Test(arguments: [1, 3]) func bandsAreWrittenToTheirRows(_ threads: Int) throws {
    var picture = try Bitmap(
      width: 2, height: 10, format: .gray8, pixels: [UInt8](repeating: 99, count: 20))
    try picture.writeBands([0..<3, 3..<4, 6..<10], parallelism: threads, makeState: { 1 }) {
      (step, index, band) throws(CodecError) in
      let first = band.rows.lowerBound
      for y in band.rows {
        band.withRow(y) { row in
          for x in row.indices { row[x] = UInt8(index * 10 + (y - first) * step) }
        }
      }
    }
    #expect(picture.packedPixels == [0, 1, 2, 10, 99, 99, 20, 21, 22, 23].flatMap { [$0, $0] })
    #expect(throws: CodecError(.malformed, "no pixels")) {
      try picture.writeBands([0..<10], parallelism: threads, makeState: {}) { (_, _, _) throws(CodecError) in
        throw CodecError(.malformed, "no pixels")
      }
    }
    #expect(picture.pixelSize == PixelSize(width: 2, height: 10))
  }
}
