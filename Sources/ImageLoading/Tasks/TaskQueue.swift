// A queue that limits how many operations run at once. The most urgent ones start first.

internal import Threading

/// Limits the number of concurrent operations of one kind, such as downloads.
///
/// Operations of equal priority start in the order in which they were added.
@ImagePipelineActor public final class TaskQueue {
  private struct Settings {
    var maximumCount: Int
    var isSuspended = false
  }

  private let settings: Mutex<Settings>
  /// The operations that wait, for each priority in the order of their arrival. Those that are cancelled are removed in
  /// constant time wherever they are.
  private var pending: [ImageRequest.Priority: RecencyList<ObjectIdentifier, Operation>] = [:]
  /// The number of operations that wait.
  package private(set) var pendingCount = 0
  /// The number of operations that run.
  package private(set) var runningCount = 0

  /// Creates a queue.
  ///
  /// - Parameter maxConcurrentOperationCount: the maximum number of operations that run at once. If it is not positive,
  ///   none starts.
  public nonisolated init(maxConcurrentOperationCount: Int) {
    settings = Mutex(Settings(maximumCount: maxConcurrentOperationCount))
  }

  /// The maximum number of operations that run at once. Operations that run already are not interrupted.
  public nonisolated var maxConcurrentOperationCount: Int {
    get { settings.withLock { $0.maximumCount } }
    set {
      settings.withLock { $0.maximumCount = newValue }
      Task { @ImagePipelineActor in startPending() }
    }
  }

  /// Whether no further operations are started. Operations that run already continue.
  public nonisolated var isSuspended: Bool {
    get { settings.withLock { $0.isSuspended } }
    set {
      settings.withLock { $0.isSuspended = newValue }
      if !newValue { Task { @ImagePipelineActor in startPending() } }
    }
  }

  /// Adds an operation. It occupies a place in the queue until `body` returns.
  @discardableResult
  func add(
    priority: ImageRequest.Priority, _ body: @escaping @ImagePipelineActor @Sendable () async -> Void
  ) -> Operation {
    let operation = Operation(queue: self, priority: priority, body: body)
    append(operation)
    startPending()
    return operation
  }

  private func append(_ operation: Operation) {
    pending[operation.priority, default: RecencyList()].insert(operation, for: ObjectIdentifier(operation), cost: 1)
    pendingCount += 1
  }

  private func startPending() {
    while let operation = takeNext() {
      runningCount += 1
      operation.start { [weak self] in
        guard let self else { return }
        runningCount -= 1
        startPending()
      }
    }
  }

  /// Removes and returns the most urgent operation, if one may start.
  private func takeNext() -> Operation? {
    let settings = settings.withLock { $0 }
    guard pendingCount > 0, runningCount < settings.maximumCount, !settings.isSuspended else { return nil }
    guard let priority = pending.lazy.filter({ $0.value.count > 0 }).map(\.key).max() else { return nil }
    pendingCount -= 1
    return pending[priority]?.removeOldest()?.value
  }

  private func removePending(_ operation: Operation, priority: ImageRequest.Priority) {
    if pending[priority]?.remove(ObjectIdentifier(operation)) != nil { pendingCount -= 1 }
  }

  fileprivate func cancelPending(_ operation: Operation) {
    removePending(operation, priority: operation.priority)
  }

  fileprivate func move(_ operation: Operation, from priority: ImageRequest.Priority) {
    removePending(operation, priority: priority)
    append(operation)
  }
}

extension TaskQueue {
  /// An operation in a queue.
  @ImagePipelineActor final class Operation {
    private enum Phase {
      case pending(@ImagePipelineActor @Sendable () async -> Void)
      case running(Task<Void, Never>)
      case ended
    }

    private weak let queue: TaskQueue?
    private var phase: Phase

    /// The urgency, which has an effect until the operation starts.
    var priority: ImageRequest.Priority {
      didSet {
        if priority != oldValue, case .pending = phase { queue?.move(self, from: oldValue) }
      }
    }

    fileprivate init(
      queue: TaskQueue, priority: ImageRequest.Priority, body: @escaping @ImagePipelineActor @Sendable () async -> Void
    ) {
      self.queue = queue
      self.priority = priority
      phase = .pending(body)
    }

    /// Whether the operation waits for its start.
    var isPending: Bool {
      if case .pending = phase { true } else { false }
    }

    fileprivate func start(onEnd: @escaping @ImagePipelineActor @Sendable () -> Void) {
      guard case .pending(let body) = phase else { return onEnd() }
      phase = .running(
        Task {
          await body()
          phase = .ended
          onEnd()
        })
    }

    /// Removes the operation from the queue if it is pending, and cancels its task if it is running.
    func cancel() {
      switch phase {
      case .pending:
        phase = .ended
        queue?.cancelPending(self)
      case .running(let task): task.cancel()
      case .ended: break
      }
    }
  }
}
