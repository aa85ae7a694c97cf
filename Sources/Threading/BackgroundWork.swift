// Background execution of single jobs, and semaphores for synchronisation with them.

/// Work on another thread.
package enum BackgroundWork {
  /// Schedules `body` on another thread. It may start late or, on platforms without threads, never. The caller must be
  /// able to do the work itself.
  package static func start(_ body: @escaping @Sendable () -> Void) {
    SystemThreads.start(body)
  }
}

/// A counting semaphore.
package final class CountingSemaphore: Sendable {
  private let semaphore = SystemSemaphore()

  /// Creates a semaphore with an initial count; 0 by default.
  package init(count: Int = 0) {
    // Not passed as the initial value: a Dispatch semaphore traps if it is destroyed with a lower count.
    for _ in 0..<count { signal() }
  }

  /// Increments the count and wakes one waiting thread.
  package func signal() {
    semaphore.signal()
  }

  /// Waits until the count is positive, and decrements it. Returns immediately on platforms without threads.
  package func wait() {
    semaphore.wait()
  }

  /// Decrements the count if it is positive. Returns `false` if it is not, and on platforms without threads.
  package func waitIfReady() -> Bool {
    semaphore.waitIfReady()
  }
}

/// A computation that runs concurrently with the caller, or on its thread if no other thread has started it.
package final class BackgroundJob<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var isTaken = false
    var value: Value?
  }

  private let body: @Sendable () -> Value
  private let state = Mutex(State())
  private let done = CountingSemaphore()

  /// Schedules `body` on another thread.
  package init(_ body: @escaping @Sendable () -> Value) {
    self.body = body
    BackgroundWork.start { [self] in
      guard take() else { return }
      let value = self.body()
      state.withLock { $0.value = value }
      done.signal()
    }
  }

  private func take() -> Bool {
    state.withLock { state in
      defer { state.isTaken = true }
      return !state.isTaken
    }
  }

  /// Returns the value, after waiting for it if another thread is computing it.
  package func value() -> Value {
    if take() {
      let value = body()
      state.withLock { $0.value = value }
      done.signal()
      return value
    }
    done.wait()
    done.signal()
    return state.withLock { $0.value } ?? body()
  }
}
