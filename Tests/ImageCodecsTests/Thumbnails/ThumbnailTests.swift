// Thumbnails against the same images decoded to bitmaps and resized; orientation, alpha, inks, drawings, regions.

import Foundation
import ImageCodecs
import TestSupport
import Testing

@Suite struct ThumbnailTests {
  private static let formats: [PixelFormat] = [.gray8, .grayAlpha8, .rgb8, .rgba8, .gray16, .rgb16, .rgba16]

  @Test(arguments: formats, [false, true])
  func rowsThatAreStreamedAreThoseOfTheBitmap(format: PixelFormat, isInterlaced: Bool) throws {
    let picture = try ThumbnailPictures.photo(width: 157, height: 211, format)
    let options = PNGEncoder.Options(compressionLevel: 1, isInterlaced: isInterlaced)
    let file = try picture.encoded(as: .png(options))
    let decoded = try Bitmap(decoding: file)
    for filter in [ResamplingFilter.lanczos3, .box, .nearest] {
      let expected = try decoded.resized(toWidth: 37, height: 50, filter: filter)
      let kept = try ImageFile(file).thumbnail(Thumbnail(width: 37, filter: filter, color: .source)).bitmap
      #expect(kept == expected)
      let small = try ImageFile(file).thumbnail(Thumbnail(width: 37, filter: filter)).bitmap
      #expect(small == (try expected.converted(to: decoded.format.narrowed)))
    }
    let linear = try decoded.resized(toWidth: 37, height: 50, light: .linear)
    #expect(try ImageFile(file).thumbnail(Thumbnail(width: 37, light: .linear, color: .source)).bitmap == linear)
    // A crop between whole pixels: 157 × 157 in the middle. Others are computed by CoverTests.
    let cropped = try decoded.cropped(to: PixelRegion(x: 0, y: 27, width: 157, height: 157))
    #expect(
      try ImageFile(file).thumbnail(Thumbnail(width: 60, height: 60, fit: .cover, color: .source)).bitmap
        == cropped.resized(toWidth: 60, height: 60))
  }

  @Test(arguments: [false, true])
  func jpegIsReducedUntilTwiceTheSizeIsLeft(isProgressive: Bool) throws {
    let picture = try ThumbnailPictures.photo(width: 403, height: 299)
    let file = try picture.encoded(as: .jpeg(.init(quality: 90, subsampling: .yuv444, isProgressive: isProgressive)))
    for (width, height, eighths) in [
      (202, 150, 8), (201, 149, 8), (101, 75, 4), (100, 74, 4), (50, 37, 2), (25, 19, 1), (9, 7, 1),
    ] {
      var options = DecodingOptions()
      options.targetSize = PixelSize(width: (403 * eighths + 7) / 8, height: (299 * eighths + 7) / 8)
      let reduced = try Bitmap(decoding: file, options: options)
      #expect(reduced.width == (403 * eighths + 7) / 8)
      let made = try ImageFile(file).thumbnail(Thumbnail(width: width, height: height, fit: .exact))
      #expect(made.bitmap == (try reduced.resized(toWidth: width, height: height)))
      #expect(made.info.size == picture.pixelSize)
    }
  }

  @Test(arguments: ImageOrientation.allCases)
  func orientationIsApplied(_ orientation: ImageOrientation) throws {
    let upright = try ThumbnailPictures.quarters(width: 48, height: 32)
    let stored = ThumbnailPictures.stored(upright, as: orientation)
    let png = try stored.encoded(as: .png)
    let expected = try ThumbnailPictures.quarters(width: 12, height: 8)
    let request = Thumbnail(width: 12, height: 12, filter: .box, background: RGBA8(red: 0, green: 0, blue: 0))
    for file in [png, ThumbnailPictures.movingOrientationToEnd(png)] {
      let made = try ImageFile(file).thumbnail(request).bitmap
      #expect(made.orientation == .up)
      #expect(made == (try expected.converted(to: .rgb8)))
      let left = Thumbnail(width: 4, height: 8, fit: .cover(.left), filter: .box)
      #expect(try ImageFile(file).thumbnail(left).bitmap.packedPixels.first == 255)
      let reported = try ImageFile(file, options: DecodingOptions(orientation: .report)).thumbnail(request).bitmap
      #expect(reported.orientation == orientation)
      #expect(reported.orientedUp() == made)
    }
    let jpeg = try stored.encoded(as: .jpeg(.init(quality: 100, subsampling: .yuv444)))
    let small = try ImageFile(jpeg).thumbnail(request).bitmap
    #expect(small.pixelSize == expected.pixelSize)
    let (samples, expectedSamples) = (small.packedPixels, expected.packedPixels)
    for pixel in [0, 11, 7 * 12, 7 * 12 + 11] {
      for channel in 0..<3 {
        #expect(abs(Int(samples[pixel * 3 + channel]) - Int(expectedSamples[pixel * 4 + channel])) <= 3)
      }
    }
  }

  @Test func transparencyIsKeptOrFlattened() throws {
    let picture = try ThumbnailPictures.quarters(width: 16, height: 16, alpha: 51)
    let file = try picture.encoded(as: .png)
    #expect(try ImageFile(file).thumbnail(Thumbnail(width: 4)).bitmap.format == .rgba8)
    let flat = try ImageFile(file).thumbnail(Thumbnail(width: 4, background: RGBA8(red: 255, green: 255, blue: 255)))
      .bitmap
    #expect(flat.format == .rgb8)
    // A fifth of red on white.
    #expect(Array(flat.packedPixels.prefix(3)) == [255, 204, 204])
    let jpeg = try ImageFile(file).encodedThumbnail(
      Thumbnail(width: 4), as: .jpeg(.init(quality: 100, subsampling: .yuv444)))
    let again = try Bitmap(decoding: jpeg.bytes)
    for (sample, expected) in zip(again.packedPixels.prefix(3), [255, 204, 204]) {
      #expect(abs(Int(sample) - expected) <= 2)
    }
    let gray = try picture.converted(to: .grayAlpha8).encoded(as: .png(.init(reducesColors: false)))
    let onGray = Thumbnail(width: 4, background: RGBA8(red: 9, green: 9, blue: 9))
    #expect(try ImageFile(gray).thumbnail(onGray).bitmap.format == .gray8)
    let onBlue = Thumbnail(width: 4, background: RGBA8(red: 0, green: 0, blue: 9))
    #expect(try ImageFile(gray).thumbnail(onBlue).bitmap.format == .rgb8)
  }

  @Test func inksBecomeRGBBeforeTheyAreAveraged() throws {
    // Black made of all inks next to white paper: half of the light, not the light of half of each ink.
    let pixels: [UInt8] = (0..<256).flatMap { $0 % 2 == 0 ? [255, 255, 255, 255] : [0, 0, 0, 0] as [UInt8] }
    let picture = try Bitmap(width: 16, height: 16, format: .cmyk8, pixels: pixels)
    let file = try picture.encoded(as: .jpeg(.init(quality: 100, subsampling: .yuv444)))
    let made = try ImageFile(file).thumbnail(Thumbnail(width: 8, filter: .box)).bitmap
    #expect(made.format == .rgb8)
    #expect(made.packedPixels.allSatisfy { abs(Int($0) - 128) <= 3 })
    #expect(try ImageFile(file).thumbnail(Thumbnail(width: 8, color: .source)).bitmap.format == .cmyk8)
  }

  @Test func coloursAreConvertedAfterResizing() throws {
    var picture = try ThumbnailPictures.photo(width: 90, height: 60)
    picture.colorSpace = .displayP3
    let file = try picture.encoded(as: .png)
    let resized = try picture.resized(toWidth: 30, height: 20)
    let made = try ImageFile(file).thumbnail(Thumbnail(width: 30)).bitmap
    #expect(made.colorSpace == .sRGB)
    #expect(made == (try resized.converted(to: .sRGB)))
    #expect(made.packedPixels != resized.packedPixels)
    let kept = try ImageFile(file).thumbnail(Thumbnail(width: 30, color: .source)).bitmap
    #expect(kept.packedPixels == resized.packedPixels)
    #expect(kept.colorSpace.definition == ColorSpace.displayP3.definition)
    // sRGB's transfer function is that of Display P3, but primaries are not.
    let linear = try ImageFile(file).thumbnail(Thumbnail(width: 30, light: .linear)).bitmap
    #expect(linear == (try picture.converted(to: .sRGB).resized(toWidth: 30, height: 20, light: .linear)))
    // Rows of a JPEG are converted on their way to the encoder.
    let jpeg = try ImageFile(file).encodedThumbnail(Thumbnail(width: 30), as: .jpeg)
    #expect(jpeg.bytes == (try made.encoded(as: .jpeg)))
    let converting = try ImageFile(file, colorConversion: .to(.sRGB))
    #expect(try converting.thumbnail(Thumbnail(width: 30, color: .source)).bitmap == made)
  }

  @Test func brokenProfilesAreIgnored() throws {
    var picture = try ThumbnailPictures.photo(width: 32, height: 32)
    picture.colorSpace = .icc([1, 2, 3])
    let file = try picture.encoded(as: .jpeg)
    let made = try ImageFile(file).thumbnail(Thumbnail(width: 8))
    #expect(made.diagnostics.count == 1)
    #expect(made.bitmap.colorSpace == .sRGB)
  }

  @Test func drawingsAreDrawnAtTheSize() throws {
    let svg = Array(
      #"<svg xmlns="http://www.w3.org/2000/svg" width="10" height="5"><path d="M0 0h5v5H0z" fill="red"/></svg>"#.utf8)
    let made = try ImageFile(svg).thumbnail(Thumbnail(width: 200, height: 200))
    #expect(made.bitmap.pixelSize == PixelSize(width: 200, height: 100))
    // The edge is sharp: drawn, not enlarged.
    let row = Array(made.bitmap.packedPixels[50 * 800..<51 * 800])
    #expect(Array(row[396..<404]) == [255, 0, 0, 255, 0, 0, 0, 0])
    let covered = try ImageFile(svg).thumbnail(Thumbnail(width: 50, height: 50, fit: .cover(.left))).bitmap
    #expect(covered.pixelSize == PixelSize(width: 50, height: 50))
    #expect(covered.isFullyOpaque())
    #expect(try ImageFile(svg).thumbnail(Thumbnail(width: 7, height: 9, fit: .exact)).bitmap.pixelSize.height == 9)
    let empty = Array(#"<svg xmlns="http://www.w3.org/2000/svg" width="0" height="5"/>"#.utf8)
    let error = #expect(throws: CodecError.self) { _ = try ImageFile(empty).thumbnail(Thumbnail(width: 7)) }
    #expect(error?.kind == .malformed)
  }

  @Test func partsOfAnImage() throws {
    let picture = try ThumbnailPictures.quarters(width: 40, height: 40)
    let file = try ThumbnailPictures.stored(picture, as: .left).encoded(as: .png)
    let options = DecodingOptions(region: PixelRegion(x: 20, y: 0, width: 20, height: 20))
    let made = try ImageFile(file, options: options).thumbnail(Thumbnail(width: 5)).bitmap
    #expect(made.pixelSize == PixelSize(width: 5, height: 5))
    #expect(Array(made.packedPixels.prefix(4).prefix(3)) == [0, 255, 0])
  }

  @Test func filesHaveNoMetadata() throws {
    var metadata = ImageMetadata()
    metadata.comments = ["where I live"]
    metadata.xmp = Array("<x/>".utf8)
    let picture = try ThumbnailPictures.photo(width: 64, height: 64)
    for format in [EncodingFormat.png, .jpeg, .gif] {
      let file = try picture.encoded(as: .png, metadata: metadata)
      let made = try ImageFile(file).encodedThumbnail(Thumbnail(width: 16), as: format)
      #expect(made.type == format.type)
      #expect(made.size == PixelSize(width: 16, height: 16))
      let kept = try ImageFile(made.bytes).metadata()
      #expect(kept.comments.isEmpty && kept.texts.isEmpty)
      #expect(kept.exif == nil && kept.xmp == nil)
    }
  }

  @Test func sharpeningIsAnUnsharpMask() throws {
    let picture = try ThumbnailPictures.photo(width: 23, height: 17)
    let weights = [1, 2, 1]
    let samples = picture.packedPixels
    let sharp = try picture.thumbnail(Thumbnail(sharpening: 1.5)).packedPixels
    for y in 0..<17 {
      for x in 0..<69 {
        var sum = 0
        for (row, vertical) in zip([-1, 0, 1], weights) {
          for (column, horizontal) in zip([-1, 0, 1], weights) {
            let (line, pixel) = (min(max(y + row, 0), 16), min(max(x / 3 + column, 0), 22))
            sum += vertical * horizontal * Int(samples[line * 69 + pixel * 3 + x % 3])
          }
        }
        let value = Double(samples[y * 69 + x])
        let change = (1.5 * (value - Double(sum) / 16)).rounded(.toNearestOrAwayFromZero)
        #expect(sharp[y * 69 + x] == UInt8(min(max(value + change, 0), 255)))
      }
    }
    #expect(try picture.thumbnail(Thumbnail(sharpening: 0)) == picture)
  }

  @Test func invisibleColoursDoNotSharpenVisibleOnes() throws {
    let pixels: [UInt8] = (0..<81).flatMap { $0 % 9 < 5 ? [90, 120, 30, 255] : [255, 255, 255, 0] as [UInt8] }
    let picture = try Bitmap(width: 9, height: 9, format: .rgba8, pixels: pixels)
    #expect(try picture.thumbnail(Thumbnail(sharpening: 3)) == picture)
  }
}
