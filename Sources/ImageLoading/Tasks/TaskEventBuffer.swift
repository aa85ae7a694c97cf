// The events of a task that the reader of a stream has not received yet.

internal import Threading

/// Keeps a limited number of events in order: at most one preview, since each has the memory of an image, and always the
/// last event.
final class TaskEventBuffer: Sendable {
  private struct State: Sendable {
    var events: [ImageTask.Event] = []
    var waiting: CheckedContinuation<ImageTask.Event?, Never>?
    /// Whether no further event follows.
    var hasEnded = false
    var onRelease: (@Sendable () -> Void)?
  }

  /// The maximum number of events.
  static let maximumCount = 256

  private let state = Mutex(State())

  deinit {
    state.withLock { $0.onRelease.take() }?()
  }

  /// Sets the closure that is called when the stream is released.
  func onRelease(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.onRelease = body }
  }

  /// Adds an event, unless the stream has ended: an event that another thread delivers may come after the last one.
  /// Removes an older event if there are too many.
  func add(_ event: ImageTask.Event) {
    let waiting = state.withLock { state -> CheckedContinuation<ImageTask.Event?, Never>? in
      guard !state.hasEnded else { return nil }
      if case .finished = event { state.hasEnded = true }
      if let waiting = state.waiting.take() { return waiting }
      if case .preview = event { state.events.removeAll { if case .preview = $0 { true } else { false } } }
      if state.events.count >= Self.maximumCount { state.events.removeFirst() }
      state.events.append(event)
      return nil
    }
    waiting?.resume(returning: event)
  }

  /// Ends the stream.
  func cancel() {
    let waiting = state.withLock { state in
      state.events = []
      state.hasEnded = true
      return state.waiting.take()
    }
    waiting?.resume(returning: nil)
  }

  /// Waits for the next event. Returns `nil` after the last one, or if another call waits.
  func next() async -> ImageTask.Event? {
    await withCheckedContinuation { continuation in
      let (event, isDelivered) = state.withLock { state -> (ImageTask.Event?, Bool) in
        if !state.events.isEmpty { return (state.events.removeFirst(), true) }
        if state.hasEnded || state.waiting != nil { return (nil, true) }
        state.waiting = continuation
        return (nil, false)
      }
      if isDelivered { continuation.resume(returning: event) }
    }
  }
}
