import JPEGCodec
import TestSupport
import Testing

@Suite struct ReferencePictureTests {
  @Test func everySamplingSizeAndRestartIntervalIsThatOfLibjpegTurbo() throws {
    #expect(ReferencePicture.all.count > 500)
    for picture in ReferencePicture.all where !picture.name.hasPrefix("scaled-") {
      let image = try JPEGDecoder().decode(picture.file.span)
      #expect(image.isComplete && image.diagnostics.isEmpty, "\(picture.name)")
      #expect(fnv1a(image.bitmap.packedPixels) == picture.pixelHash, "\(picture.name)")
    }
  }

  @Test func fractionsOfTheSizeAreThoseOfLibjpegTurbo() throws {
    let pictures = ReferencePicture.all.filter { $0.name.hasPrefix("scaled-") }
    #expect(pictures.count == 36)
    for picture in pictures {
      let eighths = try #require(Int(picture.name.dropFirst(7).prefix(1)))
      let info = try JPEGDecoder().info(picture.file.span)
      let size = PixelSize(width: (info.width * eighths + 7) / 8, height: (info.height * eighths + 7) / 8)
      let image = try JPEGDecoder().decode(picture.file.span, options: DecodingOptions(targetSize: size))
      #expect(image.bitmap.pixelSize == size)
      #expect(fnv1a(image.bitmap.packedPixels) == picture.pixelHash, "\(picture.name)")
      // One column more than the fraction has takes the next one.
      let more = PixelSize(width: size.width + 1, height: size.height)
      let larger = try JPEGDecoder().decode(picture.file.span, options: DecodingOptions(targetSize: more)).bitmap
      #expect(larger.width > size.width)
    }
  }

  @Test func everyOutputFormatShowsTheSamePixels() throws {
    for picture in ReferencePicture.all where picture.name.hasSuffix("17x1") || picture.name.hasSuffix("7x16") {
      let natural = try JPEGDecoder().decode(picture.file.span).bitmap
      for format in PixelFormat.all {
        let image = try JPEGDecoder().decode(picture.file.span, options: DecodingOptions(pixelFormat: format))
        #expect(image.bitmap.format == format)
        #expect(
          try image.bitmap.packedPixels == natural.converted(to: format).packedPixels, "\(picture.name) \(format)")
      }
    }
  }

  @Test func aReusedBitmapKeepsNothingOfTheLastImage() throws {
    var bitmap = try Bitmap(
      width: 67, height: 53, format: .rgb8, pixels: [UInt8](repeating: 0xA5, count: 67 * 53 * 3))
    let cut = Array(ReferencePicture.named("standard-tables").prefix(1200))
    _ = try JPEGDecoder().decode(cut.span, into: &bitmap, options: DecodingOptions())
    let fresh = try JPEGDecoder().decode(cut.span)
    #expect(bitmap.packedPixels == fresh.bitmap.packedPixels)
    #expect(!fresh.isComplete)
    #expect(bitmap.row(52)[66 * 3] == 0)
  }
}
