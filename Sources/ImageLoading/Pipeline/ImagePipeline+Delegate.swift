// The customisation of a pipeline for individual requests.

#if canImport(FoundationNetworking)
  public import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension ImagePipeline {
  /// Adapts a pipeline to individual requests. All methods have defaults that follow the configuration.
  ///
  /// Methods are called on ``ImagePipelineActor`` or on background threads, unless stated otherwise, and should return
  /// soon.
  public protocol Delegate: AnyObject, Sendable {
    /// Returns the decoder for the data of a request.
    func imageDecoder(for context: ImageDecodingContext, pipeline: ImagePipeline) -> (any ImageDecoding)?

    /// Returns the encoder for an image that is about to be stored in the disk cache.
    func imageEncoder(for context: ImageEncodingContext, pipeline: ImagePipeline) -> any ImageEncoding

    /// Returns the previews that are requested from the decoder. By default those that suit the data; see
    /// `PreviewPolicy.default(for:)`.
    ///
    /// While the result is `PreviewPolicy.disabled`, it is asked for again, up to five times, each time that the data has
    /// doubled.
    func previewPolicy(for context: ImageDecodingContext, pipeline: ImagePipeline) -> PreviewPolicy

    /// Returns the loader for a request.
    func dataLoader(for request: ImageRequest, pipeline: ImagePipeline) -> any DataLoading

    /// Returns the request to pass to the loader, by default the given one; for example one with an access token. An error
    /// fails the request with ``Error/dataLoadingFailed(error:)``.
    func willLoadData(
      for request: ImageRequest, urlRequest: URLRequest, pipeline: ImagePipeline
    ) async throws -> URLRequest

    /// Returns the memory cache for a request, or `nil` for none.
    func imageCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any ImageCaching)?

    /// Returns the disk cache for a request, or `nil` for none.
    func dataCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any DataCaching)?

    /// Returns the key of an image in both caches, or `nil` for the default key.
    func cacheKey(for request: ImageRequest, pipeline: ImagePipeline) -> String?

    /// Called before data is stored in the disk cache, on a background thread. Original data is stored after it has been
    /// decoded.
    ///
    /// - Parameters:
    ///   - data: the original data or, if `image` is given, the encoded image.
    ///   - image: the processed image, if that is cached; `nil` if it is the original.
    ///   - request: the request that was loaded.
    ///   - pipeline: the pipeline that caches.
    ///   - completion: must be called with the data to store, or with `nil` or no data to store nothing.
    func willCache(
      data: Data, image: ImageContainer?, for request: ImageRequest, pipeline: ImagePipeline,
      completion: @escaping @Sendable (Data?) -> Void)

    /// Returns whether ``decompress(response:request:pipeline:)`` is called. By default `false`, since decoding yields
    /// pixels.
    func shouldDecompress(response: ImageResponse, for request: ImageRequest, pipeline: ImagePipeline) -> Bool

    /// Prepares the final image for its use, by default by doing nothing. Called on a background thread.
    func decompress(response: ImageResponse, request: ImageRequest, pipeline: ImagePipeline) -> ImageResponse

    /// Called when a task is created, on the thread that creates it.
    func imageTaskCreated(_ task: ImageTask, pipeline: ImagePipeline)

    /// Called for each event of a task.
    func imageTask(_ task: ImageTask, didReceiveEvent event: ImageTask.Event, pipeline: ImagePipeline)
  }

  final class DefaultDelegate: Delegate {}
}

extension ImagePipeline.Delegate {
  /// Returns the decoder that the configuration makes.
  public func imageDecoder(for context: ImageDecodingContext, pipeline: ImagePipeline) -> (any ImageDecoding)? {
    pipeline.configuration.makeImageDecoder(context)
  }

  /// Returns the encoder that the configuration makes.
  public func imageEncoder(for context: ImageEncodingContext, pipeline: ImagePipeline) -> any ImageEncoding {
    pipeline.configuration.makeImageEncoder(context)
  }

  /// Returns the policy that suits the data.
  public func previewPolicy(
    for context: ImageDecodingContext, pipeline: ImagePipeline
  ) -> ImagePipeline.PreviewPolicy {
    .default(for: context.data)
  }

  /// Returns the configuration's loader.
  public func dataLoader(for request: ImageRequest, pipeline: ImagePipeline) -> any DataLoading {
    pipeline.configuration.dataLoader
  }

  /// Returns the request unchanged.
  public func willLoadData(
    for request: ImageRequest, urlRequest: URLRequest, pipeline: ImagePipeline
  ) async throws -> URLRequest {
    urlRequest
  }

  /// Returns the configuration's memory cache.
  public func imageCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any ImageCaching)? {
    pipeline.configuration.imageCache
  }

  /// Returns the configuration's disk cache.
  public func dataCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any DataCaching)? {
    pipeline.configuration.dataCache
  }

  /// Returns `nil`, for the default key.
  public func cacheKey(for request: ImageRequest, pipeline: ImagePipeline) -> String? { nil }

  /// Stores the data.
  public func willCache(
    data: Data, image: ImageContainer?, for request: ImageRequest, pipeline: ImagePipeline,
    completion: @escaping @Sendable (Data?) -> Void
  ) {
    completion(data)
  }

  /// Returns `false`.
  public func shouldDecompress(response: ImageResponse, for request: ImageRequest, pipeline: ImagePipeline) -> Bool {
    false
  }

  /// Returns the response unchanged.
  public func decompress(
    response: ImageResponse, request: ImageRequest, pipeline: ImagePipeline
  ) -> ImageResponse {
    response
  }

  /// Does nothing.
  public func imageTaskCreated(_ task: ImageTask, pipeline: ImagePipeline) {}

  /// Does nothing.
  public func imageTask(_ task: ImageTask, didReceiveEvent event: ImageTask.Event, pipeline: ImagePipeline) {}
}
