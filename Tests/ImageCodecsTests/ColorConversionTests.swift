// Colour conversion of files: whole images, sessions, frames and rows.

import Foundation
import ImageCodecs
import TestSupport
import Testing

private let displayP3: ColorConversion = .to(.displayP3)

/// A picture in Adobe RGB, and its file.
private func sample(_ format: PixelFormat = .rgba8) throws -> (bitmap: Bitmap, file: [UInt8]) {
  var random = TestRandom(3)
  var bitmap = try Bitmap(width: 31, height: 17, format: format, pixels: random.bytes(31 * 17 * format.bytesPerPixel))
  bitmap.colorSpace = .icc(try #require(ColorSpace.adobeRGB.makeICCProfile()))
  return (bitmap, try bitmap.encoded(as: .png(.init())))
}

/// Collects rows.
private final class RowCollector: ImageRowSink {
  var image: StreamedImage?
  var bytes: [UInt8] = []

  func begin(_ image: StreamedImage, budget: inout ResourceBudget) throws(CodecError) { self.image = image }
  func append(_ row: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    for index in row.indices { bytes.append(row[index]) }
  }
}

@Suite struct ColorConversionTests {
  @Test func wholeImages() throws {
    let (bitmap, file) = try sample()
    let kept = try ImageFile(file).decode()
    #expect(kept.bitmap.packedPixels == bitmap.packedPixels && kept.metadata.colorSpace.iccProfile != nil)
    let expected = try bitmap.converted(to: .displayP3)
    let image = try ImageFile(file, colorConversion: displayP3).decode()
    #expect(image.bitmap.packedPixels == expected.packedPixels)
    #expect(image.bitmap.packedPixels != bitmap.packedPixels)
    #expect(image.bitmap.colorSpace == .displayP3)
    // Encoded again, the file describes the new colours only.
    #expect(image.metadata.colorSpace.iccProfile == nil)
    let again = try ImageFile(image.bitmap.encoded(as: .png(.init()), metadata: image.metadata)).decode()
    #expect(again.bitmap.colorSpace == .displayP3)
    let gray = try ImageFile(
      file, options: DecodingOptions(pixelFormat: .gray16), colorConversion: displayP3
    ).decode().bitmap
    #expect(gray.packedPixels == (try expected.converted(to: .gray16)).packedPixels)
  }

  @Test func rows() throws {
    let (bitmap, file) = try sample(.rgb16)
    for format in [nil, PixelFormat.bgra8] {
      let collector = RowCollector()
      let image = try ImageFile(file, options: DecodingOptions(pixelFormat: format), colorConversion: displayP3)
      let details = try image.decode(to: collector)
      var expected = try bitmap.converted(to: .displayP3)
      if let format { expected = try expected.converted(to: format) }
      #expect(collector.bytes == expected.packedPixels)
      #expect(collector.image?.format == expected.format && collector.image?.colorSpace == .displayP3)
      #expect(details.metadata.colorSpace.iccProfile == nil)
    }
  }

  @Test func sessions() throws {
    let (bitmap, file) = try sample()
    let expected = try bitmap.converted(to: .displayP3).packedPixels
    let session = ImageSession(colorConversion: displayP3)
    let half = file.count * 3 / 4
    try session.append(file.span.extracting(0..<half))
    let preview = try #require(session.makePreview())
    #expect(preview.colorSpace == .displayP3)
    #expect(preview.packedPixels.prefix(31 * 4) == expected.prefix(31 * 4))
    try session.append(file.span.extracting(half..<file.count))
    #expect(try session.finish().bitmap.packedPixels == expected)
  }

  @Test func frames() throws {
    let (bitmap, still) = try sample(.rgb8)
    var second = bitmap
    var pixels = second.mutablePixels
    for index in 0..<31 * 3 { pixels[index] = 255 }
    let frames = [bitmap, second].map { AnimationFrame(bitmap: $0, delay: .milliseconds(100)) }
    let file = try PNGEncoder().encode(
      animation: frames, loopCount: .infinite, metadata: try ImageFile(still).decode().metadata)
    let animation = try #require(try ImageFile(file, colorConversion: displayP3).animation())
    let plain = try #require(try ImageFile(file).animation())
    #expect(try plain.frame(at: 1).colorSpace.iccProfile != nil)
    let expected = try (0..<2).map { try plain.frame(at: $0).converted(to: .displayP3).packedPixels }
    var cursor = animation.makeCursor()
    for index in 0..<2 {
      #expect(try animation.frame(at: index).packedPixels == expected[index])
      #expect(try cursor.next()?.packedPixels == expected[index])
    }
  }

  @Test(arguments: ["png", "jpg", "gif", "bmp", "tiff", "ico", "pnm", "svg"])
  func filesOfAllFormats(_ name: String) throws {
    let picture = try sample(.rgb8).bitmap
    let file: [UInt8] =
      switch name {
      case "png": try picture.encoded(as: .png)
      case "jpg": try picture.encoded(as: .jpeg)
      case "gif": try picture.encoded(as: .gif)
      case "bmp": try picture.encoded(as: .bmp)
      case "tiff": try picture.encoded(as: .tiff)
      case "ico": try picture.encoded(as: .ico)
      case "pnm": try picture.encoded(as: .pnm(PNMEncoder.Options(kind: .ppm)))
      default: Array(#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>"#.utf8)
      }
    let image = try ImageFile(file, colorConversion: displayP3)
    #expect(try image.decode().bitmap.colorSpace == .displayP3)
    #expect(try image.thumbnail(Thumbnail(width: 5, color: .source)).bitmap.colorSpace == .displayP3)
    // The request has its own colour space.
    #expect(try image.thumbnail(Thumbnail(width: 5)).bitmap.colorSpace != .displayP3)
  }

  @Test func animatedThumbnails() throws {
    let frame = AnimationFrame(bitmap: try sample(.rgb8).bitmap, delay: .milliseconds(100))
    for file in [
      try PNGEncoder().encode(animation: [frame, frame], loopCount: .infinite),
      try GIFEncoder().encode(animation: [frame, frame], loopCount: .infinite),
    ] {
      let image = try ImageFile(file, colorConversion: displayP3)
      let made = try image.encodedThumbnail(Thumbnail(width: 9, color: .source, frames: .all), as: .png)
      #expect(made.frameCount == 2)
      #expect(try Bitmap(decoding: made.bytes).colorSpace.definition == ColorSpace.displayP3.definition)
    }
  }

  @Test func brokenProfiles() throws {
    var bitmap = try sample().bitmap
    bitmap.colorSpace = .icc([1, 2, 3, 4])
    let file: [UInt8] = try bitmap.encoded(as: .png(.init()))
    let image = try ImageFile(file, colorConversion: .to(.sRGB)).decode()
    #expect(image.bitmap.packedPixels == bitmap.packedPixels)
    #expect(image.diagnostics.contains { $0.reason.contains("colour space is ignored") })
    #expect(throws: CodecError.self) {
      try ImageFile(file, options: DecodingOptions(tolerance: .strict), colorConversion: .to(.sRGB)).decode()
    }
  }
}
