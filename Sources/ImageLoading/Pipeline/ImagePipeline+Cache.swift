// Access to the caches of a pipeline.

public import Foundation

extension ImagePipeline {
  /// The caches of a pipeline. Requests' options that disable a cache are respected.
  public struct Cache: Sendable {
    let pipeline: ImagePipeline
  }
}

extension ImagePipeline.Cache {
  /// A selection of caches.
  public struct Caches: OptionSet, Sendable {
    /// The selection as bits.
    public let rawValue: Int

    /// Creates a selection from bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Decoded images in memory.
    public static let memory = Caches(rawValue: 1 << 0)
    /// Data on disk.
    public static let disk = Caches(rawValue: 1 << 1)
    /// Both caches.
    public static let all: Caches = [.memory, .disk]
  }

  /// The image of a URL in the memory cache.
  public subscript(url: URL) -> ImageContainer? {
    get { self[ImageRequest(url: url)] }
    nonmutating set { self[ImageRequest(url: url)] = newValue }
  }

  /// The image of a request in the memory cache.
  public subscript(request: ImageRequest) -> ImageContainer? {
    get {
      guard !request.options.contains(.disableMemoryCacheReads) else { return nil }
      return imageCache(for: request)?[makeImageCacheKey(for: request)]
    }
    nonmutating set {
      guard let container = newValue else {
        imageCache(for: request)?[makeImageCacheKey(for: request)] = nil
        return
      }
      storeInMemory(container, for: request)
    }
  }

  private func storeInMemory(_ container: ImageContainer, for request: ImageRequest) {
    guard !request.options.contains(.disableMemoryCacheWrites),
      !container.isPreview || pipeline.configuration.isStoringPreviewsInMemoryCache,
      let cache = imageCache(for: request)
    else { return }
    let key = makeImageCacheKey(for: request)
    // A preview is of no use after the image.
    if container.isPreview, let stored = cache[key], !stored.isPreview { return }
    cache[key] = container
  }

  /// Returns an image from the caches. Data from the disk cache is read and decoded on the caller's thread.
  public func cachedImage(for request: ImageRequest, caches: Caches = [.all]) -> ImageContainer? {
    if caches.contains(.memory), let container = self[request] { return container }
    guard caches.contains(.disk), let data = cachedData(for: request) else { return nil }
    let context = ImageDecodingContext(request: request, data: data, cacheType: .disk)
    return try? pipeline.delegate.imageDecoder(for: context, pipeline: pipeline)?.decode(data)
  }

  /// Stores an image. For the disk cache it is encoded, on the caller's thread; previews are not stored there.
  public func storeCachedImage(_ image: ImageContainer, for request: ImageRequest, caches: Caches = [.all]) {
    if caches.contains(.memory) { self[request] = image }
    guard caches.contains(.disk), !image.isPreview else { return }
    let context = ImageEncodingContext(request: request, image: image.image)
    let encoder = pipeline.delegate.imageEncoder(for: context, pipeline: pipeline)
    if let data = encoder.encode(image, context: context) { storeCachedData(data, for: request) }
  }

  /// Removes an image.
  public func removeCachedImage(for request: ImageRequest, caches: Caches = [.all]) {
    if caches.contains(.memory) { self[request] = nil }
    if caches.contains(.disk) { removeCachedData(for: request) }
  }

  /// Returns whether one of the caches contains an image. For the disk cache, the file system is accessed.
  public func containsCachedImage(for request: ImageRequest, caches: Caches = [.all]) -> Bool {
    caches.contains(.memory) && self[request] != nil || caches.contains(.disk) && containsData(for: request)
  }

  /// Returns data from the disk cache.
  public func cachedData(for request: ImageRequest) -> Data? {
    guard !request.options.contains(.disableDiskCacheReads) else { return nil }
    return dataCache(for: request)?.cachedData(for: makeDataCacheKey(for: request))
  }

  /// Stores data in the disk cache.
  public func storeCachedData(_ data: Data, for request: ImageRequest) {
    guard !request.options.contains(.disableDiskCacheWrites) else { return }
    dataCache(for: request)?.storeData(data, for: makeDataCacheKey(for: request))
  }

  /// Returns whether the disk cache contains the data of a request.
  public func containsData(for request: ImageRequest) -> Bool {
    guard !request.options.contains(.disableDiskCacheReads) else { return false }
    return dataCache(for: request)?.containsData(for: makeDataCacheKey(for: request)) ?? false
  }

  /// Removes data from the disk cache.
  public func removeCachedData(for request: ImageRequest) {
    dataCache(for: request)?.removeData(for: makeDataCacheKey(for: request))
  }

  /// Returns the key of a request's image in the memory cache.
  public func makeImageCacheKey(for request: ImageRequest) -> ImageCacheKey {
    guard let key = pipeline.delegate.cacheKey(for: request, pipeline: pipeline) else {
      return ImageCacheKey(request: request)
    }
    return ImageCacheKey(key: key)
  }

  /// Returns the key of a request's data in the disk cache: the image's identifier, the thumbnail and the processors.
  public func makeDataCacheKey(for request: ImageRequest) -> String {
    pipeline.delegate.cacheKey(for: request, pipeline: pipeline) ?? request.dataCacheKey
  }

  /// Removes everything from the caches of the configuration.
  public func removeAll(caches: Caches = [.all]) {
    if caches.contains(.memory) { pipeline.configuration.imageCache?.removeAll() }
    if caches.contains(.disk) { pipeline.configuration.dataCache?.removeAll() }
  }

  private func imageCache(for request: ImageRequest) -> (any ImageCaching)? {
    pipeline.delegate.imageCache(for: request, pipeline: pipeline)
  }

  private func dataCache(for request: ImageRequest) -> (any DataCaching)? {
    pipeline.delegate.dataCache(for: request, pipeline: pipeline)
  }
}
