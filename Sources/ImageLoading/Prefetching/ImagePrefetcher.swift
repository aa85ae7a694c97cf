// Loading of images before they are needed.

public import Foundation
internal import Threading

/// Loads images into caches, a few at a time and with low priority, so that they are available when they are needed.
///
/// All methods can be called on any thread. The release of a prefetcher cancels its requests.
public final class ImagePrefetcher: Sendable {
  /// The caches that images are loaded into.
  public enum Destination: Hashable, Sendable {
    /// Images are loaded, decoded and kept in memory, and stored on disk as the pipeline is configured.
    case memoryCache
    /// Data is loaded and stored on disk, but not decoded.
    case diskCache
  }

  private let requests: PrefetchedRequests
  private let settings: Mutex<Settings>

  private struct Settings {
    var priority = ImageRequest.Priority.low
    var didComplete: (@MainActor @Sendable () -> Void)?
  }

  /// Creates a prefetcher.
  ///
  /// - Parameters:
  ///   - pipeline: loads the images.
  ///   - destination: the caches that images are loaded into; by default all.
  ///   - maxConcurrentRequestCount: the maximum number of requests at a time. Default 2; none starts if it is
  ///     not positive.
  public init(
    pipeline: ImagePipeline = ImagePipeline.shared, destination: Destination = .memoryCache,
    maxConcurrentRequestCount: Int = 2
  ) {
    requests = PrefetchedRequests(
      pipeline: pipeline, destination: destination,
      queue: TaskQueue(maxConcurrentOperationCount: maxConcurrentRequestCount))
    settings = Mutex(Settings())
  }

  deinit {
    let requests = requests
    Task { @ImagePipelineActor in requests.stopAll() }
  }

  /// Whether no further requests start. Those that run already continue.
  public var isPaused: Bool {
    get { requests.queue.isSuspended }
    set { requests.queue.isSuspended = newValue }
  }

  /// The priority of the requests. Default ``ImageRequest/Priority/low``. Changes affect requests that run already.
  public var priority: ImageRequest.Priority {
    get { settings.withLock { $0.priority } }
    set {
      settings.withLock { $0.priority = newValue }
      Task { @ImagePipelineActor [requests] in requests.setPriority(newValue) }
    }
  }

  /// Called when all requests have ended, whether or not they succeeded.
  public var didComplete: (@MainActor @Sendable () -> Void)? {
    get { settings.withLock { $0.didComplete } }
    set {
      settings.withLock { $0.didComplete = newValue }
      Task { @ImagePipelineActor [requests] in requests.didComplete = newValue }
    }
  }

  /// Starts to load the images at URLs.
  public func startPrefetching(with urls: [URL]) {
    startPrefetching(with: urls.map { ImageRequest(url: $0) })
  }

  /// Starts to load images. Requests that are being loaded already, or whose images are in the memory cache, have no
  /// effect.
  public func startPrefetching(with requests: [ImageRequest]) {
    Task { @ImagePipelineActor [self] in self.requests.start(requests) }
  }

  /// Stops loading the images at URLs.
  public func stopPrefetching(with urls: [URL]) {
    stopPrefetching(with: urls.map { ImageRequest(url: $0) })
  }

  /// Stops loading images.
  public func stopPrefetching(with requests: [ImageRequest]) {
    Task { @ImagePipelineActor [self] in self.requests.stop(requests) }
  }

  /// Stops loading all images.
  public func stopPrefetching() {
    Task { @ImagePipelineActor [requests] in requests.stopAll() }
  }
}

/// The requests of a prefetcher that wait or run.
@ImagePipelineActor private final class PrefetchedRequests {
  private struct Entry {
    let operation: TaskQueue.Operation
    var task: ImageTask?
  }

  private let pipeline: ImagePipeline
  private let destination: ImagePrefetcher.Destination
  nonisolated let queue: TaskQueue
  private var entries: [ImageKey: Entry] = [:]
  var didComplete: (@MainActor @Sendable () -> Void)?
  private var priority = ImageRequest.Priority.low

  nonisolated init(pipeline: ImagePipeline, destination: ImagePrefetcher.Destination, queue: TaskQueue) {
    self.pipeline = pipeline
    self.destination = destination
    self.queue = queue
  }

  func start(_ requests: [ImageRequest]) {
    for request in requests { start(request) }
    completeIfEmpty()
  }

  private func start(_ request: ImageRequest) {
    let key = ImageKey(request)
    guard entries[key] == nil, pipeline.cache[request].map(\.isPreview) ?? true else { return }
    let operation = queue.add(priority: .normal) { [weak self] in await self?.load(request, key) }
    entries[key] = Entry(operation: operation)
  }

  private func load(_ request: ImageRequest, _ key: ImageKey) async {
    guard entries[key] != nil else { return }
    var request = request
    request.priority = priority
    let task = pipeline.startTask(with: request, kind: destination == .memoryCache ? .image : .data)
    entries[key]?.task = task
    _ = try? await task.response
    guard entries[key]?.task == task else { return }
    entries[key] = nil
    completeIfEmpty()
  }

  private func completeIfEmpty() {
    guard entries.isEmpty, let didComplete else { return }
    Task { await didComplete() }
  }

  func stop(_ requests: [ImageRequest]) {
    for request in requests { cancel(entries.removeValue(forKey: ImageKey(request))) }
  }

  func stopAll() {
    let cancelled = entries.values
    entries = [:]
    for entry in cancelled { cancel(entry) }
  }

  private func cancel(_ entry: Entry?) {
    entry?.operation.cancel()
    entry?.task?.cancel()
  }

  func setPriority(_ priority: ImageRequest.Priority) {
    self.priority = priority
    for entry in entries.values { entry.task?.priority = priority }
  }
}
