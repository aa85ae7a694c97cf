// Round trips of every pixel format with every option, and the encoder's compressions against textbook decoders.

import ImageCoding
import MetadataFormats
import TIFFCodec
import TestSupport
import Testing

@Suite struct EncodingTests {
  private func picture(_ format: PixelFormat, _ width: Int, _ height: Int, seed: UInt64 = 1) throws -> Bitmap {
    var random = TestRandom(seed)
    var pixels = random.bytes(width * height * format.bytesPerPixel)
    // Runs, so that there is something to compress.
    for start in stride(from: 0, to: pixels.count - 16, by: 50) {
      for index in start..<start + 15 { pixels[index + 1] = pixels[index] }
    }
    return try Bitmap(width: width, height: height, format: format, pixels: pixels)
  }

  private static let compressions: [TIFFEncoder.Options.Compression] = [.none, .packBits, .lzw, .deflate(level: 6)]

  /// A profile of colours says nothing about gray samples.
  @Test func profilesOfAnotherColorModelAreDropped() throws {
    var bitmap = try picture(.rgb8, 9, 5)
    bitmap.colorSpace = .icc(Array("a profile of some length".utf8))
    let bytes = try TIFFEncoder().encode(bitmap)
    let decoder = TIFFDecoder()
    #expect(
      try decoder.decode(bytes.span, options: DecodingOptions(pixelFormat: .rgba8)).bitmap.colorSpace.iccProfile != nil)
    let gray = try decoder.decode(bytes.span, options: DecodingOptions(pixelFormat: .gray8))
    #expect(gray.bitmap.colorSpace.iccProfile == nil && gray.info.colorSpace == bitmap.colorSpace)
  }

  @Test(arguments: PixelFormat.all, compressions)
  func everyFormatIsPreserved(_ format: PixelFormat, _ compression: TIFFEncoder.Options.Compression) throws {
    let bitmap = try picture(format, 37, 21)
    let stored =
      format.colorModel == .bgr
      ? try bitmap.converted(to: PixelFormat(.rgb, alpha: format.alpha, sampleType: format.sampleType)) : bitmap
    for usesPredictor in [false, true] {
      for tile in [nil, PixelSize(width: 16, height: 32)] {
        for isBigEndian in [false, true] {
          let options = TIFFEncoder.Options(
            compression: compression, usesPredictor: usesPredictor, tileSize: tile, rowsPerStrip: 7,
            isBigEndian: isBigEndian, isBig: isBigEndian)
          let file = try TIFFEncoder(options: options).encode(bitmap)
          let image = try decoder.decode(file, options: DecodingOptions(tolerance: .strict))
          #expect(image.bitmap.format == stored.format && image.bitmap.packedPixels == stored.packedPixels)
        }
      }
    }
  }

  @Test func pagesAreInOrder() throws {
    let pages = try (0..<5).map {
      try picture([.gray8, .rgb16, .cmyk8, .rgbaFloat32, .rgba8][$0], 9 + $0, 5, seed: UInt64($0))
    }
    let file = try TIFFEncoder().encode(pages: pages)
    #expect(try decoder.info(file, options: InfoOptions(indexesFrames: true)).imageCount == 5)
    for (index, page) in pages.enumerated() {
      #expect(try decoder.decode(file, options: DecodingOptions(imageIndex: index)).bitmap == page)
    }
    for index in [-1, 5, .max] {
      let error = #expect(throws: CodecError.self) {
        try decoder.decode(file, options: DecodingOptions(imageIndex: index))
      }
      #expect(error?.kind == .invalidArgument)
    }
  }

  @Test func orientationProfileAndMetadataAreKept() throws {
    var bitmap = try picture(.rgb8, 8, 5)
    bitmap.orientation = .left
    bitmap.colorSpace = .icc(Array("a profile of some length".utf8))
    var metadata = ImageMetadata()
    metadata.xmp = Array("<x:xmpmeta/>".utf8)
    metadata.iptc = [0x1C, 2, 5, 0, 1, 65]
    metadata.density = .init(x: 300, y: 150, unit: .perInch)
    for isBigEndian in [false, true] {
      metadata.exif = exif(isBigEndian: !isBigEndian)
      let file = try TIFFEncoder(options: .init(isBigEndian: isBigEndian)).encode(bitmap, metadata: metadata)
      let image = try decoder.decode(file, options: DecodingOptions(orientation: .report, tolerance: .strict))
      #expect(image.bitmap == bitmap)
      #expect(image.metadata.xmp == metadata.xmp && image.metadata.iptc == metadata.iptc)
      #expect(image.metadata.density == metadata.density)
      #expect(image.metadata.colorSpace.iccProfile == bitmap.colorSpace.iccProfile)
      let tags = try #require(image.metadata.exifTags)
      #expect(tags.cameraMake == "Maker" && tags.exposureTime == EXIFRational(1, 60))
      let upright = try decoder.decode(file)
      #expect(upright.bitmap.packedPixels == bitmap.orientedUp().packedPixels)
    }
  }

  @Test func group4AgreesWithTheTextbook() throws {
    let (white, black) = (FaxRuns.white, FaxRuns.black)
    var random = TestRandom(4)
    for (width, height) in [(1, 3), (7, 5), (64, 9), (301, 12), (2700, 4)] {
      var pixels: [UInt8] = []
      var value: UInt8 = 255
      while pixels.count < width * height {
        pixels += [UInt8](
          repeating: value, count: Int.random(in: 1...(random.next() % 4 == 0 ? 900 : 9), using: &random))
        value = ~value
      }
      let bitmap = try Bitmap(
        width: width, height: height, format: .gray8, pixels: Array(pixels.prefix(width * height)))
      let file = try TIFFEncoder(options: .init(compression: .group4, rowsPerStrip: height)).encode(bitmap)
      #expect(try decoder.decode(file, options: DecodingOptions(tolerance: .strict)).bitmap == bitmap)
      let rows = try #require(
        slowGroup4(Array(file[8...]), width: width, height: height, white: white, black: black))
      #expect(rows.flatMap { $0.map { $0 ? UInt8(0) : 255 } } == bitmap.packedPixels)
    }
  }

  @Test func group4RepresentsBlackAndWhiteOnly() throws {
    for bitmap in [try picture(.gray8, 5, 5), try Bitmap(width: 4, height: 4, format: .rgba8)] {
      let error = #expect(throws: CodecError.self) {
        try TIFFEncoder(options: .init(compression: .group4)).encode(bitmap)
      }
      #expect(error?.kind == .encodingFailed)
    }
  }

  @Test func lzwAgreesWithTheTextbook() throws {
    for (width, height) in [(3, 2), (200, 30), (400, 90)] {
      let bitmap = try picture(.gray8, width, height)
      let options = TIFFEncoder.Options(compression: .lzw, usesPredictor: false, rowsPerStrip: height)
      let file = try TIFFEncoder(options: options).encode(bitmap)
      #expect(slowLZW(Array(file[8...])) == bitmap.packedPixels)
      // The same file with a stream by the textbook encoder in place of ours.
      let stream = slowLZWEncode(bitmap.packedPixels)
      var builder = SmallTIFF(width: width, height: height)
      builder.compression = 5
      #expect(try decoder.decode(builder.file([stream]), options: DecodingOptions(tolerance: .strict)).bitmap == bitmap)
    }
  }

  @Test func invalidOptionsAndEmptyImagesAreRefused() throws {
    let bitmap = try picture(.gray8, 5, 5)
    #expect(throws: CodecError.self) { try TIFFEncoder().encode(Bitmap()) }
    #expect(throws: CodecError.self) { try TIFFEncoder().encode(pages: []) }
    for tile in [PixelSize(width: 0, height: 16), PixelSize(width: 16, height: 15), PixelSize(width: -16, height: 16)] {
      #expect(throws: CodecError.self) { try TIFFEncoder(options: .init(tileSize: tile)).encode(bitmap) }
    }
    #expect(throws: CodecError.self) { try TIFFEncoder(options: .init(rowsPerStrip: 0)).encode(bitmap) }
  }

  @Test func theEncoderCanBeCancelled() throws {
    let bitmap = try picture(.rgb8, 500, 500)
    var budget = ResourceBudget(.default, shouldCancel: { true })
    let error = #expect(throws: CodecError.self) { try TIFFEncoder().encode(bitmap, metadata: nil, budget: &budget) }
    #expect(error?.kind == .cancelled)
  }
}
