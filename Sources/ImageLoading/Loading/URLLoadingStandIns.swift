// The types of URL requests on platforms whose Foundation has no networking, such as WebAssembly. Loaders of the
// application's own use them there.

#if !canImport(FoundationNetworking) && !canImport(Darwin)
  public import Foundation

  /// The loader of the platform's URL loading system, of which there is none: all requests fail.
  public final class DataLoader: DataLoading {
    /// Creates a loader.
    public init() {}

    /// Fails with ``Error/unsupported``.
    public func loadData(
      with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
      completion: @escaping @Sendable ((any Swift.Error)?) -> Void
    ) -> any Cancellable {
      completion(Error.unsupported)
      return NoWork()
    }
  }

  extension DataLoading where Self == DataLoader {
    static var withoutURLCache: DataLoader { DataLoader() }
  }

  private final class NoWork: Cancellable {
    func cancel() {}
  }

  /// A request for the data of a URL.
  public struct URLRequest: Hashable, Sendable {
    /// The URL.
    public var url: URL?
    /// The HTTP method.
    public var httpMethod: String? = "GET"
    /// The HTTP header fields.
    public var allHTTPHeaderFields: [String: String]? = [:]

    /// Creates a request.
    public init(url: URL) {
      self.url = url
    }

    /// Sets a header field, or removes it.
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {
      allHTTPHeaderFields?[field] = value
    }

    /// Returns the value of a header field.
    public func value(forHTTPHeaderField field: String) -> String? { allHTTPHeaderFields?[field] }
  }

  /// The response to a request.
  public class URLResponse: @unchecked Sendable {
    /// The URL of the data.
    public let url: URL?
    /// The media type.
    public let mimeType: String?
    /// The announced length in bytes; -1 if unknown.
    public let expectedContentLength: Int64
    /// The last component of the URL's path.
    public var suggestedFilename: String? { url?.lastPathComponent }

    /// Creates a response.
    public init(url: URL, mimeType: String?, expectedContentLength: Int, textEncodingName: String?) {
      self.url = url
      self.mimeType = mimeType
      self.expectedContentLength = Int64(expectedContentLength)
    }
  }

  /// The response to an HTTP request.
  public final class HTTPURLResponse: URLResponse, @unchecked Sendable {
    /// The status code.
    public let statusCode: Int
    /// The header fields.
    public let allHeaderFields: [AnyHashable: Any]

    /// Creates a response.
    public init?(url: URL, statusCode: Int, httpVersion: String?, headerFields: [String: String]?) {
      self.statusCode = statusCode
      allHeaderFields = headerFields ?? [:]
      let length = headerFields?.first { $0.key.lowercased() == "content-length" }?.value
      let type = headerFields?.first { $0.key.lowercased() == "content-type" }?.value
      super.init(
        url: url, mimeType: type, expectedContentLength: length.flatMap { Int($0) } ?? -1, textEncodingName: nil)
    }

    /// Returns the value of a header field. The case of its name is ignored.
    public func value(forHTTPHeaderField field: String) -> String? {
      allHeaderFields.first { ($0.key as? String)?.lowercased() == field.lowercased() }?.value as? String
    }
  }
#endif
