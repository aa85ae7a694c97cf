// Sizes of planes, raw bytes, and arguments that are rejected.

import ImageCoding
import PixelPlanes
import Testing

@Suite struct PlanarPictureTests {
  @Test(arguments: ChromaFormat.allCases)
  func chromaSizesAreRoundedUp(format: ChromaFormat) throws {
    let expected: [ChromaFormat: (Int, Int)] = [
      .monochrome: (0, 0), .yuv420: (4, 3), .yuv422: (4, 5), .yuv444: (7, 5), .yuv440: (7, 3), .yuv411: (2, 5),
    ]
    let size = try #require(expected[format])
    #expect(format.chromaWidth(7) == size.0)
    #expect(format.chromaHeight(5) == size.1)
    #expect(format.chromaWidth(.max) >= 0)
    var budget = ResourceBudget(.default)
    let picture = try PlanarPicture(width: 7, height: 5, bitDepth: 10, chromaFormat: format, budget: &budget)
    #expect(budget.heldByteCount == 2 * (35 + 2 * size.0 * size.1))
    #expect(picture.rawPlanesByteCount == budget.heldByteCount)
    #expect(picture.rawPlanes().count == picture.rawPlanesByteCount)
    #expect((picture.cb == nil) == (format == .monochrome))
  }

  @Test func rawPlanesAreUnpaddedAndLittleEndian() throws {
    let luma = try SamplePlane(width: 2, height: 2, bitDepth: 10, stride: 3, samples: [1, 0x302, 9, 3, 4, 9])
    let cb = try SamplePlane(width: 1, height: 1, bitDepth: 10, samples: [0x155])
    let cr = try SamplePlane(width: 1, height: 1, bitDepth: 10, samples: [0xFFFF])
    let alpha = try SamplePlane(width: 2, height: 2, samples: [7, 8, 9, 10])
    let picture = try PlanarPicture(
      chromaFormat: .yuv420, coding: .webP, luma: luma, cb: cb, cr: cr, alpha: alpha)
    #expect(
      picture.rawPlanes() == [1, 0, 2, 3, 3, 0, 4, 0, 0x55, 1, 0xFF, 3, 7, 8, 9, 10])
  }

  @Test func planesOfOtherSizesAreRejected() throws {
    let luma = try SamplePlane(width: 3, height: 1, samples: [1, 2, 3])
    let small = try SamplePlane(width: 1, height: 1, samples: [1])
    #expect(throws: CodecError.self) {
      try PlanarPicture(chromaFormat: .yuv420, coding: .jfif, luma: luma, cb: small, cr: small)
    }
    #expect(throws: CodecError.self) { try PlanarPicture(chromaFormat: .yuv420, coding: .jfif, luma: luma) }
    #expect(throws: CodecError.self) {
      try PlanarPicture(chromaFormat: .monochrome, coding: .jfif, luma: luma, cb: small, cr: small)
    }
    #expect(throws: CodecError.self) {
      try PlanarPicture(chromaFormat: .monochrome, coding: .jfif, luma: luma, alpha: small)
    }
    #expect(throws: CodecError.self) { try SamplePlane(width: 2, height: 2, samples: [1, 2, 3]) }
    #expect(throws: CodecError.self) { try SamplePlane(width: .max, height: .max, samples: []) }
    var budget = ResourceBudget(.default)
    for depth in [Int.min, 0, 7, 17, .max] {
      #expect(throws: CodecError.self) {
        try SamplePlane(width: 1, height: 1, bitDepth: depth, budget: &budget)
      }
    }
    for size in [(-1, 1), (1, -1), (Int.max, Int.max)] {
      #expect(throws: CodecError.self) {
        try SamplePlane(width: size.0, height: size.1, bitDepth: 8, budget: &budget)
      }
    }
    #expect(budget.heldByteCount == 0)
  }

  @Test func planesAreWrittenInPlace() throws {
    var budget = ResourceBudget(.default)
    var picture = try PlanarPicture(width: 3, height: 2, bitDepth: 8, chromaFormat: .yuv444, budget: &budget)
    picture.withMutablePlane(.cr) { plane in
      var row = plane.mutableNarrowRow(1)
      row[2] = 77
    }
    #expect(picture.cr?[2, 1] == 77)
    #expect(picture.cb?[2, 1] == 128)
    #expect(picture.luma[2, 1] == 0)
  }
}
