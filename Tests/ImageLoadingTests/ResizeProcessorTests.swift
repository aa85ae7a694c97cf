// The processor with Nuke's interface, and filters by name.

import ImageLoading
import TestSupport
import Testing

@Suite struct ResizeProcessorTests {
  @Test func sizes() throws {
    let image = try ThumbnailPictures.photo(width: 60, height: 40)
    func size(_ processor: ImageProcessors.Resize) -> PixelSize? { processor.process(image)?.pixelSize }
    let square = ImageSize(width: 20, height: 20)
    #expect(size(.resize(size: square)) == PixelSize(width: 30, height: 20))
    #expect(size(.resize(size: square, contentMode: .aspectFit)) == PixelSize(width: 20, height: 13))
    #expect(size(.resize(size: square, crop: true)) == PixelSize(width: 20, height: 20))
    #expect(size(.resize(width: 15)) == PixelSize(width: 15, height: 10))
    #expect(size(.resize(height: 10)) == PixelSize(width: 15, height: 10))
    #expect(size(.resize(width: 120)) == image.pixelSize)
    #expect(size(.resize(width: 120, upscale: true)) == PixelSize(width: 120, height: 80))
    let large = ImageSize(width: 90, height: 90)
    #expect(size(.resize(size: large, crop: true, upscale: true)) == PixelSize(width: 90, height: 90))
    for side in [0, -1, Double.nan, .infinity] { #expect(size(.resize(width: side)) == nil) }
  }

  /// An image that cannot fill the size without being enlarged is cropped to its aspect ratio.
  @Test(arguments: [
    (60, 40, 90, 90, 40, 40), (60, 40, 50, 50, 40, 40), (60, 40, 600, 60, 60, 6), (40, 60, 50, 100, 30, 60),
    (1, 60, 600, 60, 1, 1),
  ])
  func smallImagesAreCroppedToTheAspectRatio(
    _ width: Int, _ height: Int, _ targetWidth: Double, _ targetHeight: Double, _ newWidth: Int, _ newHeight: Int
  ) throws {
    let target = ImageSize(width: targetWidth, height: targetHeight)
    let expected = PixelSize(width: newWidth, height: newHeight)
    var image = try ThumbnailPictures.photo(width: width, height: height)
    #expect(ImageProcessors.Resize(size: target, crop: true).process(image)?.pixelSize == expected)
    // The size is that of the upright image.
    image = try ThumbnailPictures.photo(width: height, height: width)
    image.orientation = .right
    #expect(ImageProcessors.Resize(size: target, crop: true).process(image)?.pixelSize == expected.transposed)
  }

  @Test func theMiddleIsKept() throws {
    let image = try Bitmap(width: 90, height: 30, format: .rgb8) { pixels in
      for index in pixels.indices where index / 3 % 90 / 30 == index % 3 { pixels[index] = 255 }
    }
    let cropped = try #require(
      ImageProcessors.Resize(size: ImageSize(width: 100, height: 100), crop: true).process(image))
    #expect(cropped.pixelSize == PixelSize(width: 30, height: 30))
    #expect(cropped[0, 0] == RGBA8.green && cropped[29, 29] == RGBA8.green)
  }

  /// The other side is not limited, however long it is.
  @Test func oneSideIsLimited() throws {
    let tall = try Bitmap(width: 10, height: 30_000, format: .gray8)
    #expect(ImageProcessors.Resize(width: 5).process(tall)?.pixelSize == PixelSize(width: 5, height: 15_000))
    #expect(ImageProcessors.Resize(width: 20).process(tall) == tall)
    let wide = try Bitmap(width: 30_000, height: 10, format: .gray8)
    #expect(ImageProcessors.Resize(height: 5).process(wide)?.pixelSize == PixelSize(width: 15_000, height: 5))
    let limited = ImageProcessors.Resize(size: ImageSize(width: 9000, height: 9000), contentMode: .aspectFit)
    #expect(limited.process(tall)?.pixelSize == PixelSize(width: 3, height: 9000))
  }

  @Test func pixelsAndTags() throws {
    var image = try ThumbnailPictures.photo(width: 60, height: 40)
    image.scale = 2
    image.orientation = .left
    image.colorSpace = .displayP3
    let resized = try #require(ImageProcessors.Resize(width: 20).process(image))
    // The width of the upright image is the stored height.
    #expect(resized == (try image.resized(toWidth: 30, height: 20)))
    #expect(resized.scale == 2)
    let processors: Set<ImageProcessors.Resize> = [.resize(width: 1), .resize(width: 1), .resize(height: 1)]
    #expect(processors.count == 2)
    #expect(Set(processors.map(\.identifier)).count == 2)
  }

  @Test func filtersByName() {
    for filter in ResamplingFilter.allCases { #expect(ResamplingFilter(name: filter.rawValue) == filter) }
    let names: [(String, ResamplingFilter)] = [
      ("LANCZOS", .lanczos3), ("ANTIALIAS", .lanczos3), ("BICUBIC", .bicubic), ("Cubic", .bicubic),
      ("BILINEAR", .bilinear), ("LINEAR", .bilinear), ("BOX", .box), ("HAMMING", .hamming), ("NEAREST", .nearest),
    ]
    for (name, filter) in names { #expect(ResamplingFilter(name: name) == filter) }
    #expect(ResamplingFilter(name: "sharp") == nil)
  }
}
