// Processors: their pixels, compared with those computed from their definitions, and their identities.

import Foundation
import ImageLoading
import Testing

@Suite struct ProcessorTests {
  /// A picture of a single colour.
  private func plain(_ width: Int, _ height: Int, _ color: RGBA8) throws -> Bitmap {
    try Bitmap(width: width, height: height, format: .rgba8) { pixels in
      for index in stride(from: 0, to: pixels.count, by: 4) {
        pixels[index] = color.red
        pixels[index + 1] = color.green
        pixels[index + 2] = color.blue
        pixels[index + 3] = color.alpha
      }
    }
  }

  /// The part of a pixel inside a shape, by 16 × 16 samples.
  private func coverage(_ x: Int, _ y: Int, _ isInside: (Double, Double) -> Bool) -> Double {
    var count = 0
    for row in 0..<16 {
      for column in 0..<16
      where isInside(Double(x) + (Double(column) + 0.5) / 16, Double(y) + (Double(row) + 0.5) / 16) {
        count += 1
      }
    }
    return Double(count) / 256
  }

  private func isInsideRoundedRectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ radius: Double
  ) -> Bool {
    let dx = max(radius - x, x - (width - radius), 0)
    let dy = max(radius - y, y - (height - radius), 0)
    return dx * dx + dy * dy <= radius * radius
  }

  private let color = RGBA8(red: 200, green: 100, blue: 50)

  @Test func circlesAreCutFromTheMiddle() throws {
    var image = try plain(60, 40, color)
    image.scale = 2
    let circle = try #require(ImageProcessors.Circle().process(image))
    #expect(circle.pixelSize == PixelSize(width: 40, height: 40) && circle.scale == 2)
    for y in 0..<40 {
      for x in 0..<40 {
        let expected = coverage(x, y) { isInsideRoundedRectangle($0, $1, 40, 40, 20) }
        #expect(abs(Double(circle[x, y].alpha) / 255 - expected) < 0.03, "\(x), \(y)")
      }
    }
    #expect(circle[20, 20] == color)
  }

  @Test func roundedCorners() throws {
    let image = try plain(30, 20, color)
    let rounded = try #require(ImageProcessors.RoundedCorners(radius: 6).process(image))
    for y in 0..<20 {
      for x in 0..<30 {
        let expected = coverage(x, y) { isInsideRoundedRectangle($0, $1, 30, 20, 6) }
        #expect(abs(Double(rounded[x, y].alpha) / 255 - expected) < 0.03, "\(x), \(y)")
      }
    }
    // Radii are limited to half of the shorter side, and negative ones are zero.
    let limited = try #require(ImageProcessors.RoundedCorners(radius: 1000).process(image))
    #expect(limited == ImageProcessors.RoundedCorners(radius: 10).process(image))
    #expect(ImageProcessors.RoundedCorners(radius: -5).process(image)?[0, 0] == color)
  }

  @Test func bordersAreInsideTheShape() throws {
    let border = ImageProcessingOptions.Border(color: .black, width: 3)
    let image = try plain(30, 30, color)
    let rounded = try #require(ImageProcessors.RoundedCorners(radius: 0, border: border).process(image))
    for y in 0..<30 {
      for x in 0..<30 {
        let isBorder = min(x, y, 29 - x, 29 - y) < 3
        #expect(rounded[x, y] == (isBorder ? .black : color), "\(x), \(y)")
      }
    }
    let circle = try #require(ImageProcessors.Circle(border: border).process(image))
    #expect(circle[15, 1] == .black && circle[15, 5] == color && circle[0, 0].alpha == 0)
    // A border wider than the image covers it.
    let wide = ImageProcessingOptions.Border(color: .black, width: 100)
    #expect(ImageProcessors.RoundedCorners(radius: 0, border: wide).process(image)?[15, 15] == .black)
  }

  @Test func blursAreGaussian() throws {
    // A plain image does not change, at the edges neither.
    let image = try plain(20, 10, color)
    let blurred = try #require(ImageProcessors.GaussianBlur(radius: 4).process(image))
    for y in 0..<10 {
      for x in 0..<20 {
        let pixel = blurred[x, y]
        #expect(pixel.alpha == 255)
        #expect(abs(Int(pixel.red) - 200) <= 1 && abs(Int(pixel.green) - 100) <= 1, "\(x), \(y)")
      }
    }
    // An edge becomes the integral of the bell curve.
    let edge = try Bitmap(width: 80, height: 4, format: .gray8) { pixels in
      for index in pixels.indices { pixels[index] = index % 80 < 40 ? 0 : 255 }
    }
    let soft = try #require(ImageProcessors.GaussianBlur(radius: 6).process(edge))
    for x in 0..<80 {
      let expected = 127.5 * (1 + erf((Double(x) + 0.5 - 40) / (6 * 2.0.squareRoot())))
      #expect(abs(Double(soft[x, 2].red) - expected) < 6, "\(x): \(soft[x, 2].red), \(expected)")
    }
    #expect(ImageProcessors.GaussianBlur(radius: 0).process(image) == image)
    #expect(ImageProcessors.GaussianBlur(radius: -3) == ImageProcessors.GaussianBlur(radius: 0))
    // Opaque images remain without alpha, and are encoded as JPEG.
    #expect(soft.format == .rgb8)
    let transparent = try edge.converted(to: .rgba8)
    #expect(ImageProcessors.GaussianBlur(radius: 6).process(transparent)?.format.hasAlpha == true)
  }

  @Test func emptyImagesCannotBeProcessed() {
    let processors: [any ImageProcessing] = [
      .circle(), .roundedCorners(radius: 3), .gaussianBlur(), .resize(width: 3),
    ]
    for processor in processors { #expect(processor.process(PlatformImage()) == nil) }
  }

  @Test func compositions() throws {
    let image = try TestImages.bitmap()
    let composition = ImageProcessors.Composition([.resize(width: 20), .circle()])
    #expect(
      composition.process(image)
        == ImageProcessors.Resize(width: 20).process(image).flatMap(ImageProcessors.Circle().process))
    #expect(composition == ImageProcessors.Composition([.resize(width: 20), .circle()]))
    #expect(composition != ImageProcessors.Composition([.circle(), .resize(width: 20)]))
    #expect(Set([composition, ImageProcessors.Composition([])]).count == 2)
    let context = ImageProcessingContext(
      request: ImageRequest(url: nil),
      response: ImageResponse(container: ImageContainer(image: image), request: ImageRequest(url: nil)),
      isCompleted: true)
    let container = try composition.process(ImageContainer(image: image, type: .png), context: context)
    #expect(container.type == .png && container.image.pixelSize == composition.process(image)?.pixelSize)
    let failing = ImageProcessors.Composition([.process(id: "a") { _ in nil }, .circle()])
    #expect(failing.process(image) == nil)
    #expect(throws: ImageProcessingError.unknown) {
      try failing.process(ImageContainer(image: image), context: context)
    }
  }

  @Test func identifiersDistinguishParameters() {
    let border = ImageProcessingOptions.Border(color: .black, width: 2)
    let processors: [any ImageProcessing] = [
      .circle(), .circle(border: border), .circle(border: .init(color: .white, width: 2)), .roundedCorners(radius: 3),
      .roundedCorners(radius: 4), .roundedCorners(radius: 4, border: border), .gaussianBlur(), .gaussianBlur(radius: 9),
      .resize(width: 10), .resize(size: CGSize(width: 10, height: 10)), .process(id: "a") { $0 },
      ImageProcessors.Composition([.circle(), .gaussianBlur()]),
    ]
    #expect(Set(processors.map(\.identifier)).count == processors.count)
    #expect(Set(processors.map(\.hashableIdentifier)).count == processors.count)
    #expect(border.description == "Border(color: #000000, width: 2.0 pixels)")
    #expect(ImageProcessors.Circle().description == "Circle(border: nil)")
    #expect(ImageProcessors.GaussianBlur().description == "GaussianBlur(radius: 8)")
  }

  @Test func sizesOfFoundation() {
    let size = CGSize(width: 30, height: 20)
    #expect(ImageProcessors.Resize(size: size) == ImageProcessors.Resize(size: ImageSize(width: 30, height: 20)))
    #expect(ImageRequest.ThumbnailOptions(size: size) == .init(size: ImageSize(size)))
    #expect(CGSize(ImageSize(size)) == size)
    let side: CGFloat = 40
    #expect(ImageProcessors.Resize(width: side) == ImageProcessors.Resize(width: 40))
  }
}
