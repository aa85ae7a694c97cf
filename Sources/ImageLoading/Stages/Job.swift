// The unit of work of a pipeline. Requests that need the same work share a job.

/// An object whose work depends on a job.
@ImagePipelineActor protocol JobSubscriber: AnyObject {
  /// The tasks that need the work.
  var imageTasks: [ImageTask] { get }
}

/// A subscriber's connection to a job.
@ImagePipelineActor struct JobSubscription {
  /// Withdraws the subscriber. The job is cancelled with its last subscriber.
  let cancel: () -> Void
  /// Changes the priority that the subscriber needs. The job has that of its most urgent subscriber.
  let setPriority: (ImageRequest.Priority) -> Void
}

/// An event that a job reports to its subscribers.
enum JobEvent<Output: Sendable>: Sendable {
  /// The number of bytes downloaded so far.
  case progress(ImageTask.Progress)
  /// An output that later ones replace, such as a preview.
  case partial(Output)
  /// The last output. No event follows.
  case final(Output)
  /// The failure of the job. No event follows.
  case failure(ImagePipeline.Error)

  var isLast: Bool {
    switch self {
    case .progress, .partial: false
    case .final, .failure: true
    }
  }
}

/// Work that starts with its first subscriber, reports to all of them, and is cancelled when none is left.
///
/// Subclasses are the stages of a pipeline. A stage consists of at most one job that it depends on and one operation in
/// a queue, whose priorities follow that of the stage.
@ImagePipelineActor class Job<Output: Sendable>: JobSubscriber {
  private struct Subscriber {
    let id: Int
    let object: any JobSubscriber
    var priority: ImageRequest.Priority
    let receive: (JobEvent<Output>) -> Void
  }

  private enum Phase {
    case waiting, running, ended
  }

  let pipeline: ImagePipeline
  /// Called once, when the job has ended in any way.
  var onEnd: (() -> Void)?
  /// The subscription to the job that this one depends on.
  final var dependency: JobSubscription?
  /// The operation that waits or runs in a queue.
  final var operation: TaskQueue.Operation?

  /// The subscribers by their numbers, which increase.
  private var subscribers: [Int: Subscriber] = [:]
  /// The number of subscribers with each priority.
  private var priorityCounts: [ImageRequest.Priority: Int] = [:]
  private var nextID = 0
  private var phase = Phase.waiting
  private(set) final var priority = ImageRequest.Priority.veryLow

  init(pipeline: ImagePipeline) {
    self.pipeline = pipeline
  }

  /// Starts the work. Overridden by every stage.
  func start() {}

  /// Ends the work after the last subscriber has left. Dependency and operation are cancelled already. Overridden by
  /// stages that hold more than these.
  func cancelWork() {}

  /// Whether the job has delivered its last event or was cancelled.
  final var hasEnded: Bool { phase == .ended }

  /// Whether a task asks for the output of this job itself, not only for something made from it.
  final var hasTaskSubscriber: Bool { subscribers.values.contains { $0.object is ImageTask } }

  final var imageTasks: [ImageTask] { subscribers.values.flatMap(\.object.imageTasks) }

  /// Adds a subscriber and starts the job if it is the first one. Events may be delivered before this returns.
  final func subscribe(
    _ object: any JobSubscriber, priority: ImageRequest.Priority, _ receive: @escaping (JobEvent<Output>) -> Void
  ) -> JobSubscription {
    let id = nextID
    nextID += 1
    subscribers[id] = Subscriber(id: id, object: object, priority: priority, receive: receive)
    priorityCounts[priority, default: 0] += 1
    updatePriority()
    if phase == .waiting {
      phase = .running
      start()
    }
    // Subscriptions retain the job. It releases its subscribers when it ends.
    return JobSubscription(
      cancel: { [self] in unsubscribe(id) },
      setPriority: { [self] in setPriority($0, of: id) })
  }

  private func unsubscribe(_ id: Int) {
    guard let subscriber = subscribers.removeValue(forKey: id) else { return }
    priorityCounts[subscriber.priority, default: 1] -= 1
    if !subscribers.isEmpty { return updatePriority() }
    guard phase != .ended else { return }
    end()
    cancelWork()
  }

  private func setPriority(_ priority: ImageRequest.Priority, of id: Int) {
    guard let previous = subscribers[id]?.priority else { return }
    subscribers[id]?.priority = priority
    priorityCounts[previous, default: 1] -= 1
    priorityCounts[priority, default: 0] += 1
    updatePriority()
  }

  private func updatePriority() {
    let highest = priorityCounts.lazy.filter { $0.value > 0 }.map(\.key).max() ?? priority
    guard highest != priority else { return }
    priority = highest
    operation?.priority = highest
    dependency?.setPriority(highest)
  }

  /// Delivers an event to all subscribers, in the order in which they were added.
  final func send(_ event: JobEvent<Output>) {
    guard phase != .ended else { return }
    let receivers = subscribers.values.sorted { $0.id < $1.id }
    if event.isLast { end() }
    for receiver in receivers where event.isLast || subscribers[receiver.id] != nil {
      receiver.receive(event)
    }
  }

  private func end() {
    phase = .ended
    dependency?.cancel()
    dependency = nil
    operation?.cancel()
    operation = nil
    subscribers = [:]
    priorityCounts = [:]
    onEnd?()
    onEnd = nil
  }
}

extension Job {
  /// Adds this job to the subscribers of the job that it depends on.
  func depend<Input>(on job: Job<Input>, _ receive: @escaping (JobEvent<Input>) -> Void) {
    let subscription = job.subscribe(self, priority: priority, receive)
    // Either may have ended while the dependency delivered its first events.
    if hasEnded { return subscription.cancel() }
    if !job.hasEnded { dependency = subscription }
  }
}

/// The jobs of one stage that run, by their keys.
@ImagePipelineActor final class JobPool<Key: Hashable, Output: Sendable> {
  private let isCoalescing: Bool
  private var jobs: [Key: Job<Output>] = [:]

  nonisolated init(isCoalescing: Bool) {
    self.isCoalescing = isCoalescing
  }

  /// Returns the job for a key that runs, or a new one.
  func job(for key: Key, _ make: () -> Job<Output>) -> Job<Output> {
    guard isCoalescing else { return make() }
    if let job = jobs[key] { return job }
    let job = make()
    jobs[key] = job
    job.onEnd = { [weak self] in self?.jobs[key] = nil }
    return job
  }

  /// The number of jobs that run.
  var count: Int { jobs.count }
}
