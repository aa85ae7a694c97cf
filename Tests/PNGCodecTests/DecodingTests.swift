import ByteCompression
import ImageCoding
import PNGCodec
import Testing

/// Every colour type with every depth that it allows.
let layouts: [(colorType: Int, bitDepth: Int)] = [
  (0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (2, 8), (2, 16), (3, 1), (3, 2), (3, 4), (3, 8), (4, 8), (4, 16), (6, 8),
  (6, 16),
]

func decode(_ bytes: [UInt8], _ options: DecodingOptions = DecodingOptions()) throws -> DecodedImage {
  try PNGDecoder().decode(bytes.span, options: options)
}

func decodeError(_ bytes: [UInt8], _ options: DecodingOptions = DecodingOptions()) -> CodecError? {
  do {
    _ = try PNGDecoder().decode(bytes.span, options: options)
    return nil
  } catch {
    return error
  }
}

let strict = DecodingOptions(tolerance: .strict)

@Suite struct DecodingTests {
  @Test(arguments: layouts, [false, true])
  func everyLayoutGivesTheSamplesItWasMadeOf(layout: (colorType: Int, bitDepth: Int), isInterlaced: Bool) throws {
    for (index, size) in [(1, 1), (2, 3), (5, 5), (9, 7), (33, 18), (64, 20)].enumerated() {
      var png = TestPNG(
        width: size.0, height: size.1, colorType: layout.colorType, bitDepth: layout.bitDepth, seed: UInt64(index))
      png.isInterlaced = isInterlaced
      let image = try decode(png.bytes, strict)
      #expect(image.bitmap.rgba16 == png.expectedRGBA16, "\(layout) \(size)")
      #expect(image.isComplete)
      #expect(image.diagnostics.isEmpty)
      #expect(image.info.isProgressive == isInterlaced)
      #expect(image.info.bitDepth == layout.bitDepth)
    }
  }

  @Test(arguments: [0, 1, 2, 3, 4], layouts)
  func everyFilterIsUndone(filter: Int, layout: (colorType: Int, bitDepth: Int)) throws {
    var png = TestPNG(width: 41, height: 9, colorType: layout.colorType, bitDepth: layout.bitDepth, seed: 7)
    png.filters = [filter]
    #expect(try decode(png.bytes, strict).bitmap.rgba16 == png.expectedRGBA16)
  }

  @Test func naturalFormats() throws {
    let expected: [PixelFormat] = [
      .gray8, .gray8, .gray8, .gray8, .gray16, .rgb8, .rgb16, .rgb8, .rgb8, .rgb8, .rgb8, .grayAlpha8, .grayAlpha16,
      .rgba8, .rgba16,
    ]
    for (layout, format) in zip(layouts, expected) {
      let png = TestPNG(width: 3, height: 3, colorType: layout.colorType, bitDepth: layout.bitDepth)
      #expect(try decode(png.bytes).bitmap.format == format)
    }
  }

  @Test(arguments: layouts)
  func everyRequestedFormatIsTheConvertedNaturalOne(layout: (colorType: Int, bitDepth: Int)) throws {
    let png = TestPNG(width: 19, height: 5, colorType: layout.colorType, bitDepth: layout.bitDepth, seed: 3)
    let natural = try decode(png.bytes).bitmap
    for format in PixelFormat.all {
      let image = try decode(png.bytes, DecodingOptions(pixelFormat: format)).bitmap
      #expect(image.format == format)
      // A palette's colours and 8-bit samples convert alike, whether before or after the look-up.
      #expect(try image == natural.converted(to: format), "\(layout) as \(format)")
    }
  }

  @Test(arguments: [1, 2, 4, 8])
  func transparentPaletteEntries(bitDepth: Int) throws {
    var png = TestPNG(width: 17, height: 6, colorType: 3, bitDepth: bitDepth)
    png.transparency = (0..<max(1, png.palette.count / 2)).map { UInt16($0 * 40 % 256) }
    let image = try decode(png.bytes, strict).bitmap
    #expect(image.format == .rgba8)
    #expect(image.rgba16 == png.expectedRGBA16)
  }

  @Test(arguments: [(0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (2, 8), (2, 16)])
  func oneTransparentColor(colorType: Int, bitDepth: Int) throws {
    var png = TestPNG(width: 12, height: 12, colorType: colorType, bitDepth: bitDepth)
    png.transparency = Array(png.samples[0..<png.sampleCount])
    let image = try decode(png.bytes, strict).bitmap
    #expect(image.format.hasAlpha)
    #expect(image.rgba16 == png.expectedRGBA16)
    #expect(image.rgba16[0][3] == 0)
  }

  @Test(arguments: [1, 2, 3, 7, 100])
  func imageDataMayBeSplitAnywhere(byteCount: Int) throws {
    var png = TestPNG(width: 20, height: 10, colorType: 6, bitDepth: 8)
    png.idatByteCount = byteCount
    #expect(try decode(png.bytes, strict).bitmap.rgba16 == png.expectedRGBA16)
    var chunks = png.chunks
    let firstData = try #require(chunks.firstIndex { $0.0 == "IDAT" })
    chunks.insert(("IDAT", []), at: firstData + 1)
    chunks.insert(("IDAT", []), at: firstData)
    #expect(try decode(TestPNG.file(chunks), strict).bitmap.rgba16 == png.expectedRGBA16)
  }

  @Test func rowsLargerThanAStrip() throws {
    // 300 rows of 4,000 bytes are more than four strips.
    let png = TestPNG(width: 1000, height: 300, colorType: 6, bitDepth: 8, seed: 5)
    #expect(try decode(png.bytes, strict).bitmap.packedPixels == png.samples.map { UInt8($0) })
  }

  @Test func anAllocationIsUsedAgainAndNothingOfItShows() throws {
    let first = TestPNG(width: 30, height: 30, colorType: 6, bitDepth: 8, seed: 8)
    var second = TestPNG(width: 30, height: 30, colorType: 6, bitDepth: 8, seed: 9)
    second.isInterlaced = true
    var bitmap = Bitmap()
    _ = try PNGDecoder().decode(first.bytes.span, into: &bitmap, options: strict)
    for cut in [second.bytes.count / 3, second.bytes.count / 2, second.bytes.count] {
      let bytes = Array(second.bytes[..<cut])
      _ = try PNGDecoder().decode(bytes.span, into: &bitmap, options: DecodingOptions())
      #expect(bitmap == (try decode(bytes).bitmap))
      _ = try PNGDecoder().decode(first.bytes.span, into: &bitmap, options: strict)
      let cutFirst = Array(first.bytes[..<min(cut, first.bytes.count)])
      _ = try PNGDecoder().decode(cutFirst.span, into: &bitmap, options: DecodingOptions())
      #expect(bitmap == (try decode(cutFirst).bitmap))
    }
  }

  @Test func appleOptimizedFilesAreUndone() throws {
    // The same samples as Apple's tools store them: premultiplied, blue first, raw DEFLATE.
    let source = TestPNG(width: 16, height: 16, colorType: 6, bitDepth: 8, seed: 4)
    var stored = source
    for pixel in 0..<256 {
      let s = source.samples[pixel * 4..<pixel * 4 + 4].map { Int($0) }
      let premultiplied = (0..<3).map { UInt16((s[$0] * s[3] * 2 + 255) / 510) }
      stored.samples.replaceSubrange(
        pixel * 4..<pixel * 4 + 4, with: [premultiplied[2], premultiplied[1], premultiplied[0], UInt16(s[3])])
    }
    let deflate = DeflateStream(level: 6, isRaw: true)
    let isSound = deflate.append(stored.filteredRows.span)
    #expect(isSound)
    let stream = try #require(deflate.finish())
    let file = TestPNG.file([
      ("CgBI", [0x50, 0, 0x20, 2]), ("IHDR", source.header), ("IDAT", stream), ("IEND", []),
    ])
    let image = try decode(file, strict).bitmap
    #expect(image.format == .rgba8)
    for pixel in 0..<256 {
      let expected = source.samples[pixel * 4..<pixel * 4 + 4].map { Int($0) }
      let color = image[pixel % 16, pixel / 16]
      let alpha = expected[3]
      #expect(Int(color.alpha) == alpha)
      // One step of the premultiplied sample is 255 / alpha steps of the straight one.
      let tolerance = alpha == 0 ? 255 : (255 + 2 * alpha - 1) / (2 * alpha) + 1
      #expect(abs(Int(color.red) - expected[0]) <= tolerance)
      #expect(abs(Int(color.green) - expected[1]) <= tolerance)
      #expect(abs(Int(color.blue) - expected[2]) <= tolerance)
    }
  }

  @Test func orientationIsAppliedOnceOrReported() throws {
    var png = TestPNG(width: 3, height: 2, colorType: 0, bitDepth: 8)
    png.samples = [1, 2, 3, 4, 5, 6]
    png.extraChunks = [
      ("eXIf", [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0])
    ]
    let upright = try decode(png.bytes)
    #expect(upright.bitmap.orientation == .up)
    #expect(upright.bitmap.pixelSize == PixelSize(width: 2, height: 3))
    // Turned by 90° clockwise: the left column, from the bottom, becomes the first row.
    #expect(upright.bitmap.packedPixels == [4, 1, 5, 2, 6, 3])
    #expect(upright.info.orientation == .right)
    #expect(upright.info.orientedSize == PixelSize(width: 2, height: 3))
    let stored = try decode(png.bytes, DecodingOptions(orientation: .report))
    #expect(stored.bitmap.orientation == .right)
    #expect(stored.bitmap.packedPixels == [1, 2, 3, 4, 5, 6])
  }

  @Test func cancellationStopsADecode() throws {
    let png = TestPNG(width: 1000, height: 300, colorType: 6, bitDepth: 8)
    let error = decodeError(png.bytes, DecodingOptions(shouldCancel: { true }))
    #expect(error?.kind == .cancelled)
  }
}
