// The use of caches by pipelines: which they read, and where they store images and data.

import Foundation
import ImageLoading
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct PipelineCacheTests {
  private let processed = ImageRequest(url: testURL, processors: [.resize(width: 10)])

  @Test func imagesAreTakenFromTheMemoryCache() async throws {
    let loader = ScriptedLoader(try TestImages.png())
    let pipeline = ImagePipeline.forTest(loader)
    #expect(try await pipeline.imageTask(with: testURL).response.cacheType == nil)
    let response = try await pipeline.imageTask(with: testURL).response
    #expect(response.cacheType == .memory && response.image.width == 96 && loader.count.value == 1)
    #expect(pipeline.cachedResponse(for: testURL)?.image.width == 96)
    let reload = ImageRequest(url: testURL, options: [.reloadIgnoringCachedData])
    #expect(try await pipeline.imageTask(with: reload).response.cacheType == nil)
    #expect(loader.count.value == 2)
    let offline = ImageRequest(url: testURL, options: [.returnCacheDataDontLoad])
    #expect(try await pipeline.imageTask(with: offline).response.cacheType == .memory)
  }

  @Test func optionsDisableTheMemoryCache() async throws {
    let pipeline = ImagePipeline.forTest(ScriptedLoader(try TestImages.png()))
    _ = try await pipeline.image(for: ImageRequest(url: testURL, options: [.disableMemoryCacheWrites]))
    #expect(pipeline.cache[testURL] == nil)
    _ = try await pipeline.image(for: testURL)
    #expect(pipeline.cache[ImageRequest(url: testURL, options: [.disableMemoryCacheReads])] == nil)
    #expect(pipeline.cache[testURL] != nil)
  }

  @Test func imagesInTheCacheAreNotReplacedByPreviews() throws {
    let pipeline = ImagePipeline.forTest(ScriptedLoader())
    let preview = ImageContainer(image: PlatformImage(), isPreview: true)
    pipeline.cache[testURL] = preview
    #expect(pipeline.cache[testURL]?.isPreview == true)
    pipeline.cache[testURL] = ImageContainer(image: try TestImages.bitmap())
    pipeline.cache[testURL] = preview
    #expect(pipeline.cache[testURL]?.isPreview == false)
  }

  @Test func policiesDetermineWhatIsStoredOnDisk() async throws {
    let original = testURL.absoluteString
    let pipelineKey = processed.dataCacheKey
    let expected: [ImagePipeline.DataCachePolicy: (plain: [String], processed: [String])] = [
      .storeOriginalData: ([original], [original]), .storeEncodedImages: ([original], [pipelineKey]),
      .automatic: ([original], [pipelineKey]), .storeAll: ([original], [original, pipelineKey]),
    ]
    let data = try TestImages.png()
    for (policy, keys) in expected {
      for (request, keys) in [(ImageRequest(url: testURL), keys.plain), (processed, keys.processed)] {
        let cache = RecordingDataCache()
        let pipeline = ImagePipeline.forTest(ScriptedLoader(data)) {
          $0.dataCache = cache
          $0.dataCachePolicy = policy
        }
        _ = try await pipeline.image(for: request)
        await settle { cache.keys.count == keys.count }
        #expect(cache.keys == keys.sorted(), "\(policy)")
        let isEncoded = policy == .storeEncodedImages
        if request.processors.isEmpty { #expect((cache.cachedData(for: original) == data) == !isEncoded) }
      }
    }
  }

  @Test func localDataIsNotStoredOnDisk() async throws {
    let cache = RecordingDataCache()
    let pipeline = ImagePipeline.forTest(ScriptedLoader()) {
      $0.dataCache = cache
      $0.dataCachePolicy = .storeAll
    }
    let url = try #require(URL(string: "data:;base64," + TestImages.png().base64EncodedString()))
    _ = try await pipeline.image(for: ImageRequest(url: url, processors: [.resize(width: 10)]))
    await settle { @ImagePipelineActor in pipeline.configuration.imageEncodingQueue.runningCount == 0 }
    #expect(cache.keys.isEmpty)
  }

  @Test func imagesAreTakenFromTheDiskCache() async throws {
    let cache = RecordingDataCache()
    let data = try TestImages.png()
    cache.storeData(data, for: testURL.absoluteString)
    let loader = ScriptedLoader()
    let pipeline = ImagePipeline.forTest(loader) { $0.dataCache = cache }
    let response = try await pipeline.imageTask(with: testURL).response
    #expect(response.cacheType == .disk && response.image.width == 96)
    #expect(try await pipeline.data(for: testURL).0 == data)
    // The original data also serves requests with processors.
    #expect(try await pipeline.image(for: processed).width == 10)
    #expect(loader.count.value == 0)
    #expect(pipeline.cache.cachedImage(for: ImageRequest(url: testURL), caches: .disk)?.image.width == 96)
  }

  @Test func damagedDataInTheDiskCacheIsLoadedAgain() async throws {
    let cache = RecordingDataCache()
    let data = try TestImages.png()
    cache.storeData(Data("damaged".utf8), for: testURL.absoluteString)
    let loader = ScriptedLoader(data)
    let pipeline = ImagePipeline.forTest(loader) { $0.dataCache = cache }
    #expect(try await pipeline.image(for: testURL).width == 96)
    #expect(loader.count.value == 1 && cache.cachedData(for: testURL.absoluteString) == data)
  }

  @Test func optionsDisableTheDiskCache() async throws {
    let cache = RecordingDataCache()
    let loader = ScriptedLoader(try TestImages.png())
    let pipeline = ImagePipeline.forTest(loader) { $0.dataCache = cache }
    _ = try await pipeline.image(
      for: ImageRequest(url: testURL, options: [.disableDiskCacheWrites, .disableMemoryCache]))
    #expect(cache.keys.isEmpty)
    _ = try await pipeline.image(for: ImageRequest(url: testURL, options: [.disableMemoryCache]))
    #expect(cache.keys.count == 1)
    let request = ImageRequest(url: testURL, options: [.disableDiskCacheReads, .disableMemoryCache])
    #expect(try await pipeline.imageTask(with: request).response.cacheType == nil)
    #expect(loader.count.value == 3)
    #expect(!pipeline.cache.containsData(for: request))
    #expect(pipeline.cache.containsData(for: ImageRequest(url: testURL)))
  }

  @Test func animationsAreStoredWithTheirOwnData() async throws {
    let cache = RecordingDataCache()
    let data = try TestImages.gif()
    let pipeline = ImagePipeline.forTest(ScriptedLoader(data)) {
      $0.dataCache = cache
      $0.dataCachePolicy = .storeEncodedImages
    }
    _ = try await pipeline.image(for: testURL)
    await settle { !cache.keys.isEmpty }
    #expect(cache.cachedData(for: testURL.absoluteString) == data)
  }

  /// An empty file would be found instead of the image.
  @Test func emptyDataIsNotStored() async throws {
    struct EmptyEncoder: ImageEncoding {
      let calls = Counter()
      func encode(_ image: PlatformImage) -> Data? {
        calls.increment()
        return Data()
      }
    }
    final class Delegate: ImagePipeline.Delegate {
      let calls = Counter()
      func willCache(
        data: Data, image: ImageContainer?, for request: ImageRequest, pipeline: ImagePipeline,
        completion: @escaping @Sendable (Data?) -> Void
      ) {
        calls.increment()
        completion(Data())
      }
    }
    let (encoder, delegate, cache) = (EmptyEncoder(), Delegate(), RecordingDataCache())
    let pipeline = ImagePipeline.forTest(ScriptedLoader(try TestImages.png()), delegate: delegate) {
      $0.dataCache = cache
      $0.dataCachePolicy = .storeAll
      $0.makeImageEncoder = { _ in encoder }
    }
    _ = try await pipeline.image(for: processed)
    await encoder.calls.wait(for: 1)
    await settle { @ImagePipelineActor in pipeline.configuration.imageEncodingQueue.runningCount == 0 }
    // Only the original data is offered to the delegate.
    #expect(cache.keys.isEmpty && delegate.calls.value == 1)
  }

  @Test func theCacheOfAPipeline() async throws {
    let disk = RecordingDataCache()
    let pipeline = ImagePipeline.forTest(ScriptedLoader()) { $0.dataCache = disk }
    let cache = pipeline.cache
    let request = ImageRequest(url: testURL)
    let image = ImageContainer(image: try TestImages.bitmap())
    cache.storeCachedImage(image, for: request)
    #expect(cache.containsCachedImage(for: request, caches: .memory))
    #expect(cache.containsCachedImage(for: request, caches: .disk) && cache.containsData(for: request))
    #expect(cache.cachedImage(for: request)?.image.width == 96)
    cache.removeCachedImage(for: request, caches: .memory)
    #expect(cache[request] == nil && cache.cachedImage(for: request) != nil)
    cache.removeCachedData(for: request)
    #expect(!cache.containsCachedImage(for: request))
    cache.storeCachedData(Data([1]), for: request)
    #expect(cache.cachedData(for: request) == Data([1]))
    cache.removeAll()
    #expect(disk.keys.isEmpty)
    cache.storeCachedImage(ImageContainer(image: image.image, isPreview: true), for: request, caches: .disk)
    #expect(disk.keys.isEmpty)
  }

  /// An image that is processed from one in memory is new: it is stored in both caches.
  @Test func imagesProcessedFromMemoryAreStored() async throws {
    let disk = RecordingDataCache()
    let pipeline = ImagePipeline.forTest(ScriptedLoader()) {
      $0.dataCache = disk
      $0.dataCachePolicy = .automatic
    }
    pipeline.cache[testURL] = ImageContainer(image: try TestImages.bitmap())
    let response = try await pipeline.imageTask(with: processed).response
    // The cache is that of the image that it was made from.
    #expect(response.image.width == 10 && response.cacheType == .memory)
    #expect(pipeline.cache[processed]?.image.width == 10)
    await settle { disk.keys == [processed.dataCacheKey] }
    #expect(disk.keys == [processed.dataCacheKey])
  }

  @Test func thumbnailsAreMadeOfTheOriginalOnDisk() async throws {
    var request = ImageRequest(url: testURL)
    request.thumbnail = ImageRequest.ThumbnailOptions(maxPixelSize: 24)
    let disk = RecordingDataCache()
    disk.storeData(try TestImages.png(), for: testURL.absoluteString)
    let loader = ScriptedLoader()
    let response = try await ImagePipeline.forTest(loader) { $0.dataCache = disk }.imageTask(with: request).response
    #expect(response.image.pixelSize == PixelSize(width: 24, height: 20) && response.cacheType == .disk)
    #expect(loader.count.value == 0)
  }

  @Test(arguments: [ImagePipeline.DataCachePolicy.automatic, .storeAll])
  func thumbnailsAreStoredOnDisk(_ policy: ImagePipeline.DataCachePolicy) async throws {
    var request = ImageRequest(url: testURL)
    request.thumbnail = ImageRequest.ThumbnailOptions(maxPixelSize: 24)
    let key = request.dataCacheKey
    #expect(key.hasPrefix(testURL.absoluteString + "com.github/kean/nuke/thumbnail?maxPixelSize=24.0,options="))
    let disk = RecordingDataCache()
    let pipeline = ImagePipeline.forTest(ScriptedLoader(try TestImages.png())) {
      $0.dataCache = disk
      $0.dataCachePolicy = policy
    }
    _ = try await pipeline.image(for: request)
    await settle { disk.keys.contains(key) }
    #expect(disk.keys.contains(key))
  }

  @Test func delegatesChooseKeysAndCaches() async throws {
    final class Delegate: ImagePipeline.Delegate {
      let disk = RecordingDataCache()
      let events = Log<String>()
      func cacheKey(for request: ImageRequest, pipeline: ImagePipeline) -> String? { "key" }
      func dataCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any DataCaching)? { disk }
      func willCache(
        data: Data, image: ImageContainer?, for request: ImageRequest, pipeline: ImagePipeline,
        completion: @escaping @Sendable (Data?) -> Void
      ) {
        completion(Data([1, 2, 3]))
      }
      func willLoadData(
        for request: ImageRequest, urlRequest: URLRequest, pipeline: ImagePipeline
      ) async throws -> URLRequest {
        var urlRequest = urlRequest
        urlRequest.setValue("token", forHTTPHeaderField: "Authorization")
        return urlRequest
      }
      func imageTaskCreated(_ task: ImageTask, pipeline: ImagePipeline) { events.append("created") }
      func imageTask(_ task: ImageTask, didReceiveEvent event: ImageTask.Event, pipeline: ImagePipeline) {
        switch event {
        case .started: events.append("started")
        case .progress: events.append("progress")
        case .preview: events.append("preview")
        case .finished: events.append("finished")
        }
      }
      func shouldDecompress(
        response: ImageResponse, for request: ImageRequest, pipeline: ImagePipeline
      ) -> Bool { true }
      func decompress(
        response: ImageResponse, request: ImageRequest, pipeline: ImagePipeline
      ) -> ImageResponse {
        var response = response
        response.container.userInfo["prepared"] = true
        return response
      }
    }
    let delegate = Delegate()
    let loader = ScriptedLoader(try TestImages.png())
    let pipeline = ImagePipeline.forTest(loader, delegate: delegate)
    let task = pipeline.imageTask(with: testURL)
    let response = try await task.response
    #expect(response.container.userInfo["prepared"] as? Bool == true)
    #expect(delegate.disk.cachedData(for: "key") == Data([1, 2, 3]))
    #expect(pipeline.cache.makeImageCacheKey(for: task.request) == ImageCacheKey(key: "key"))
    #expect(loader.loads.values[0].request.value(forHTTPHeaderField: "Authorization") == "token")
    await settle { delegate.events.values.last == "finished" }
    #expect(delegate.events.values == ["created", "started", "progress", "finished"])
  }
}
