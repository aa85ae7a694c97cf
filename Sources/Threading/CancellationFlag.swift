// Cancellation of synchronous work from another thread.

/// A flag that any thread can set, and that stays set.
package final class CancellationFlag: Sendable {
  private let flag = Mutex(false)

  /// Creates a flag that is not set.
  package init() {}

  /// Whether the flag is set.
  package var value: Bool { flag.withLock { $0 } }

  /// Sets the flag.
  package func set() { flag.withLock { $0 = true } }
}
