// The pipeline: creates tasks, and finds or makes the jobs that they need.

internal import Threading

#if canImport(FoundationNetworking)
  public import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Loads images: finds them in caches, or loads, decodes, processes and stores them.
///
/// Requests for the same image share the work. All methods can be called from any thread.
@ImagePipelineActor public final class ImagePipeline {
  private nonisolated static let sharedPipeline = Mutex(ImagePipeline(configuration: .withURLCache))

  /// The pipeline used by default. It can be replaced.
  public nonisolated static var shared: ImagePipeline {
    get { sharedPipeline.withLock { $0 } }
    set { sharedPipeline.withLock { $0 = newValue } }
  }

  /// The configuration that the pipeline was created with.
  public nonisolated let configuration: Configuration
  /// The caches of the pipeline.
  public nonisolated var cache: Cache { Cache(pipeline: self) }

  nonisolated let delegate: any Delegate
  /// Distinguishes the pipeline from all others.
  nonisolated let id = UUID()
  private nonisolated let lastTaskID = Mutex<UInt64>(0)

  private var isInvalidated = false
  private var tasks: Set<ImageTask> = []
  /// Limits the rate at which downloads start, if that is enabled.
  let rateLimiter: RateLimiter?
  var resumableDownloads: ResumableDataStorage { .shared }
  /// Limits how many files of the disk cache are read at once.
  let dataCacheQueue = TaskQueue(maxConcurrentOperationCount: 4)
  private let images: JobPool<ImageKey, ImageResponse>
  private let decodedImages: JobPool<DecodedImageKey, ImageResponse>
  private let loadedData: JobPool<DataKey, LoadedData>

  /// Creates a pipeline. By default it loads with `URLSession`, and keeps images in ``ImageCache/shared``.
  ///
  /// - Parameters:
  ///   - configuration: the caches, loaders and queues of the pipeline.
  ///   - delegate: adapts the pipeline to individual requests. The pipeline retains it.
  public nonisolated init(
    configuration: Configuration = Configuration(), delegate: (any Delegate)? = nil
  ) {
    self.configuration = configuration
    self.delegate = delegate ?? DefaultDelegate()
    let isCoalescing = configuration.isTaskCoalescingEnabled
    rateLimiter = configuration.isRateLimiterEnabled ? RateLimiter() : nil
    images = JobPool(isCoalescing: isCoalescing)
    decodedImages = JobPool(isCoalescing: isCoalescing)
    loadedData = JobPool(isCoalescing: isCoalescing)
  }

  /// Creates a pipeline whose configuration is modified by a closure.
  ///
  ///     let pipeline = ImagePipeline {
  ///       $0.isProgressiveDecodingEnabled = true
  ///     }
  public nonisolated convenience init(
    delegate: (any Delegate)? = nil, _ configure: (inout Configuration) -> Void
  ) {
    var configuration = Configuration()
    configure(&configuration)
    self.init(configuration: configuration, delegate: delegate)
  }

  deinit {
    Task { @ImagePipelineActor [id] in ResumableDataStorage.shared.removeAll(of: id) }
  }

  /// Cancels all tasks. New tasks fail with ``Error/pipelineInvalidated``.
  public nonisolated func invalidate() {
    Task { @ImagePipelineActor in
      isInvalidated = true
      for task in tasks { task.cancel() }
    }
  }
}

extension ImagePipeline {
  /// Creates and starts a task that loads the image at a URL.
  public nonisolated func imageTask(with url: URL) -> ImageTask {
    imageTask(with: ImageRequest(url: url))
  }

  /// Creates and starts a task that loads an image.
  public nonisolated func imageTask(with request: ImageRequest) -> ImageTask {
    startTask(with: request, kind: .image)
  }

  /// Loads the image at a URL.
  public nonisolated func image(for url: URL) async throws(Error) -> PlatformImage {
    try await image(for: ImageRequest(url: url))
  }

  /// Loads an image. Cancelling the Swift task cancels the request.
  public nonisolated func image(for request: ImageRequest) async throws(Error) -> PlatformImage {
    try await imageTask(with: request).image
  }

  /// Loads the data at a URL without decoding it.
  @discardableResult
  public nonisolated func data(for url: URL) async throws(Error) -> (Data, URLResponse?) {
    try await data(for: ImageRequest(url: url))
  }

  /// Loads the data of an image without decoding it.
  ///
  /// - Returns: the data, and the server's response unless the data comes from a cache, a file or a closure.
  @discardableResult
  public nonisolated func data(for request: ImageRequest) async throws(Error) -> (Data, URLResponse?) {
    let response = try await startTask(with: request, kind: .data).response
    return (response.container.data ?? Data(), response.container.userInfo[.urlResponseKey] as? URLResponse)
  }

  nonisolated func startTask(
    with request: ImageRequest, kind: ImageTask.Kind, onEvent: (@Sendable (ImageTask.Event, ImageTask) -> Void)? = nil
  ) -> ImageTask {
    let id = lastTaskID.withLock { last in
      last += 1
      return last
    }
    let task = ImageTask(taskId: id, request: request, kind: kind, pipeline: self, onEvent: onEvent)
    if kind == .image { delegate.imageTaskCreated(task, pipeline: self) }
    Task { @ImagePipelineActor in start(task) }
    return task
  }

  private func start(_ task: ImageTask) {
    guard task.state == .running else { return }
    guard !isInvalidated else { return task.fail(.pipelineInvalidated) }
    tasks.insert(task)
    switch task.kind {
    case .image: task.start(image(request: task.request))
    case .data: task.start(RequestedDataJob(request: task.request, pipeline: self))
    }
  }

  func remove(_ task: ImageTask) {
    tasks.remove(task)
  }
}

extension ImagePipeline {
  /// Returns the job that loads and processes an image.
  func image(request: ImageRequest) -> Job<ImageResponse> {
    images.job(for: ImageKey(request)) { ProcessedImageJob(request: request, pipeline: self) }
  }

  /// Returns the job that loads and decodes an image.
  func decodedImage(request: ImageRequest) -> Job<ImageResponse> {
    decodedImages.job(for: DecodedImageKey(request)) {
      if case .image(let closure) = request.resource {
        return SuppliedImageJob(request: request, pipeline: self, closure: closure)
      }
      return DecodedImageJob(request: request, pipeline: self)
    }
  }

  /// Returns the job that loads the data of an image.
  func loadedData(request: ImageRequest) -> Job<LoadedData> {
    loadedData.job(for: DataKey(request)) { DataDownloadJob(request: request, pipeline: self) }
  }

  /// The number of jobs that run, for tests.
  package var runningJobCount: Int { images.count + decodedImages.count + loadedData.count }
  /// The number of tasks that run, for tests.
  package var runningTaskCount: Int { tasks.count }
}

extension ImageContainer.UserInfoKey {
  /// `URLResponse`: the server's response, attached to the result of data tasks.
  static let urlResponseKey: ImageContainer.UserInfoKey = "swift-image-codecs/url-response"
}
