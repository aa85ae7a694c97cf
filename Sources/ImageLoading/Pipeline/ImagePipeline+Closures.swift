// Loading with closures, as in earlier versions of Nuke. The closures are called on the main actor.

#if canImport(FoundationNetworking)
  public import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension ImagePipeline {
  /// Called with the result of a task that loads an image.
  public typealias ImageCompletion = @MainActor @Sendable (Result<ImageResponse, Error>) -> Void
  /// Called with a preview or with the number of bytes received and expected.
  public typealias ImageProgress = @MainActor @Sendable (ImageResponse?, _ completed: Int64, _ total: Int64) -> Void
  /// Called with the result of a task that loads data.
  public typealias DataCompletion =
    @MainActor @Sendable (Result<(data: Data, response: URLResponse?), Error>) -> Void

  /// Loads the image at a URL. Where possible, use ``image(for:)-(URL)``.
  ///
  /// - Parameters:
  ///   - url: the address of the image.
  ///   - completion: called once, unless the task is cancelled.
  @discardableResult
  public nonisolated func loadImage(with url: URL, completion: @escaping ImageCompletion) -> ImageTask {
    loadImage(with: ImageRequest(url: url), progress: nil, completion: completion)
  }

  /// Loads an image. Where possible, use ``image(for:)-(ImageRequest)``.
  ///
  /// - Parameters:
  ///   - request: what to load.
  ///   - completion: called once, unless the task is cancelled.
  @discardableResult
  public nonisolated func loadImage(with request: ImageRequest, completion: @escaping ImageCompletion) -> ImageTask {
    loadImage(with: request, progress: nil, completion: completion)
  }

  /// Loads the image at a URL. Where possible, use ``imageTask(with:)-(URL)``.
  ///
  /// - Parameters:
  ///   - url: the address of the image.
  ///   - progress: called with each preview and each progress of the download.
  ///   - completion: called once, unless the task is cancelled.
  @discardableResult
  public nonisolated func loadImage(
    with url: URL, progress: ImageProgress?, completion: @escaping ImageCompletion
  ) -> ImageTask {
    loadImage(with: ImageRequest(url: url), progress: progress, completion: completion)
  }

  /// Loads an image. Where possible, use ``imageTask(with:)-(ImageRequest)``.
  ///
  /// - Parameters:
  ///   - request: what to load.
  ///   - progress: called with each preview and each progress of the download.
  ///   - completion: called once, unless the task is cancelled.
  @discardableResult
  public nonisolated func loadImage(
    with request: ImageRequest, progress: ImageProgress?, completion: @escaping ImageCompletion
  ) -> ImageTask {
    startTask(with: request, kind: .image) { event, task in
      onMainActor(of: task) {
        switch event {
        case .started: break
        case .progress(let value): progress?(nil, value.completed, value.total)
        case .preview(let response):
          let value = task.currentProgress
          progress?(response, value.completed, value.total)
        case .finished(let result): completion(result)
        }
      }
    }
  }

  /// Loads the data at a URL without decoding it. Where possible, use ``data(for:)-(URL)``.
  ///
  /// - Parameters:
  ///   - url: the address of the image.
  ///   - completion: called once, unless the task is cancelled.
  @discardableResult
  public nonisolated func loadData(with url: URL, completion: @escaping DataCompletion) -> ImageTask {
    loadData(with: ImageRequest(url: url), progress: nil, completion: completion)
  }

  /// Loads data without decoding it. Where possible, use ``data(for:)-(ImageRequest)``.
  ///
  /// - Parameters:
  ///   - request: what to load.
  ///   - completion: called once, unless the task is cancelled.
  @discardableResult
  public nonisolated func loadData(with request: ImageRequest, completion: @escaping DataCompletion) -> ImageTask {
    loadData(with: request, progress: nil, completion: completion)
  }

  /// Loads data without decoding it. Where possible, use ``data(for:)-(ImageRequest)``.
  ///
  /// - Parameters:
  ///   - request: what to load.
  ///   - progress: called with the number of bytes received and expected.
  ///   - completion: called once, unless the task is cancelled.
  @discardableResult
  public nonisolated func loadData(
    with request: ImageRequest,
    progress: (@MainActor @Sendable (_ completed: Int64, _ total: Int64) -> Void)?,
    completion: @escaping DataCompletion
  ) -> ImageTask {
    startTask(with: request, kind: .data) { event, task in
      onMainActor(of: task) {
        switch event {
        case .progress(let value): progress?(value.completed, value.total)
        case .started, .preview: break
        case .finished(let result):
          completion(
            result.map { response in
              let container = response.container
              return (container.data ?? Data(), container.userInfo[.urlResponseKey] as? URLResponse)
            })
        }
      }
    }
  }

  /// Returns the response for an image in the memory cache, or `nil`.
  public nonisolated func cachedResponse(for url: URL) -> ImageResponse? {
    cachedResponse(for: ImageRequest(url: url))
  }

  /// Returns the response for an image in the memory cache, or `nil`.
  public nonisolated func cachedResponse(for request: ImageRequest) -> ImageResponse? {
    cache[request].map { ImageResponse(container: $0, request: request, cacheType: .memory) }
  }
}

/// Calls a closure on the main actor, unless the task has been cancelled until then. Calls are made in order.
private func onMainActor(of task: ImageTask, _ body: @escaping @MainActor @Sendable () -> Void) {
  Task { @MainActor in
    if task.state != .cancelled { body() }
  }
}

/// Adapts a pipeline to individual requests.
@available(*, deprecated, renamed: "ImagePipeline.Delegate")
public typealias ImagePipelineDelegate = ImagePipeline.Delegate

extension ImagePipeline.Configuration {
  /// The items that a pipeline stores in the disk cache, in the terms of Nuke 9.
  @available(*, deprecated, message: "use `dataCachePolicy`")
  public struct DataCacheOptions: Sendable {
    /// Images that are stored.
    public enum StoredItem: Hashable, Sendable {
      /// The data as it was loaded.
      case originalImageData
      /// The encoded image, after processing.
      case finalImage
    }

    /// The items that are stored.
    public var storedItems: Set<StoredItem>
  }

  /// The items that are stored in the disk cache; another form of ``dataCachePolicy``.
  @available(*, deprecated, message: "use `dataCachePolicy`")
  public var dataCacheOptions: DataCacheOptions {
    get {
      switch dataCachePolicy {
      case .storeOriginalData: DataCacheOptions(storedItems: [.originalImageData])
      case .storeEncodedImages: DataCacheOptions(storedItems: [.finalImage])
      case .automatic, .storeAll: DataCacheOptions(storedItems: [.originalImageData, .finalImage])
      }
    }
    set {
      let items = newValue.storedItems
      dataCachePolicy =
        items.count > 1 ? .storeAll : items.contains(.finalImage) ? .storeEncodedImages : .storeOriginalData
    }
  }
}
