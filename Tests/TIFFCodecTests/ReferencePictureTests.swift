// Files by libtiff in every compression, depth and layout: pixels, regions, rows, parts, prefixes, flipped bits.

import ImageCoding
import TIFFCodec
import TestSupport
import Testing

@Suite struct ReferencePictureTests {
  private static let strict = DecodingOptions(tolerance: .strict)

  @Test func thereAreReferences() { #expect(ReferencePicture.all.count > 100) }

  @Test(arguments: ReferencePicture.all) func pixelsAreThoseOfTheReference(_ picture: ReferencePicture) throws {
    let image = try decoder.decode(picture.file.span, options: Self.strict)
    #expect(fnv1a(image.bitmap.littleEndianSamples) == picture.pixelHash, "\(image.bitmap)")
    #expect(image.diagnostics.isEmpty && image.isComplete)
  }

  @Test(arguments: ReferencePicture.all) func aRegionIsAPartOfTheWhole(_ picture: ReferencePicture) throws {
    let whole = try decoder.decode(picture.file).bitmap
    var random = TestRandom(fnv1a(Array(picture.name.utf8)))
    for _ in 0..<4 {
      let x = Int.random(in: 0..<whole.width, using: &random)
      let y = Int.random(in: 0..<whole.height, using: &random)
      let region = PixelRegion(
        x: x, y: y, width: Int.random(in: 1...whole.width - x, using: &random),
        height: Int.random(in: 1...whole.height - y, using: &random))
      #expect(
        try decoder.decode(picture.file, options: DecodingOptions(region: region)).bitmap == whole.cropped(to: region))
    }
    let outside = DecodingOptions(region: PixelRegion(x: 1, y: 0, width: whole.width, height: 1))
    #expect(throws: CodecError.self) { try decoder.decode(picture.file, options: outside) }
  }

  @Test(arguments: ReferencePicture.all) func rowsAndPartsAreThoseOfTheWhole(_ picture: ReferencePicture) throws {
    let image = try decoder.decode(picture.file)
    let sink = CollectingSink()
    let details = try decoder.decode(picture.file.span, to: sink, options: DecodingOptions())
    #expect(sink.bytes == image.bitmap.packedPixels && details == image.details)
    let session = decoder.makeSession(options: DecodingOptions())
    for start in stride(from: 0, to: picture.file.count, by: 777) {
      try session.append(picture.file.span.extracting(start..<min(start + 777, picture.file.count)))
    }
    let parts = try session.finish()
    #expect(parts.bitmap == image.bitmap && parts.details == image.details)
  }

  @Test(arguments: ReferencePicture.all) func otherFormatsAreConversions(_ picture: ReferencePicture) throws {
    let natural = try decoder.decode(picture.file).bitmap
    for format in [PixelFormat.rgba8, .gray16] {
      let converted = try decoder.decode(picture.file, options: DecodingOptions(pixelFormat: format)).bitmap
      #expect(try converted.packedPixels == natural.converted(to: format).packedPixels)
    }
  }

  @Test(arguments: ReferencePicture.small) func prefixesAndFlippedBits(_ picture: ReferencePicture) {
    for count in stride(from: 0, to: picture.file.count, by: 61) {
      for options in [DecodingOptions(), Self.strict] {
        _ = try? decoder.decode(Array(picture.file.prefix(count)), options: options)
      }
    }
    var random = TestRandom(UInt64(picture.file.count))
    let limits = DecodingLimits(maximumPixelCount: 1 << 20, maximumByteCount: 16 << 20)
    for _ in 0..<120 {
      var file = picture.file
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        file[Int.random(in: 0..<file.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      _ = try? decoder.decode(file, options: DecodingOptions(limits: limits))
      _ = try? decoder.decode(file, options: DecodingOptions(tolerance: .strict, limits: limits))
    }
  }
}
