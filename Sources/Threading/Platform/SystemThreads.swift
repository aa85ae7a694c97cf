// The threads of the system. The only file that depends on the availability of Dispatch for them.

#if canImport(Dispatch) && !hasFeature(Embedded)
  internal import Dispatch

  /// Threads that Dispatch provides.
  enum SystemThreads {
    /// Whether the platform has more than one thread.
    static var isSupported: Bool { true }

    /// Calls a closure on another thread.
    static func start(_ body: @escaping @Sendable () -> Void) {
      DispatchQueue.global(qos: .userInitiated).async { body() }
    }

    /// Calls a closure for each index below `count`, each on a separate thread if there are enough, and returns after all
    /// calls have ended.
    static func perform(count: Int, _ body: @Sendable (Int) -> Void) {
      DispatchQueue.concurrentPerform(iterations: count) { body($0) }
    }
  }

  /// A counting semaphore of the system, with the initial count 0.
  struct SystemSemaphore: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func signal() { semaphore.signal() }
    func wait() { semaphore.wait() }
    func waitIfReady() -> Bool { semaphore.wait(timeout: .now()) == .success }
  }
#else
  /// No threads: everything is done by the caller.
  enum SystemThreads {
    static var isSupported: Bool { false }
    static func start(_ body: @escaping @Sendable () -> Void) {}
    static func perform(count: Int, _ body: @Sendable (Int) -> Void) {
      for index in 0..<count { body(index) }
    }
  }

  /// A semaphore for which no thread can wait.
  struct SystemSemaphore: Sendable {
    func signal() {}
    func wait() {}
    func waitIfReady() -> Bool { false }
  }
#endif
