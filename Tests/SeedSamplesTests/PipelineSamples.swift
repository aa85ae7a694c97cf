// Loading of images as users of Nuke write it, without the views.

import Foundation
import ImageLoading
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A loader that has its files in memory, and delivers them in parts.
private struct FilesInMemory: DataLoading {
  final class Load: Cancellable {
    func cancel() {}
  }

  let files: [String: Data]

  func loadData(
    with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> any Cancellable {
    guard let url = request.url, let data = files[url.lastPathComponent] else {
      completion(URLError(.fileDoesNotExist))
      return Load()
    }
    Task {
      let response = URLResponse(
        url: url, mimeType: nil, expectedContentLength: data.count, textEncodingName: nil)
      for part in 0..<10 {
        didReceiveData(data[data.count * part / 10..<data.count * (part + 1) / 10], response)
        try? await Task.sleep(for: .milliseconds(5))
      }
      completion(nil)
    }
    return Load()
  }
}

/// The guide's decoder for drawings, which receives the size of its target from the request.
extension ImageDecoders {
  fileprivate final class SVG: ImageDecoding {
    private let size: ImageSize?

    init?(context: ImageDecodingContext) {
      guard context.isCompleted, context.urlResponse?.url?.absoluteString.hasSuffix(".svg") ?? false else { return nil }
      size = context.request.userInfo["size"] as? ImageSize
    }

    func decode(_ data: Data) throws -> ImageContainer {
      let document = try SVGDocument(parsing: Array(data))
      let image = try document.render(width: size.map { Int($0.width) }, height: size.map { Int($0.height) })
      return ImageContainer(image: image, type: .svg)
    }
  }
}

/// A view that shows animations, reduced to its task and the frames that it would draw.
@MainActor private final class AnimatedPicture {
  private(set) var frameCount = 0
  private(set) var hasImage = false
  private var task: ImageTask?

  func load(_ url: URL, pipeline: ImagePipeline, completion: @escaping @MainActor () -> Void) {
    task?.cancel()
    if let response = pipeline.cachedResponse(for: url) {
      display(response)
      return completion()
    }
    task = pipeline.loadImage(with: url) { [weak self] result in
      if case .success(let response) = result { self?.display(response) }
      completion()
    }
  }

  private func display(_ response: ImageResponse) {
    hasImage = true
    guard response.container.type == .gif, let data = response.container.data else { return }
    // The frames are decoded when they are drawn, one at a time.
    guard let animation = try? ImageFile(Array(data)).animation() else { return }
    var cursor = animation.makeCursor()
    frameCount = 0
    while let frame = try? cursor.next(), !frame.isEmpty { frameCount += 1 }
  }
}

private final class PolicyDelegate: ImagePipeline.Delegate {
  func previewPolicy(for context: ImageDecodingContext, pipeline: ImagePipeline) -> ImagePipeline.PreviewPolicy {
    context.request.userInfo["previews"] as? Bool == false ? .disabled : .default(for: context.data)
  }
}

@Suite struct PipelineSamples {
  private static let base = URL(string: "https://example.org/") ?? URL(fileURLWithPath: "/")
  private static let svg = Data("<svg xmlns='http://www.w3.org/2000/svg' width='8' height='4'/>".utf8)

  private static func bitmap() throws -> Bitmap {
    try Bitmap(width: 120, height: 90, format: .rgb8) { pixels in
      for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: index / 7) }
    }
  }

  private static func files() throws -> [String: Data] {
    var options = JPEGEncoder.Options()
    options.isProgressive = true
    let frames = try (0..<3).map { index in
      AnimationFrame(
        bitmap: try Bitmap(
          width: 6, height: 6, format: .rgb8, pixels: [UInt8](repeating: UInt8(index * 80), count: 108)),
        delay: .milliseconds(50))
    }
    return [
      "photo.jpeg": Data(try bitmap().encoded(as: .jpeg(options))), "icon.svg": svg,
      "cat.gif": Data(try GIFEncoder().encode(animation: frames, loopCount: .infinite)),
    ]
  }

  private static func pipeline(
    delegate: (any ImagePipeline.Delegate)? = nil, _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) throws -> ImagePipeline {
    let files = try files()
    return ImagePipeline(delegate: delegate) {
      $0.dataLoader = FilesInMemory(files: files)
      $0.imageCache = ImageCache()
      configure(&$0)
    }
  }

  @Test func progressiveDecodingWithClosures() async throws {
    let pipeline = try Self.pipeline {
      $0.isProgressiveDecodingEnabled = true
      $0.progressiveDecodingInterval = 0
    }
    let url = Self.base.appendingPathComponent("photo.jpeg")
    let (previewCount, image) = await withCheckedContinuation { continuation in
      Task { @MainActor in
        var previewCount = 0
        pipeline.loadImage(
          with: url,
          progress: { response, _, _ in
            if let response, response.isPreview { previewCount += 1 }
          },
          completion: { result in continuation.resume(returning: (previewCount, try? result.get().image)) })
      }
    }
    #expect(previewCount > 0 && image?.width == 120)
  }

  @Test func progressiveDecodingWithSequences() async throws {
    let pipeline = try Self.pipeline(delegate: PolicyDelegate()) {
      $0.isProgressiveDecodingEnabled = true
      $0.progressiveDecodingInterval = 0
    }
    var request = ImageRequest(url: Self.base.appendingPathComponent("photo.jpeg"))
    let task = pipeline.imageTask(with: request)
    var scans: [Int] = []
    for await preview in task.previews {
      if let scan = preview.container.userInfo[.scanNumberKey] as? Int { scans.append(scan) }
    }
    #expect(!scans.isEmpty && scans == Array(1...scans.count))
    #expect(try await task.image.width == 120)
    request.userInfo["previews"] = false
    request.options = [.reloadIgnoringCachedData]
    for await _ in pipeline.imageTask(with: request).previews { Issue.record("there is a preview") }
  }

  @Test @MainActor func animationsAreRenderedFromTheirData() async throws {
    let pipeline = try Self.pipeline()
    let picture = AnimatedPicture()
    let url = Self.base.appendingPathComponent("cat.gif")
    await withCheckedContinuation { continuation in
      picture.load(url, pipeline: pipeline) { continuation.resume() }
    }
    #expect(picture.hasImage && picture.frameCount == 3)
    // The second time, the response comes from the cache, before the call returns.
    let again = AnimatedPicture()
    again.load(url, pipeline: pipeline) {}
    #expect(again.frameCount == 3)
  }

  @Test func framesByACursor() async throws {
    let pipeline = try Self.pipeline()
    let response = try await pipeline.imageTask(with: Self.base.appendingPathComponent("cat.gif")).response
    let data = try #require(response.container.data)
    let animation = try #require(try await ImageFile(Array(data)).animation())
    var cursor = animation.makeCursor()
    var shades: [UInt8] = []
    while let frame = try cursor.next() { shades.append(frame[0, 0].red) }
    #expect(shades == [0, 80, 160])
    #expect(response.image[0, 0].red == 0 && !response.isPreview)
  }

  @Test func drawingsPassThroughForARendererOfTheApplication() async throws {
    let registry = ImageDecoderRegistry()
    registry.register { context in
      let isSVG = context.urlResponse?.url?.absoluteString.hasSuffix(".svg") ?? false
      return isSVG ? ImageDecoders.Empty() : nil
    }
    let pipeline = try Self.pipeline { $0.makeImageDecoder = { registry.decoder(for: $0) } }
    let url = Self.base.appendingPathComponent("icon.svg")
    let data = try await withCheckedThrowingContinuation { continuation in
      pipeline.loadImage(with: url) { result in
        continuation.resume(with: result.map(\.container.data).mapError { $0 as any Error })
      }
    }
    #expect(data == Self.svg)
    #expect(try SVGDocument(parsing: Array(#require(data))).render(width: 16).height == 8)
  }

  @Test func drawingsByTheGuidesDecoder() async throws {
    let registry = ImageDecoderRegistry()
    registry.register(ImageDecoders.SVG.init)
    let pipeline = try Self.pipeline { $0.makeImageDecoder = { registry.decoder(for: $0) } }
    let request = ImageRequest(
      url: Self.base.appendingPathComponent("icon.svg"), userInfo: ["size": ImageSize(width: 40, height: 20)])
    #expect(try await pipeline.image(for: request).pixelSize == PixelSize(width: 40, height: 20))
  }

  @Test func drawingsByTheLibrary() async throws {
    let pipeline = try Self.pipeline { $0.makeImageDecoder = { ImageDecoders.VectorImage(context: $0) } }
    var request = ImageRequest(url: Self.base.appendingPathComponent("icon.svg"))
    request.userInfo[.svgTargetSizeKey] = ImageSize(width: 100, height: 100)
    #expect(try await pipeline.image(for: request).pixelSize == PixelSize(width: 100, height: 50))
  }

  @Test func thumbnailsAndProcessors() async throws {
    let pipeline = try Self.pipeline()
    let url = Self.base.appendingPathComponent("photo.jpeg")
    var thumbnail = ImageRequest(url: url)
    thumbnail.thumbnail = .init(size: CGSize(width: 30, height: 30), contentMode: .aspectFit)
    #expect(try await pipeline.image(for: thumbnail).width == 30)
    let request = ImageRequest(
      url: url, processors: [.resize(size: CGSize(width: 44, height: 44), crop: true), .circle(), .gaussianBlur()])
    #expect(try await pipeline.image(for: request).pixelSize == PixelSize(width: 44, height: 44))
  }

  @Test func encodersOfAPipeline() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("samples-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let cache = try DataCache(path: folder)
    let pipeline = try Self.pipeline {
      $0.dataCache = cache
      $0.dataCachePolicy = .storeEncodedImages
      $0.makeImageEncoder = { _ in
        var encoder = ImageEncoders.Default(compressionQuality: 0.9)
        encoder.isHEIFPreferred = false
        return encoder
      }
    }
    let url = Self.base.appendingPathComponent("photo.jpeg")
    _ = try await pipeline.image(for: url)
    let deadline = Date() + 30
    while cache[url.absoluteString] == nil, Date() < deadline { await Task.yield() }
    #expect(cache[url.absoluteString].flatMap { AssetType($0) } == .jpeg)
  }

  @Test func prefetching() async throws {
    let pipeline = try Self.pipeline()
    let prefetcher = ImagePrefetcher(pipeline: pipeline)
    let url = Self.base.appendingPathComponent("photo.jpeg")
    await withCheckedContinuation { continuation in
      prefetcher.didComplete = {
        prefetcher.didComplete = nil
        continuation.resume()
      }
      prefetcher.startPrefetching(with: [url])
    }
    #expect(pipeline.cache[url] != nil)
  }
}

/// Options of Nuke 9. The functions are deprecated as what they use is; they are called through a protocol.
private protocol OptionsOfNuke9 {
  func policies() -> [ImagePipeline.DataCachePolicy]
  func request(_ url: URL) -> ImageRequest
  func encode(_ image: PlatformImage) -> Data?
}

private struct DeprecatedSamples: OptionsOfNuke9 {
  @available(*, deprecated)
  func policies() -> [ImagePipeline.DataCachePolicy] {
    var configuration = ImagePipeline.Configuration()
    var policies = [configuration.dataCachePolicy]
    configuration.dataCacheOptions.storedItems = [.finalImage]
    policies.append(configuration.dataCachePolicy)
    configuration.dataCacheOptions.storedItems.insert(.originalImageData)
    policies.append(configuration.dataCachePolicy)
    return policies
  }

  @available(*, deprecated)
  func request(_ url: URL) -> ImageRequest {
    ImageRequest(
      url: url,
      options: ImageRequestOptions(
        memoryCacheOptions: .init(isWriteAllowed: false), cacheKey: "key", userInfo: ["size": 10]))
  }

  @available(*, deprecated)
  func encode(_ image: PlatformImage) -> Data? {
    ImageEncoders.ImageIO(type: .heif, compressionRatio: 0.8).encode(image: image)
  }
}

@Suite struct OlderSamples {
  private let samples: any OptionsOfNuke9 = DeprecatedSamples()

  @Test func optionsOfNuke9() throws {
    #expect(samples.policies() == [.storeOriginalData, .storeEncodedImages, .storeAll])
    let request = samples.request(try #require(URL(string: "https://example.org/a")))
    #expect(request.userInfo["size"] as? Int == 10 && request.imageID == "key")
    #expect(request.options == [.disableMemoryCacheWrites])
    // There is no encoder for HEIF.
    #expect(samples.encode(try Bitmap(width: 1, height: 1, format: .rgb8)) == nil)
  }
}
