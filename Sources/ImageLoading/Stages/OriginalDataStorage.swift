// The storage of downloaded data in the disk cache, after it has turned out to be complete.

internal import Foundation
internal import Threading

/// Stores the original data of one download, once, if it is complete: the end of a connection may also be that of a file,
/// and a file that was cut would be shown from the cache for good.
///
/// Stores on the caller's thread, which may wait for the disk.
final class OriginalDataStorage: Sendable {
  private let cache: any DataCaching
  private let request: ImageRequest
  private let pipeline: ImagePipeline
  private let isLengthKnown: Bool
  private let isStored = Mutex(false)

  /// Creates a storage.
  ///
  /// - Parameters:
  ///   - request: the request for the original data.
  ///   - isLengthKnown: whether the data has the announced length, rather than that which had arrived when the connection
  ///     ended.
  init(cache: any DataCaching, request: ImageRequest, pipeline: ImagePipeline, isLengthKnown: Bool) {
    self.cache = cache
    self.request = request
    self.pipeline = pipeline
    self.isLengthKnown = isLengthKnown
  }

  /// Stores data that a decoder has decoded, unless it is damaged.
  func store(_ data: Data, decodedTo container: ImageContainer) {
    if !container.isIncomplete(in: data) { store(data) }
  }

  /// Stores data that no task decodes. If its length is not known, it is decoded to find out whether it is complete.
  func storeUndecoded(_ loaded: LoadedData) async {
    if isLengthKnown { return store(loaded.data) }
    let context = ImageDecodingContext(
      request: request, data: loaded.data, urlResponse: loaded.response.map(ImageURLResponse.init))
    guard let decoder = pipeline.delegate.imageDecoder(for: context, pipeline: pipeline),
      let container = try? await decoder.decodeFinal(loaded.data)
    else { return }
    store(loaded.data, decodedTo: container)
  }

  private func store(_ data: Data) {
    let isFirst = isStored.withLock { isStored in
      defer { isStored = true }
      return !isStored
    }
    guard isFirst else { return }
    let key = pipeline.cache.makeDataCacheKey(for: request)
    pipeline.delegate.willCache(data: data, image: nil, for: request, pipeline: pipeline) { [cache] in
      if let data = $0, !data.isEmpty { cache.storeData(data, for: key) }
    }
  }
}
