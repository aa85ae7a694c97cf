// Requests whose data does not come from a plain URL.

#if canImport(FoundationNetworking)
  public import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension ImageRequest {
  /// Requests the image of a URL request, which is passed to the loader.
  public init(
    urlRequest: URLRequest, processors: [any ImageProcessing] = [], priority: Priority = .normal,
    options: Options = [], userInfo: [UserInfoKey: any Sendable]? = nil
  ) {
    self.init(
      resource: .loaderRequest(urlRequest.url, urlRequest), imageID: urlRequest.url?.absoluteString,
      processors: processors, priority: priority, options: options, userInfo: userInfo)
  }

  /// The request that is passed to the loader; `nil` if a closure provides the image.
  public var urlRequest: URLRequest? {
    switch resource {
    case .url(let url): url.map { URLRequest(url: $0) }
    case .loaderRequest(_, let request): request as? URLRequest
    case .data, .chunks, .image: nil
    }
  }

  /// Requests the image of data in memory.
  ///
  /// - Parameters:
  ///   - data: the bytes of the file.
  ///   - id: the identifier of the image in caches. Without one, no caches are used and no work is shared.
  ///   - processors: what is done with the image after it is decoded, in order.
  ///   - priority: the order in which waiting requests begin.
  ///   - options: which caches are read and written.
  ///   - userInfo: values for your own decoders and processors.
  public init(
    data: Data, id: String? = nil, processors: [any ImageProcessing] = [], priority: Priority = .normal,
    options: Options = [], userInfo: [UserInfoKey: any Sendable]? = nil
  ) {
    self.init(
      id: id ?? UUID().uuidString, data: { data }, processors: processors, priority: priority,
      options: id == nil ? options.union([.disableMemoryCache, .disableDiskCache]) : options, userInfo: userInfo)
  }

  /// Requests the image of data that arrives in parts, such as the body of an HTTP request.
  ///
  /// - Parameters:
  ///   - id: the identifier of the image in caches.
  ///   - chunks: returns the parts. Called once for each time that the data is loaded. The next part is requested after
  ///     the last one has been received, so that the sender is slowed down if the pipeline is busy.
  ///   - processors: what is done with the image after it is decoded, in order.
  ///   - priority: the order in which waiting requests begin.
  ///   - options: which caches are read and written.
  ///   - userInfo: values for your own decoders and processors.
  public init<Chunks: AsyncSequence & Sendable>(
    id: String, chunks: @escaping @Sendable () -> Chunks, processors: [any ImageProcessing] = [],
    priority: Priority = .normal, options: Options = [], userInfo: [UserInfoKey: any Sendable]? = nil
  ) where Chunks.Element == Data {
    self.init(
      resource: .chunks { receive in
        for try await chunk in chunks() { try await receive(chunk) }
      }, imageID: id, processors: processors, priority: priority, options: options,
      userInfo: userInfo)
  }
}
