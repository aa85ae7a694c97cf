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
    #expect(size(.resize(size: large, crop: true)) == image.pixelSize)
    #expect(size(.resize(size: ImageSize(width: 50, height: 50), crop: true)) == PixelSize(width: 50, height: 40))
    #expect(size(.resize(size: large, crop: true, upscale: true)) == PixelSize(width: 90, height: 90))
    for side in [0, -1, Double.nan, .infinity] { #expect(size(.resize(width: side)) == nil) }
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
