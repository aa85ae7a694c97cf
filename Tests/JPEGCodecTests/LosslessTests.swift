// The lossless process, compared with streams that are written by the formulas of the specification.

import ImageCoding
import JPEGCodec
import TestSupport
import Testing

@Suite struct LosslessTests {
  private func decode(_ stream: [UInt8]) throws -> [UInt16] {
    var budget = ResourceBudget(.default)
    let reader = try JPEGDecoder().makeRowReader(stream.span, budget: &budget)
    var samples: [UInt16] = []
    var row = [UInt16](repeating: 0, count: reader.frame.rowSampleCount)
    for _ in 0..<reader.frame.height {
      var span = row.mutableSpan
      try reader.readRow(stream.span, into: &span, budget: &budget)
      samples += row
    }
    return samples
  }

  private func noise(_ count: Int, bits: Int, smooth: Bool) -> [UInt16] {
    var random = TestRandom(UInt64(count + bits))
    var value = 0
    return (0..<count).map { _ in
      let next = Int(truncatingIfNeeded: random.next() & 0xFFFF)
      value = smooth ? value + next % 33 - 16 : next
      return UInt16(truncatingIfNeeded: value & ((1 << bits) - 1))
    }
  }

  @Test(arguments: 1...7, 1...4) func predictorsAndComponents(predictor: Int, componentCount: Int) throws {
    for precision in [2, 8, 12, 14, 16] {
      for smooth in [false, true] {
        var writer = LosslessJPEGWriter(width: 13, height: 7)
        (writer.predictor, writer.componentCount, writer.precision) = (predictor, componentCount, precision)
        let samples = noise(13 * 7 * componentCount, bits: precision, smooth: smooth)
        #expect(try decode(writer.stream(samples)) == samples)
      }
    }
  }

  @Test func codesOfAllLengths() throws {
    for rotation in 0..<17 {
      var writer = LosslessJPEGWriter(width: 40, height: 5)
      writer.categories = (0...16).map { ($0 + rotation) % 17 }
      let samples = noise(200, bits: 16, smooth: rotation % 2 == 0)
      #expect(try decode(writer.stream(samples)) == samples)
    }
  }

  /// The difference of 32,768 has a category without extra bits.
  @Test func largestDifference() throws {
    let writer = LosslessJPEGWriter(width: 4, height: 1)
    let samples: [UInt16] = [0, 32_768, 0, 32_768]
    #expect(try decode(writer.stream(samples)) == samples)
  }

  @Test(arguments: 1...7) func restartIntervals(predictor: Int) throws {
    var writer = LosslessJPEGWriter(width: 9, height: 23)
    (writer.predictor, writer.rowsPerInterval, writer.componentCount) = (predictor, 2, 2)
    let samples = noise(9 * 23 * 2, bits: 16, smooth: true)
    #expect(try decode(writer.stream(samples)) == samples)
  }

  @Test func pointTransform() throws {
    var writer = LosslessJPEGWriter(width: 8, height: 8)
    (writer.pointTransform, writer.predictor) = (3, 6)
    let samples = noise(64, bits: 16, smooth: false).map { $0 & ~7 }
    #expect(try decode(writer.stream(samples)) == samples)
  }

  @Test func truncationIsAnError() throws {
    let writer = LosslessJPEGWriter(width: 16, height: 16)
    let stream = writer.stream(noise(256, bits: 16, smooth: false))
    for count in 0..<stream.count - 3 {
      #expect(throws: CodecError.self) { try decode(Array(stream.prefix(count))) }
    }
  }

  @Test func otherProcessesAreNotSupported() throws {
    let baseline = try JPEGEncoder().encode(try Bitmap(width: 8, height: 8, format: .gray8))
    #expect { try decode(baseline) } throws: { ($0 as? CodecError)?.kind == .unsupported }
  }
}
