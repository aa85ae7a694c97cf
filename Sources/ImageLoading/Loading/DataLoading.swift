// The interface of loaders.

#if canImport(FoundationNetworking)
  public import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Work that can be cancelled.
public protocol Cancellable: AnyObject, Sendable {
  /// Ends the work. May be called on any thread and more than once.
  func cancel()
}

/// Loads the data of requests.
public protocol DataLoading: Sendable {
  /// Starts to load data. The closures may be called on any thread.
  ///
  /// - Parameters:
  ///   - request: the request to send.
  ///   - didReceiveData: called with each part of the data, in order.
  ///   - completion: called once after that, with an error if loading failed. Need not be called if it was cancelled.
  func loadData(
    with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> any Cancellable
}

/// Data, and the response that it came with.
struct LoadedData: Sendable {
  var data: Data
  var response: URLResponse?
  /// The storage of the data once it is known to be complete; `nil` if it is not stored.
  var storage: OriginalDataStorage?
}

extension ImageURLResponse {
  /// Creates a response from one of Foundation's.
  init(_ response: URLResponse) {
    let response = response
    let http = response as? HTTPURLResponse
    var headers: [String: String] = [:]
    for (name, value) in http?.allHeaderFields ?? [:] {
      if let name = name as? String, let value = value as? String { headers[name] = value }
    }
    self.init(
      url: response.url, mimeType: response.mimeType, expectedContentLength: response.expectedContentLength,
      suggestedFilename: response.suggestedFilename, statusCode: http?.statusCode, headers: headers)
  }
}
