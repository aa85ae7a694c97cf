import GIFCodec
import ImageCoding
import Testing

@Suite struct DecodingTests {
  @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 9, 16, 33], [false, true])
  func everyHeight(height: Int, isInterlaced: Bool) throws {
    let gif = TestGIF(width: 13, height: height, isInterlaced: isInterlaced)
    let image = try decode(gif.bytes, strict)
    expectSame(image.bitmap.packedPixels, gif.pictures[0])
    #expect(image.isComplete)
    #expect(image.diagnostics.isEmpty)
    #expect(image.bitmap.format == .rgba8)
    #expect(image.info.isProgressive == isInterlaced)
    #expect(image.info.frameCount == 1)
    #expect(image.info.loopCount == nil)
    #expect(!image.info.hasAlpha)
  }

  @Test func largeImagesOfManyBlocks() throws {
    for blockByteCount in [1, 7, 254, 255] {
      var gif = TestGIF(width: 301, height: 207)
      gif.blockByteCount = blockByteCount
      expectSame(try decode(gif.bytes, strict).bitmap.packedPixels, gif.pictures[0])
    }
  }

  @Test func transparencyAndLocalColors() throws {
    var gif = TestGIF(width: 9, height: 5)
    gif.frames[0].transparentIndex = 3
    gif.frames[0].colors = (0..<8).map { [UInt8($0), UInt8(200 - $0), 77] }
    let image = try decode(gif.bytes, strict)
    expectSame(image.bitmap.packedPixels, gif.pictures[0])
    #expect(image.info.hasAlpha)
    // Without a global table, too.
    gif.colors = nil
    expectSame(try decode(gif.bytes, strict).bitmap.packedPixels, gif.pictures[0])
  }

  @Test func theFirstFrameStandsOnTheWholeCanvas() throws {
    var gif = TestGIF(width: 9, height: 6)
    gif.frames = [TestGIF.Frame(x: 2, y: 1, width: 3, height: 4, indices: (0..<12).map { UInt8($0 % 8) })]
    var image = try decode(gif.bytes, strict)
    expectSame(image.bitmap.packedPixels, gif.pictures[0])
    #expect(image.info.hasAlpha)
    // Pixels outside of the canvas are not drawn.
    gif.frames[0].x = 7
    gif.frames[0].y = 4
    image = try decode(gif.bytes, strict)
    expectSame(image.bitmap.packedPixels, gif.pictures[0])
    gif.frames[0].x = 9
    expectSame(try decode(gif.bytes, strict).bitmap.packedPixels, [UInt8](repeating: 0, count: 9 * 6 * 4))
  }

  @Test(arguments: PixelFormat.all)
  func everyFormatIsAConversion(format: PixelFormat) throws {
    var gif = TestGIF(width: 6, height: 6)
    gif.frames[0].transparentIndex = 1
    let natural = try decode(gif.bytes).bitmap
    let image = try decode(gif.bytes, DecodingOptions(pixelFormat: format))
    #expect(try image.bitmap == natural.converted(to: format))
  }

  @Test func probesLookAtSixBytes() {
    let decoder = GIFDecoder()
    let bytes = Array("GIF89a".utf8)
    for count in 0..<6 { #expect(decoder.probe(bytes.span.extracting(0..<count)) == .needs(byteCount: 6)) }
    #expect(decoder.probe(bytes.span) == .yes(GIFDecoder.type))
    for other in ["GIF88a", "GIF89b", "gif89a", "\u{89}PNG\r\n"] {
      let other = Array(other.utf8)
      #expect(decoder.probe(other.span) == .no)
    }
  }

  @Test func headersWithoutPixels() throws {
    var gif = TestGIF(width: 30, height: 20, frameCount: 4, seed: 3)
    gif.extensions = TestGIF.loopCount(4)
    let bytes = gif.bytes
    let headerByteCount = gif.header.count + gif.extensions.count + 8 + 10 + (gif.frames[0].colors == nil ? 0 : 24) + 1
    for count in 0..<headerByteCount {
      let error = #expect(throws: CodecError.self) { try GIFDecoder().info(bytes.span.extracting(0..<count)) }
      #expect(error?.kind == .truncated)
    }
    let info = try GIFDecoder().info(bytes.span.extracting(0..<headerByteCount))
    #expect(info.size == PixelSize(width: 30, height: 20))
    #expect(info.frameCount == nil)
    #expect(info.loopCount == .finite(5))
    #expect(info.coding == "GIF89a")
    let indexed = try GIFDecoder().info(bytes.span, options: InfoOptions(indexesFrames: true))
    #expect(indexed.frameCount == 4)
    #expect(indexed.duration == .milliseconds(100))
    #expect(indexed.loopCount == .finite(5))
  }

  @Test func memoryIsUsedAgain() throws {
    let large = TestGIF(width: 40, height: 30)
    var small = TestGIF(width: 5, height: 5)
    small.frames[0].transparentIndex = 0
    var bitmap = Bitmap()
    for gif in [large, small, large, small] {
      _ = try GIFDecoder().decode(gif.bytes.span, into: &bitmap, options: strict)
      expectSame(bitmap.packedPixels, gif.pictures[0])
    }
    #expect(throws: CodecError.self) {
      try GIFDecoder().decode(Array(large.bytes[..<60]).span, into: &bitmap, options: strict)
    }
    #expect(bitmap.packedPixels.allSatisfy { $0 == 0 })
  }
}

@Suite struct MetadataTests {
  private func subBlocks(_ bytes: [UInt8]) -> [UInt8] { TestGIF(width: 1, height: 1).subBlocks(bytes) }

  @Test func commentsPacketsAndProfiles() throws {
    var gif = TestGIF(width: 2, height: 2)
    let packet = Array("<x:xmpmeta>".utf8) + (0..<700).map { UInt8(32 + $0 % 90) }
    let profile = (0..<600).map { UInt8($0 % 251) }
    gif.extensions =
      [0x21, 0xFE] + subBlocks(Array("a comment".utf8)) + [0x21, 0xFE] + subBlocks([0x63, 0xE9])
      + [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + packet + [1] + (0...255).reversed().map { UInt8($0) } + [0]
      + [0x21, 0xFF, 11] + Array("ICCRGBG1012".utf8) + subBlocks(profile)
      // Plain text, an unknown application, an unknown extension.
      + [0x21, 0x01, 12] + [UInt8](repeating: 1, count: 12) + subBlocks(Array("text".utf8))
      + [0x21, 0xFF, 11] + Array("SOMEBODY1.0".utf8) + subBlocks([1, 2, 3]) + [0x21, 0x77] + subBlocks([5])
    let image = try decode(gif.bytes, strict)
    #expect(image.metadata.comments == ["a comment", "cé"])
    #expect(image.metadata.xmp == packet)
    #expect(image.metadata.colorSpace.iccProfile == profile)
    #expect(image.bitmap.colorSpace == .icc(profile))
    #expect(image.metadata.background == ImageMetadata.SampleColor(samples: [0, 0, 0]))
    expectSame(image.bitmap.packedPixels, gif.pictures[0])
  }

  @Test func loopCountsCountRepetitions() throws {
    for application in ["NETSCAPE2.0", "ANIMEXTS1.0"] {
      for (stored, count) in [(0, LoopCount.infinite), (1, .finite(2)), (65_535, .finite(65_536))] {
        var gif = TestGIF(width: 2, height: 2, frameCount: 2, seed: 1)
        gif.extensions = TestGIF.loopCount(stored, application: application)
        #expect(try decode(gif.bytes, strict).info.loopCount == count)
        #expect(try openAnimation(gif.bytes).loopCount == count)
      }
    }
    let once = TestGIF(width: 2, height: 2, frameCount: 2, seed: 1)
    #expect(try openAnimation(once.bytes).loopCount == .finite(1))
    // The last one applies, at any position.
    var twice = once
    twice.extensions = TestGIF.loopCount(3)
    twice.trailer = TestGIF.loopCount(8) + [0x3B]
    #expect(try openAnimation(twice.bytes).loopCount == .finite(9))
  }

  @Test func limitsKeepMetadataSmall() throws {
    var gif = TestGIF(width: 2, height: 2)
    gif.extensions = (0..<20).flatMap { _ in [0x21, 0xFE] + subBlocks(Array("0123456789".utf8)) }
    func count(_ limits: DecodingLimits) throws -> Int {
      try decode(gif.bytes, DecodingOptions(limits: limits)).metadata.comments.count
    }
    #expect(try count(DecodingLimits()) == 20)
    #expect(try count(DecodingLimits(maximumMetadataChunkCount: 7)) == 7)
    #expect(try count(DecodingLimits(maximumMetadataByteCount: 50)) == 5)
    #expect(try count(DecodingLimits(maximumMetadataChunkByteCount: 9)) == 0)
  }
}
