// A loader whose data the test delivers.

import Foundation
import ImageLoading
import Threading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Delivers data when the test says so. Counts the requests.
final class ScriptedLoader: DataLoading {
  /// One request in progress.
  final class Load: Cancellable {
    let request: URLRequest
    fileprivate let receive: @Sendable (Data, URLResponse) -> Void
    fileprivate let complete: @Sendable ((any Error)?) -> Void
    let cancellation = Gate()

    fileprivate init(
      _ request: URLRequest, receive: @escaping @Sendable (Data, URLResponse) -> Void,
      complete: @escaping @Sendable ((any Error)?) -> Void
    ) {
      self.request = request
      self.receive = receive
      self.complete = complete
    }

    func cancel() { cancellation.open() }

    /// Delivers data.
    ///
    /// - Parameter total: the announced length of all data; -1 if unknown.
    func send(_ data: Data, total: Int) {
      guard let url = request.url else { return }
      receive(
        data, URLResponse(url: url, mimeType: nil, expectedContentLength: total, textEncodingName: nil))
    }

    func finish(_ error: (any Error)? = nil) { complete(error) }
  }

  private let start: @Sendable (Load) -> Void
  let loads = Log<Load>()
  let count = Counter()

  /// Creates a loader that calls a closure for each request.
  init(_ start: @escaping @Sendable (Load) -> Void = { _ in }) {
    self.start = start
  }

  /// Creates a loader that delivers the same data for all requests.
  convenience init(_ data: Data) {
    self.init { load in
      load.send(data, total: data.count)
      load.finish()
    }
  }

  func loadData(
    with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> any Cancellable {
    let load = Load(request, receive: didReceiveData, complete: completion)
    loads.append(load)
    start(load)
    count.increment()
    return load
  }
}

extension ImagePipeline {
  /// Creates a pipeline for a test, with a loader and a separate memory cache.
  nonisolated static func forTest(
    _ loader: any DataLoading, delegate: (any Delegate)? = nil,
    _ configure: (inout Configuration) -> Void = { _ in }
  ) -> ImagePipeline {
    var configuration = Configuration(dataLoader: loader)
    configuration.imageCache = ImageCache(costLimit: 64 << 20)
    configuration.isRateLimiterEnabled = false
    configuration.progressiveDecodingInterval = 0
    configure(&configuration)
    return ImagePipeline(configuration: configuration, delegate: delegate)
  }
}

let testURL = URL(string: "http://example.com/image") ?? URL(fileURLWithPath: "/")

/// An error of a test.
struct TestError: Error, Hashable {}
