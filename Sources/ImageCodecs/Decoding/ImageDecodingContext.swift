// What is known when a pipeline chooses a decoder.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What is known when a decoder is chosen: the request, the data so far and where they come from.
public struct ImageDecodingContext: Sendable {
  /// The request that the image is for.
  public var request: ImageRequest
  /// The data so far.
  public var data: Data
  /// Whether ``data`` is all there is.
  public var isCompleted: Bool
  /// The server's response, where there is one.
  public var urlResponse: ImageURLResponse?
  /// The cache that the data comes from, where it does.
  public var cacheType: ImageResponse.CacheType?
  /// Which previews are wanted.
  public var previewPolicy: ImagePreviewPolicy = .incremental

  /// Creates a context.
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
