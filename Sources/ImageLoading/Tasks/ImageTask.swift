// A request in progress.

internal import Threading

/// The loading of one image. A task starts when it is created, and its pipeline retains it until it has ended.
public final class ImageTask: Sendable {
  /// The number of the task, unique within its pipeline.
  public let taskId: UInt64
  /// The request that the task was created with.
  public let request: ImageRequest

  enum Kind: Sendable {
    case image
    /// The data is loaded, but not decoded.
    case data
  }

  private struct Shared: Sendable {
    var state = State.running
    var priority: ImageRequest.Priority
    var progress = Progress(completed: 0, total: 0)
    /// The latest preview, until the task ends.
    var preview: ImageResponse?
    var result: Result<ImageResponse, ImagePipeline.Error>?
    var nextObserverID = 0
    var observers: [Int: @Sendable (Event) -> Void] = [:]
  }

  let kind: Kind
  private let shared: Mutex<Shared>
  /// `nil` once the task has ended.
  @ImagePipelineActor private var pipeline: ImagePipeline?
  @ImagePipelineActor private var subscription: JobSubscription?

  init(
    taskId: UInt64, request: ImageRequest, kind: Kind, pipeline: ImagePipeline,
    onEvent: (@Sendable (Event, ImageTask) -> Void)? = nil
  ) {
    self.pipeline = pipeline
    self.taskId = taskId
    self.request = request
    self.kind = kind
    shared = Mutex(Shared(priority: request.priority))
    if let onEvent {
      // The observer is removed with the last event.
      _ = observe { [self] in onEvent($0, self) }
    }
  }

  /// The priority of the task, which can be changed while it runs. Work that tasks share has the highest of their
  /// priorities.
  public var priority: ImageRequest.Priority {
    get { shared.withLock { $0.priority } }
    set {
      let isChanged = shared.withLock { shared in
        defer { shared.priority = newValue }
        return shared.priority != newValue && shared.state == .running
      }
      if isChanged { Task { @ImagePipelineActor in subscription?.setPriority(priority) } }
    }
  }

  /// The progress of the download; zeros before it starts.
  public var currentProgress: Progress { shared.withLock { $0.progress } }

  /// Whether the task runs, was cancelled or has completed.
  public var state: State { shared.withLock { $0.state } }

  /// Cancels the task. Work that other tasks need continues.
  ///
  /// The task fails with ``ImagePipeline/Error/cancelled`` at once. Has no effect on a task that has ended.
  public func cancel() {
    guard deliver(.finished(.failure(.cancelled))) else { return }
    Task(priority: .high) { @ImagePipelineActor in
      notifyDelegate(.finished(.failure(.cancelled)))
      end()
    }
  }
}

extension ImageTask {
  /// The state of a task.
  public enum State: Hashable, Sendable {
    /// The task waits or is being executed.
    case running
    /// The task was cancelled.
    case cancelled
    /// The task has completed, with an image or an error.
    case completed
  }

  /// The progress of a download.
  public struct Progress: Hashable, Sendable {
    /// The number of bytes received.
    public let completed: Int64
    /// The expected number of bytes; 0 if unknown.
    public let total: Int64

    /// Creates a progress.
    public init(completed: Int64, total: Int64) {
      self.completed = completed
      self.total = total
    }

    /// The received fraction of the data, 0…1; 0 if the total is unknown.
    public var fraction: Float {
      total > 0 ? min(1, Float(completed) / Float(total)) : 0
    }
  }

  /// An event in the life of a task.
  public enum Event: Sendable {
    /// The task has started.
    case started
    /// More data was received.
    case progress(Progress)
    /// A preview was decoded.
    case preview(ImageResponse)
    /// The task has ended. A cancelled task ends with ``ImagePipeline/Error/cancelled``. No event follows.
    case finished(Result<ImageResponse, ImagePipeline.Error>)
  }
}

extension ImageTask {
  /// The loaded image. Cancelling the Swift task that waits for it cancels this task.
  public var image: PlatformImage {
    get async throws(ImagePipeline.Error) { try await response.image }
  }

  /// The response with the final image. Cancelling the Swift task that waits for it cancels this task.
  public var response: ImageResponse {
    get async throws(ImagePipeline.Error) {
      let result = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          _ = observe { event in
            if case .finished(let result) = event { continuation.resume(returning: result) }
          }
        }
      } onCancel: {
        cancel()
      }
      return try result.get()
    }
  }

  /// The progress of the download: the current one, if it has begun, and then each change. A slow reader misses older
  /// values.
  public var progress: AsyncStream<Progress> {
    makeStream(.bufferingNewest(TaskEventBuffer.maximumCount)) {
      if case .progress(let progress) = $0 { progress } else { nil }
    }
  }

  /// The previews: the latest one, if there is one, and then each as it is decoded. Ends with the task. A slow reader
  /// misses all but the latest preview.
  public var previews: AsyncStream<ImageResponse> {
    makeStream(.bufferingNewest(1)) { if case .preview(let response) = $0 { response } else { nil } }
  }

  /// The events of the task from now on, after the current progress and the latest preview; for a task that has ended,
  /// its last one. A slow reader misses older values of the progress and all but the latest preview, but never the last
  /// event.
  public var events: AsyncStream<Event> {
    let buffer = TaskEventBuffer()
    let id = observe(replaysState: true) { [weak buffer] in buffer?.add($0) }
    buffer.onRelease { [weak self] in self?.removeObserver(id) }
    return AsyncStream(unfolding: { await buffer.next() }, onCancel: { [weak buffer] in buffer?.cancel() })
  }

  private func makeStream<Element: Sendable>(
    _ policy: AsyncStream<Element>.Continuation.BufferingPolicy, _ transform: @escaping @Sendable (Event) -> Element?
  ) -> AsyncStream<Element> {
    AsyncStream(bufferingPolicy: policy) { continuation in
      let id = observe(replaysState: true) { event in
        if let element = transform(event) { continuation.yield(element) }
        if case .finished = event { continuation.finish() }
      }
      continuation.onTermination = { [weak self] _ in self?.removeObserver(id) }
    }
  }

  /// Calls a closure with all further events; with the last one if the task has ended.
  ///
  /// - Parameter replaysState: whether the closure is called with the current progress and the latest preview before.
  ///   It is called under the lock, so that no event precedes them, and must not use the task.
  private func observe(replaysState: Bool = false, _ receive: @escaping @Sendable (Event) -> Void) -> Int {
    let (id, result) = shared.withLock { shared in
      let id = shared.nextObserverID
      shared.nextObserverID += 1
      if shared.result == nil {
        if replaysState, shared.progress.completed > 0 { receive(.progress(shared.progress)) }
        if replaysState, let preview = shared.preview { receive(.preview(preview)) }
        shared.observers[id] = receive
      }
      return (id, shared.result)
    }
    if let result { receive(.finished(result)) }
    return id
  }

  private func removeObserver(_ id: Int) {
    _ = shared.withLock { $0.observers.removeValue(forKey: id) }
  }

  /// Records an event and passes it to the observers, in the order in which they were added. Returns `false` if the
  /// task has ended before.
  private func deliver(_ event: Event) -> Bool {
    let observers = shared.withLock { shared -> [@Sendable (Event) -> Void]? in
      guard shared.state == .running else { return nil }
      let observers = shared.observers.sorted { $0.key < $1.key }.map(\.value)
      switch event {
      case .progress(let progress): shared.progress = progress
      case .preview(let response): shared.preview = response
      case .started: break
      case .finished(let result):
        if case .failure(.cancelled) = result { shared.state = .cancelled } else { shared.state = .completed }
        shared.result = result
        shared.preview = nil
        shared.observers = [:]
      }
      return observers
    }
    guard let observers else { return false }
    for receive in observers { receive(event) }
    return true
  }
}

@ImagePipelineActor extension ImageTask: JobSubscriber {
  var imageTasks: [ImageTask] { [self] }

  /// Subscribes to the job that produces the response.
  func start(_ job: Job<ImageResponse>) {
    report(.started)
    let subscription = job.subscribe(self, priority: priority) { [self] in receive($0) }
    if state == .running {
      self.subscription = subscription
    } else {
      subscription.cancel()
    }
  }

  /// Ends the task with an error before it has a job.
  func fail(_ error: ImagePipeline.Error) {
    receive(.failure(error))
  }

  private func receive(_ event: JobEvent<ImageResponse>) {
    switch event {
    case .progress(let progress): report(.progress(progress))
    case .partial(let response): report(.preview(response))
    case .final(let response): report(.finished(.success(response)))
    case .failure(let error): report(.finished(.failure(error)))
    }
    if event.isLast { end() }
  }

  private func report(_ event: Event) {
    if deliver(event) { notifyDelegate(event) }
  }

  private func notifyDelegate(_ event: Event) {
    guard let pipeline, kind == .image else { return }
    pipeline.delegate.imageTask(self, didReceiveEvent: event, pipeline: pipeline)
  }

  private func end() {
    subscription?.cancel()
    subscription = nil
    pipeline?.remove(self)
    pipeline = nil
  }
}

extension ImageTask: Hashable, CustomStringConvertible {
  /// Returns whether both are the same task.
  public static func == (lhs: ImageTask, rhs: ImageTask) -> Bool { lhs === rhs }

  /// Hashes the identity of the task.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }

  /// The number, priority, progress and state of the task in one line.
  public var description: String {
    let progress = currentProgress
    return
      "ImageTask(id: \(taskId), priority: \(priority), progress: \(progress.completed) / \(progress.total), state: \(state))"
  }
}
