// Code as users of Nuke write it, with `import ImageCodecs` in place of `import Nuke`. That it compiles is half of the
// test.

import FoundationEssentials
import ImageLoading
import Testing

/// A decoder that a user writes for their own format: a class that keeps state between the pieces.
private final class CountingDecoder: ImageDecoding {
  private let context: ImageDecodingContext

  init?(context: ImageDecodingContext) {
    guard context.data.starts(with: Array("count:".utf8)) else { return nil }
    self.context = context
  }

  func decode(_ data: Data) throws -> ImageContainer {
    guard let width = Int(String(decoding: data.dropFirst(6), as: UTF8.self)) else { throw ImageDecodingError.unknown }
    let image = try PlatformImage(width: width, height: 1, format: .gray8)
    return ImageContainer(image: image, type: "org.example.count", userInfo: ["width": width])
  }
}

/// Vector images handed to a renderer by the suffix of their URL.
private final class SuffixDecoder: ImageDecoding {
  init?(context: ImageDecodingContext) {
    guard context.isCompleted, context.urlResponse?.url?.absoluteString.hasSuffix(".svg") ?? false else { return nil }
  }

  func decode(_ data: Data) throws -> ImageContainer {
    ImageContainer(image: PlatformImage(), type: .svg, data: data)
  }
}

/// A decoder that asks a service.
private struct RemoteDecoder: AsyncImageDecoding {
  func decode(_ data: Data) async throws -> ImageContainer {
    await Task.yield()
    return ImageContainer(image: PlatformImage(), data: data)
  }
}

extension ImageContainer.UserInfoKey {
  fileprivate static let rendererKey: ImageContainer.UserInfoKey = "org.example.renderer"
}

extension ImageRequest.UserInfoKey {
  fileprivate static let targetSizeKey = ImageRequest.UserInfoKey("org.example.target-size")
}

@Suite struct CustomDecoderSamples {
  @Test func registeringAnInitializer() throws {
    let registry = ImageDecoderRegistry()
    registry.register(CountingDecoder.init)
    let data = Data("count:42".utf8)
    let context = ImageDecodingContext(request: ImageRequest(url: URL(string: "https://example.org/a")), data: data)
    let container = try #require(registry.decoder(for: context)).decode(data)
    #expect(container.image.width == 42)
    #expect(container.userInfo["width"] as? Int == 42)
    #expect(throws: ImageDecodingError.unknown) {
      try registry.decoder(for: context)?.decode(Data("count:x".utf8))
    }
  }

  @Test func choosingByTheResponse() throws {
    let registry = ImageDecoderRegistry()
    registry.register(SuffixDecoder.init)
    registry.register { context in
      let isMarkdown = context.urlResponse?.mimeType == "text/markdown"
      return isMarkdown ? ImageDecoders.Empty(assetType: "net.daringfireball.markdown") : nil
    }
    let response = ImageURLResponse(url: URL(string: "https://example.org/icon.svg"), mimeType: "image/svg+xml")
    let data = Data("<svg/>".utf8)
    let context = ImageDecodingContext(request: "https://example.org/icon.svg", data: data, urlResponse: response)
    let decoder = try #require(registry.decoder(for: context))
    #expect(decoder is SuffixDecoder)
    #expect(try decoder.decode(data).data == data)
    var partial = context
    partial.isCompleted = false
    #expect(registry.decoder(for: partial) is ImageDecoders.Default)
  }

  @Test func passingValuesThroughTheRequest() {
    var request = ImageRequest(
      url: URL(string: "https://example.org/a.svg"), priority: .high, options: [.reloadIgnoringCachedData],
      userInfo: [.targetSizeKey: 64])
    request.scale = 2
    request.thumbnail = .init(maxPixelSize: 100)
    #expect(request.userInfo[.targetSizeKey] as? Int == 64)
    #expect(request.imageID == "https://example.org/a.svg")
    #expect(request.options.contains(.disableDiskCacheReads))
    #expect(ImageRequest.Priority.low < .high)
    let container = ImageContainer(image: PlatformImage(), userInfo: [.rendererKey: "none"])
    #expect(container.userInfo[.rendererKey] as? String == "none")
  }

  @Test func decodersThatSuspend() async throws {
    let decoder = RemoteDecoder()
    #expect(try await decoder.decode(Data([1])).data == Data([1]))
    let synchronous: any ImageDecoding = decoder
    #expect(throws: ImageDecodingError.synchronousDecodingUnsupported) { try synchronous.decode(Data([1])) }
  }

  @Test func showingProgressivePreviews() throws {
    let bitmap = try Bitmap(width: 64, height: 64, format: .rgb8, pixels: (0..<64 * 64 * 3).map { UInt8($0 % 251) })
    let data = Data(try bitmap.encoded(as: .png))
    let decoder = ImageDecoders.Default()
    var previews = 0
    for end in stride(from: 100, to: data.count, by: 100) {
      guard let container = decoder.decodePartiallyDownloadedData(data[..<end]) else { continue }
      previews += 1
      #expect(container.isPreview)
      #expect(container.userInfo[.scanNumberKey] as? Int == previews)
    }
    #expect(try decoder.decode(data).image.packedPixels == bitmap.packedPixels)
  }

  @Test func namingTypes() {
    let type: AssetType = "org.example.count"
    #expect(type.rawValue == "org.example.count")
    #expect(AssetType(Data("GIF89a".utf8)) == .gif)
    #expect(AssetType.webp.rawValue == "org.webmproject.webp")
  }
}
