// Uses of Nuke's symbols: that this file compiles shows that they exist. Names are those of COMING-FROM-NUKE.md.

import Foundation
import ImageLoading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension SymbolUses {
  mutating func useImagePipeline() {
    use("ImagePipeline", ImagePipeline.self)
    use("ImagePipeline.Cache", ImagePipeline.Cache.self)
    use("ImagePipeline.Cache.Caches", ImagePipeline.Cache.Caches.self)
    use("ImagePipeline.Cache.Caches.all", ImagePipeline.Cache.Caches.all)
    use("ImagePipeline.Cache.Caches.disk", ImagePipeline.Cache.Caches.disk)
    use("ImagePipeline.Cache.Caches.init(rawValue:)", ImagePipeline.Cache.Caches.init(rawValue:))
    use("ImagePipeline.Cache.Caches.memory", ImagePipeline.Cache.Caches.memory)
    use("ImagePipeline.Cache.Caches.rawValue", \ImagePipeline.Cache.Caches.rawValue)
    use("ImagePipeline.Cache.cachedData(for:)", ImagePipeline.Cache.cachedData(for:))
    use("ImagePipeline.Cache.cachedImage(for:caches:)", ImagePipeline.Cache.cachedImage(for:caches:))
    use("ImagePipeline.Cache.containsCachedImage(for:caches:)", ImagePipeline.Cache.containsCachedImage(for:caches:))
    use("ImagePipeline.Cache.containsData(for:)", ImagePipeline.Cache.containsData(for:))
    use("ImagePipeline.Cache.makeDataCacheKey(for:)", ImagePipeline.Cache.makeDataCacheKey(for:))
    use("ImagePipeline.Cache.makeImageCacheKey(for:)", ImagePipeline.Cache.makeImageCacheKey(for:))
    use("ImagePipeline.Cache.removeAll(caches:)", ImagePipeline.Cache.removeAll(caches:))
    use("ImagePipeline.Cache.removeCachedData(for:)", ImagePipeline.Cache.removeCachedData(for:))
    use("ImagePipeline.Cache.removeCachedImage(for:caches:)", ImagePipeline.Cache.removeCachedImage(for:caches:))
    use("ImagePipeline.Cache.storeCachedData(_:for:)", ImagePipeline.Cache.storeCachedData(_:for:))
    use("ImagePipeline.Cache.storeCachedImage(_:for:caches:)", ImagePipeline.Cache.storeCachedImage(_:for:caches:))
    use(
      "ImagePipeline.Cache.subscript(request:)",
      { (x: ImagePipeline.Cache, request: ImageRequest) in x[request] = x[request] })
    use("ImagePipeline.Cache.subscript(url:)", { (x: ImagePipeline.Cache, url: URL) in x[url] = x[url] })
    use("ImagePipeline.Configuration", ImagePipeline.Configuration.self)
    use("ImagePipeline.Configuration.dataCache", \ImagePipeline.Configuration.dataCache)
    use("ImagePipeline.Configuration.dataCachePolicy", \ImagePipeline.Configuration.dataCachePolicy)
    use("ImagePipeline.Configuration.dataLoader", \ImagePipeline.Configuration.dataLoader)
    use("ImagePipeline.Configuration.dataLoadingQueue", \ImagePipeline.Configuration.dataLoadingQueue)
    use("ImagePipeline.Configuration.imageCache", \ImagePipeline.Configuration.imageCache)
    use("ImagePipeline.Configuration.imageDecodingQueue", \ImagePipeline.Configuration.imageDecodingQueue)
    use("ImagePipeline.Configuration.imageDecompressingQueue", \ImagePipeline.Configuration.imageDecompressingQueue)
    use("ImagePipeline.Configuration.imageEncodingQueue", \ImagePipeline.Configuration.imageEncodingQueue)
    use("ImagePipeline.Configuration.imageProcessingQueue", \ImagePipeline.Configuration.imageProcessingQueue)
    use("ImagePipeline.Configuration.init(dataLoader:)", ImagePipeline.Configuration.init(dataLoader:))
    use("ImagePipeline.Configuration.isDecompressionEnabled", \ImagePipeline.Configuration.isDecompressionEnabled)
    use(
      "ImagePipeline.Configuration.isLocalResourcesSupportEnabled",
      \ImagePipeline.Configuration.isLocalResourcesSupportEnabled)
    use(
      "ImagePipeline.Configuration.isProgressiveDecodingEnabled",
      \ImagePipeline.Configuration.isProgressiveDecodingEnabled)
    use("ImagePipeline.Configuration.isRateLimiterEnabled", \ImagePipeline.Configuration.isRateLimiterEnabled)
    use("ImagePipeline.Configuration.isResumableDataEnabled", \ImagePipeline.Configuration.isResumableDataEnabled)
    use(
      "ImagePipeline.Configuration.isStoringPreviewsInMemoryCache",
      \ImagePipeline.Configuration.isStoringPreviewsInMemoryCache)
    use("ImagePipeline.Configuration.isTaskCoalescingEnabled", \ImagePipeline.Configuration.isTaskCoalescingEnabled)
    use("ImagePipeline.Configuration.isUsingPrepareForDisplay", \ImagePipeline.Configuration.isUsingPrepareForDisplay)
    use("ImagePipeline.Configuration.makeImageDecoder", \ImagePipeline.Configuration.makeImageDecoder)
    use("ImagePipeline.Configuration.makeImageEncoder", \ImagePipeline.Configuration.makeImageEncoder)
    use("ImagePipeline.Configuration.maximumResponseDataSize", \ImagePipeline.Configuration.maximumResponseDataSize)
    use(
      "ImagePipeline.Configuration.progressiveDecodingInterval",
      \ImagePipeline.Configuration.progressiveDecodingInterval)
    use(
      "ImagePipeline.Configuration.withDataCache",
      ImagePipeline.Configuration.withDataCache as ImagePipeline.Configuration)
    use(
      "ImagePipeline.Configuration.withDataCache(name:sizeLimit:)",
      ImagePipeline.Configuration.withDataCache(name:sizeLimit:))
    use("ImagePipeline.Configuration.withURLCache", ImagePipeline.Configuration.withURLCache)
    use("ImagePipeline.DataCachePolicy", ImagePipeline.DataCachePolicy.self)
    use("ImagePipeline.DataCachePolicy.automatic", ImagePipeline.DataCachePolicy.automatic)
    use("ImagePipeline.DataCachePolicy.storeAll", ImagePipeline.DataCachePolicy.storeAll)
    use("ImagePipeline.DataCachePolicy.storeEncodedImages", ImagePipeline.DataCachePolicy.storeEncodedImages)
    use("ImagePipeline.DataCachePolicy.storeOriginalData", ImagePipeline.DataCachePolicy.storeOriginalData)
    use("ImagePipeline.Delegate", (any ImagePipeline.Delegate).self)
    use("ImagePipeline.Delegate.cacheKey(for:pipeline:)", (any ImagePipeline.Delegate).cacheKey(for:pipeline:))
    use("ImagePipeline.Delegate.dataCache(for:pipeline:)", (any ImagePipeline.Delegate).dataCache(for:pipeline:))
    use("ImagePipeline.Delegate.dataLoader(for:pipeline:)", (any ImagePipeline.Delegate).dataLoader(for:pipeline:))
    use(
      "ImagePipeline.Delegate.decompress(response:request:pipeline:)",
      (any ImagePipeline.Delegate).decompress(response:request:pipeline:))
    use("ImagePipeline.Delegate.imageCache(for:pipeline:)", (any ImagePipeline.Delegate).imageCache(for:pipeline:))
    use("ImagePipeline.Delegate.imageDecoder(for:pipeline:)", (any ImagePipeline.Delegate).imageDecoder(for:pipeline:))
    use("ImagePipeline.Delegate.imageEncoder(for:pipeline:)", (any ImagePipeline.Delegate).imageEncoder(for:pipeline:))
    use(
      "ImagePipeline.Delegate.imageTask(_:didReceiveEvent:pipeline:)",
      (any ImagePipeline.Delegate).imageTask(_:didReceiveEvent:pipeline:))
    use(
      "ImagePipeline.Delegate.imageTaskCreated(_:pipeline:)", (any ImagePipeline.Delegate).imageTaskCreated(_:pipeline:)
    )
    use(
      "ImagePipeline.Delegate.previewPolicy(for:pipeline:)", (any ImagePipeline.Delegate).previewPolicy(for:pipeline:))
    use(
      "ImagePipeline.Delegate.shouldDecompress(response:for:pipeline:)",
      (any ImagePipeline.Delegate).shouldDecompress(response:for:pipeline:))
    use(
      "ImagePipeline.Delegate.willCache(data:image:for:pipeline:completion:)",
      (any ImagePipeline.Delegate).willCache(data:image:for:pipeline:completion:))
    use(
      "ImagePipeline.Delegate.willLoadData(for:urlRequest:pipeline:)",
      { (x: any ImagePipeline.Delegate, a: ImageRequest, b: URLRequest, c: ImagePipeline) in
        try await x.willLoadData(for: a, urlRequest: b, pipeline: c)
      })
    use("ImagePipeline.Error", ImagePipeline.Error.self)
    use("ImagePipeline.Error.cancelled", ImagePipeline.Error.cancelled)
    use("ImagePipeline.Error.dataDownloadExceededMaximumSize", ImagePipeline.Error.dataDownloadExceededMaximumSize)
    use("ImagePipeline.Error.dataIsEmpty", ImagePipeline.Error.dataIsEmpty)
    use("ImagePipeline.Error.dataLoadingError", \ImagePipeline.Error.dataLoadingError)
    use("ImagePipeline.Error.dataLoadingFailed(error:)", ImagePipeline.Error.dataLoadingFailed(error:))
    use("ImagePipeline.Error.dataMissingInCache", ImagePipeline.Error.dataMissingInCache)
    use("ImagePipeline.Error.decoderNotRegistered(context:)", ImagePipeline.Error.decoderNotRegistered(context:))
    use(
      "ImagePipeline.Error.decodingFailed(decoder:context:error:)",
      ImagePipeline.Error.decodingFailed(decoder:context:error:))
    use("ImagePipeline.Error.description", \ImagePipeline.Error.description)
    use("ImagePipeline.Error.imageRequestMissing", ImagePipeline.Error.imageRequestMissing)
    use("ImagePipeline.Error.pipelineInvalidated", ImagePipeline.Error.pipelineInvalidated)
    use(
      "ImagePipeline.Error.processingFailed(processor:context:error:)",
      ImagePipeline.Error.processingFailed(processor:context:error:))
    use("ImagePipeline.PreviewPolicy", ImagePipeline.PreviewPolicy.self)
    use("ImagePipeline.PreviewPolicy.default(for:)", ImagePipeline.PreviewPolicy.default(for:))
    use("ImagePipeline.PreviewPolicy.disabled", ImagePipeline.PreviewPolicy.disabled)
    use("ImagePipeline.PreviewPolicy.incremental", ImagePipeline.PreviewPolicy.incremental)
    use("ImagePipeline.PreviewPolicy.thumbnail", ImagePipeline.PreviewPolicy.thumbnail)
    use("ImagePipeline.cache", \ImagePipeline.cache)
    use("ImagePipeline.configuration", \ImagePipeline.configuration)
    use(
      "ImagePipeline.data(for:)",
      { (x: ImagePipeline, a: URL, b: ImageRequest) in (try await x.data(for: a), try await x.data(for: b)) })
    use(
      "ImagePipeline.image(for:)",
      { (x: ImagePipeline, a: URL, b: ImageRequest) in (try await x.image(for: a), try await x.image(for: b)) })
    use(
      "ImagePipeline.imageTask(with:)",
      { (x: ImagePipeline, a: URL, b: ImageRequest) in (x.imageTask(with: a), x.imageTask(with: b)) })
    use("ImagePipeline.init(configuration:delegate:)", ImagePipeline.init(configuration:delegate:))
    use("ImagePipeline.init(delegate:_:)", ImagePipeline.init(delegate:_:))
    use("ImagePipeline.invalidate()", { (x: ImagePipeline) in x.invalidate() })
    use(
      "ImagePipeline.loadData(with:completion:)",
      { (x: ImagePipeline, a: URL, b: ImageRequest) in (x.loadData(with: a) { _ in }, x.loadData(with: b) { _ in }) })
    use(
      "ImagePipeline.loadData(with:progress:completion:)",
      { (x: ImagePipeline, a: ImageRequest) in x.loadData(with: a, progress: { _, _ in }, completion: { _ in }) })
    use(
      "ImagePipeline.loadImage(with:completion:)",
      { (x: ImagePipeline, a: URL, b: ImageRequest) in (x.loadImage(with: a) { _ in }, x.loadImage(with: b) { _ in }) })
    use(
      "ImagePipeline.loadImage(with:progress:completion:)",
      { (x: ImagePipeline, a: ImageRequest) in x.loadImage(with: a, progress: { _, _, _ in }, completion: { _ in }) })
    use("ImagePipeline.shared", ImagePipeline.shared)
  }

  mutating func useImagePipelineActor() {
    use("ImagePipelineActor", ImagePipelineActor.self)
    use("ImagePipelineActor.shared", ImagePipelineActor.shared)
  }

  @available(*, deprecated, message: "uses deprecated symbols")
  mutating func useDeprecatedPipeline() {
    use("ImagePipelineDelegate", (any ImagePipelineDelegate).self)
  }

  mutating func usePipelineSymbols() {
    useImagePipeline()
    useImagePipelineActor()
  }
}
