// Background execution of a single job, and semaphores for synchronisation with it.

#if canImport(Dispatch)
  internal import Dispatch
#endif

/// Work on another thread.
package enum BackgroundWork {
  /// Schedules `body` on another thread. It may start late or, on platforms without threads, never. The caller must be
  /// able to do the work itself.
  package static func start(_ body: @escaping @Sendable () -> Void) {
    #if canImport(Dispatch)
      DispatchQueue.global(qos: .userInitiated).async { body() }
    #endif
  }
}

/// A counting semaphore.
package final class CountingSemaphore: Sendable {
  #if canImport(Dispatch)
    private let semaphore = DispatchSemaphore(value: 0)
  #endif

  /// Creates a semaphore with an initial count; 0 by default.
  package init(count: Int = 0) {
    // Not passed as the initial value: a Dispatch semaphore traps if it is destroyed with a lower count.
    for _ in 0..<count { signal() }
  }

  /// Increments the count and wakes one waiting thread.
  package func signal() {
    #if canImport(Dispatch)
      semaphore.signal()
    #endif
  }

  /// Waits until the count is positive, and decrements it. Returns immediately on platforms without threads.
  package func wait() {
    #if canImport(Dispatch)
      semaphore.wait()
    #endif
  }

  /// Decrements the count if it is positive. Returns `false` if it is not, and on platforms without threads.
  package func waitIfReady() -> Bool {
    #if canImport(Dispatch)
      semaphore.wait(timeout: .now()) == .success
    #else
      false
    #endif
  }
}
