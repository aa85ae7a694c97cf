// The input for the selection of a decoder.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The input for the selection of a decoder: the request, the data received so far and its origin.
public struct ImageDecodingContext: Sendable {
  /// The request that the image is for.
  public var request: ImageRequest
  /// The data received so far.
  public var data: Data
  /// Whether ``data`` is complete.
  public var isCompleted: Bool
  /// The server's response, if there is one.
  public var urlResponse: ImageURLResponse?
  /// The cache that the data comes from, if any.
  public var cacheType: ImageResponse.CacheType?
  /// The policy for previews. Default ``ImagePreviewPolicy/incremental``.
  public var previewPolicy: ImagePreviewPolicy = .incremental
  /// Called again and again while the image is decoded, possibly on several threads at once. Once it returns `true`,
  /// the image is no longer needed, and decoders may throw any error. `nil` if decoding cannot be cancelled.
  public var shouldCancel: (@Sendable () -> Bool)?

  /// Creates a context. By default the data is complete and has neither a response nor a cache.
  public init(
    request: ImageRequest, data: Data, isCompleted: Bool = true, urlResponse: ImageURLResponse? = nil,
    cacheType: ImageResponse.CacheType? = nil
  ) {
    self.request = request
    self.data = data
    self.isCompleted = isCompleted
    self.urlResponse = urlResponse
    self.cacheType = cacheType
  }
}
