// The response of a pipeline.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A loaded image and where it came from.
public struct ImageResponse: Sendable {
  /// The cache that an image came from.
  public enum CacheType: Hashable, Sendable {
    /// Decoded images in memory.
    case memory
    /// Data on disk.
    case disk
  }

  /// The image and what its decoder attached.
  public var container: ImageContainer
  /// The request that this responds to.
  public var request: ImageRequest
  /// The server's response, if there is one.
  public var urlResponse: ImageURLResponse?
  /// The cache that the image came from, if any.
  public var cacheType: CacheType?

  /// Creates a response. By default it has neither a server response nor a cache.
  public init(
    container: ImageContainer, request: ImageRequest, urlResponse: ImageURLResponse? = nil,
    cacheType: CacheType? = nil
  ) {
    self.container = container
    self.request = request
    self.urlResponse = urlResponse
    self.cacheType = cacheType
  }

  /// The image.
  public var image: PlatformImage { container.image }
  /// Whether the image is a preview.
  public var isPreview: Bool { container.isPreview }
}

/// A server's response: the members of Foundation's `URLResponse` that matter to decoders.
public struct ImageURLResponse: Hashable, Sendable {
  /// The URL of the data, after redirections.
  public var url: URL?
  /// The media type, such as `"image/png"`.
  public var mimeType: String?
  /// The announced length in bytes; -1 if unknown.
  public var expectedContentLength: Int64
  /// A suggested file name for the data.
  public var suggestedFilename: String?
  /// The HTTP status code, such as 200; `nil` for other protocols.
  public var statusCode: Int?
  /// The HTTP header fields; empty for other protocols.
  public var headers: [String: String]

  /// Creates a response. By default everything except the URL is unknown or empty.
  public init(
    url: URL?, mimeType: String? = nil, expectedContentLength: Int64 = -1, suggestedFilename: String? = nil,
    statusCode: Int? = nil, headers: [String: String] = [:]
  ) {
    self.statusCode = statusCode
    self.headers = headers
    self.url = url
    self.mimeType = mimeType
    self.expectedContentLength = expectedContentLength
    self.suggestedFilename = suggestedFilename
  }

  /// Returns the value of a header field. The case of its name is ignored.
  public func value(forHTTPHeaderField field: String) -> String? {
    headers[field] ?? headers.first { $0.key.lowercased() == field.lowercased() }?.value
  }
}
