// What a pipeline answers.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An image that was loaded, with where it came from.
public struct ImageResponse: Sendable {
  /// The cache that an image came from.
  public enum CacheType: Hashable, Sendable {
    /// Decoded images in memory.
    case memory
    /// Data on disk.
    case disk
  }

  /// The image with what its decoder attached.
  public var container: ImageContainer
  /// The request that was answered.
  public var request: ImageRequest
  /// The server's response, where there is one.
  public var urlResponse: ImageURLResponse?
  /// The cache that the image came from, where it did.
  public var cacheType: CacheType?

  /// Creates a response.
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

/// What a server said of the data it sends: the members of Foundation's `URLResponse` that matter to decoders.
public struct ImageURLResponse: Hashable, Sendable {
  /// Where the data came from in the end.
  public var url: URL?
  /// The media type, such as `"image/png"`.
  public var mimeType: String?
  /// The announced length in bytes; -1 where it is not known.
  public var expectedContentLength: Int64
  /// A name for a file that keeps the data.
  public var suggestedFilename: String?
  /// The status of HTTP, such as 200; `nil` for other protocols.
  public var statusCode: Int?
  /// The header fields of HTTP; empty for other protocols.
  public var headers: [String: String]

  /// Creates a response.
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

  /// The value of a header field; its name's case does not matter.
  public func value(forHTTPHeaderField field: String) -> String? {
    headers[field] ?? headers.first { $0.key.lowercased() == field.lowercased() }?.value
  }
}
