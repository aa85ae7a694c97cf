import JPEGCodec
import TestSupport
import Testing

@Suite struct BlockSmoothingTests {
  private static let width = 75
  private static let height = 46

  /// Blocks that differ from their neighbours, with coefficients up to a zigzag index.
  private static func blocks(last: Int) -> [[Int]] {
    var noise = TestRandom(21)
    return (0..<60).map { _ in
      (0..<64).map { index in
        index > last ? 0 : Int(noise.next() % 200) - 100 + (index == 0 ? Int(noise.next() % 800) - 400 : 0)
      }
    }
  }

  private static let plain = JPEGDecoder(smoothsIncompleteScans: false)

  @Test func withoutSmoothingABlockOfWhichOnlyDCIsKnownIsFlat() throws {
    let blocks = Self.blocks(last: 0)
    let file = try progressiveGrayFile(width: Self.width, height: Self.height, blocks: blocks, last: 0)
    let bitmap = try Self.plain.decode(file.span).bitmap
    let pixels = bitmap.packedPixels
    for y in 0..<Self.height {
      for x in 0..<Self.width {
        let level = 128 + (blocks[y / 8 * 10 + x / 8][0] + 4) >> 3
        #expect(Int(pixels[y * Self.width + x]) == min(max(level, 0), 255))
      }
    }
    #expect(try JPEGDecoder().decode(file.span).bitmap != bitmap)
  }

  @Test(arguments: [0, 2, 5]) func withoutSmoothingUnknownCoefficientsAreZero(last: Int) throws {
    let blocks = Self.blocks(last: last)
    let file = try progressiveGrayFile(width: Self.width, height: Self.height, blocks: blocks, last: last)
    let baseline = try grayFile(width: Self.width, height: Self.height, blocks: blocks)
    let expected = try JPEGDecoder().decode(baseline.span).bitmap
    #expect(try Self.plain.decode(file.span).bitmap == expected)
    let session = Self.plain.makeSession(options: DecodingOptions())
    _ = try session.append(file.span)
    #expect(session.makePreview() == expected)
  }

  @Test func aCompleteImageIsTheSameEitherWay() throws {
    for name in ["preview-1x1/whole", "preview-2x2/whole", "standard-tables"] {
      let file = ReferencePicture.named(name)
      #expect(try Self.plain.decode(file.span).bitmap == JPEGDecoder().decode(file.span).bitmap, "\(name)")
    }
  }
}
