// Names and spellings that code written for Nuke uses, as it uses them.

import FoundationEssentials
import ImageLoading
import Testing

// The guide's own decoder for SVG, by its name in the guide.
extension ImageDecoders {
  fileprivate final class SVG: ImageDecoding {
    init?(context: ImageDecodingContext) {
      guard context.urlResponse?.url?.absoluteString.hasSuffix(".svg") ?? false else { return nil }
    }

    func decode(_ data: Data) throws -> ImageContainer {
      ImageContainer(image: PlatformImage(), type: .svg, data: data)
    }
  }
}

@Suite struct NukeShapeSamples {
  private static let url = URL(string: "https://example.org/image.svg")

  @Test func theGuidesSVGDecoder() throws {
    let registry = ImageDecoderRegistry()
    registry.register(ImageDecoders.SVG.init)
    let context = ImageDecodingContext(
      request: ImageRequest(url: Self.url), data: Data("<svg/>".utf8), urlResponse: ImageURLResponse(url: Self.url))
    #expect(registry.decoder(for: context) is ImageDecoders.SVG)
    let decoder: ImageDecoders.SVG? = ImageDecoders.SVG(context: context)
    #expect(decoder != nil && ImageDecoders.VectorImage(context: context) != nil)
  }

  @Test func theDefaultDecoderIsRegisteredByItsType() {
    let registry = ImageDecoderRegistry()
    registry.clear()
    registry.register(ImageDecoders.Default.self)
    let data = Data("GIF89a".utf8)
    var context = ImageDecodingContext(request: ImageRequest(url: nil), data: data)
    #expect(registry.decoder(for: context) is ImageDecoders.Default)
    context.isCompleted = false
    #expect(registry.decoder(for: context) is ImageDecoders.Default)
  }

  @Test func numbersOfTypeFloat() throws {
    let value: Float = 0.5
    var request = ImageRequest(url: Self.url)
    request.scale = value
    #expect(request.scale == 0.5)
    #expect(ImageRequest.ThumbnailOptions(maxPixelSize: value) == ImageRequest.ThumbnailOptions(maxPixelSize: 0.5))
    #expect(ImageRequest.ThumbnailOptions(maxPixelSize: 400) == ImageRequest.ThumbnailOptions(maxPixelSize: 400.0))
    #expect(ImageEncoders.Default(compressionQuality: value).compressionQuality == 0.5)
    #expect(ImageEncoders.ImageIO(type: .png, compressionRatio: value).compressionRatio == 0.5)
    let encoders: [any ImageEncoding] = [
      .imageIO(type: .png), .imageIO(type: .png, compressionRatio: 0.9), .imageIO(type: .png, compressionRatio: value),
      .default(), .default(compressionQuality: value),
    ]
    let image = try PlatformImage(width: 1, height: 1, format: .rgba8)
    for encoder in encoders { #expect(encoder.encode(image) != nil) }
  }

  @Test func identifiersComeBack() {
    var request = ImageRequest(url: Self.url)
    request.imageID = "custom"
    #expect(request.imageID == "custom")
    request.imageID = nil
    #expect(request.imageID == Self.url?.absoluteString)
    var closure = ImageRequest(id: "id", data: { Data() })
    closure.imageID = nil
    #expect(closure.imageID == "id")
  }

  @Test func descriptions() {
    let text = ImageRequest(url: Self.url).description
    #expect(text.hasPrefix("ImageRequest(") && text.contains("resource: https://example.org/image.svg"))
    #expect(text.contains("priority: normal") && text.contains("processors: []"))
    #expect(ImageRequest(url: nil).description.contains("resource: nil"))
    #expect(ImageRequest(id: "id", data: { Data() }).description.contains("resource: <closure>"))
    let image: @Sendable () async throws -> ImageContainer = { ImageContainer(image: PlatformImage()) }
    #expect(ImageRequest(id: "id", image: image).description.contains("resource: <closure>"))
    #expect("\(ImageProcessingOptions.Unit.points)" == "points" && "\(ImageProcessingOptions.Unit.pixels)" == "pixels")
    #expect("\(ImageProcessingOptions.ContentMode.aspectFill)" == ".aspectFill")
    #expect("\(ImageProcessingOptions.ContentMode.aspectFit)" == ".aspectFit")
  }

  @Test func headersAndStatusOfAResponse() {
    let response = ImageURLResponse(
      url: Self.url, mimeType: "image/svg+xml", statusCode: 203, headers: ["Content-Language": "de"])
    #expect(response.statusCode == 203 && response.value(forHTTPHeaderField: "content-language") == "de")
    #expect(response.value(forHTTPHeaderField: "ETag") == nil)
    #expect(ImageURLResponse(url: nil).statusCode == nil)
  }

  @Test func nothingIsAttachedUnasked() throws {
    let data = Data(try PlatformImage(width: 1, height: 1, format: .rgba8).encoded(as: .png))
    var request = ImageRequest(url: nil)
    let plain = try ImageDecoders.Default(context: ImageDecodingContext(request: request, data: data))?.decode(data)
    #expect(plain?.userInfo.isEmpty == true)
    request.userInfo[.attachesImageInfoKey] = true
    let asked = try ImageDecoders.Default(context: ImageDecodingContext(request: request, data: data))?.decode(data)
    #expect((asked?.userInfo[.imageInfoKey] as? ImageInfo)?.width == 1)
  }
}
