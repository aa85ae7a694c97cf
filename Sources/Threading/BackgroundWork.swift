// A second thread for one job, and the semaphores by which it and its starter wait for each other.

#if canImport(Dispatch)
  internal import Dispatch
#endif

/// Work on another thread.
package enum BackgroundWork {
  /// Asks the system to run `body` on another thread. It may start late or, where there are no threads, never: the
  /// starter must be able to do the work itself.
  package static func start(_ body: @escaping @Sendable () -> Void) {
    #if canImport(Dispatch)
      DispatchQueue.global(qos: .userInitiated).async { body() }
    #endif
  }
}

/// A counter that threads wait on.
package final class CountingSemaphore: Sendable {
  #if canImport(Dispatch)
    private let semaphore = DispatchSemaphore(value: 0)
  #endif

  /// A semaphore of `count`.
  package init(count: Int = 0) {
    // Not by the initial value: a semaphore of Dispatch traps when it is destroyed with less than that.
    for _ in 0..<count { signal() }
  }

  /// Counts up, and wakes one waiting thread.
  package func signal() {
    #if canImport(Dispatch)
      semaphore.signal()
    #endif
  }

  /// Waits until the count is positive, and counts down. Returns at once where there are no threads.
  package func wait() {
    #if canImport(Dispatch)
      semaphore.wait()
    #endif
  }

  /// Counts down if the count is positive; `false` if not, and where there are no threads.
  package func waitIfReady() -> Bool {
    #if canImport(Dispatch)
      semaphore.wait(timeout: .now()) == .success
    #else
      false
    #endif
  }
}
