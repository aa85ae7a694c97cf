// The storage of a registry: values in the order of registration, each removable by its token.

internal import Threading

/// Identifies a registration in a registry.
public struct RegistrationToken: Hashable, Sendable {
  fileprivate let id: Int

  /// The number of registrations in all lists so far: a token of one list identifies nothing in another.
  private static let count = Mutex(0)

  fileprivate init() {
    id = Self.count.withLock { count in
      count += 1
      return count
    }
  }
}

/// A thread-safe list. Values are returned as a snapshot, so that callers use them outside the lock.
package final class RegistrationList<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var entries: [(token: RegistrationToken, value: Value)] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// The values, newest first.
  package var newestFirst: [Value] {
    state.withLock { $0.entries }.reversed().map(\.value)
  }

  package func add(_ value: Value) -> RegistrationToken {
    state.withLock { state in
      let token = RegistrationToken()
      state.entries.append((token, value))
      return token
    }
  }

  /// Removes a value. Does nothing if it has already been removed.
  package func remove(_ token: RegistrationToken) {
    state.withLock { $0.entries.removeAll { $0.token == token } }
  }

  package func removeAll() {
    state.withLock { $0.entries.removeAll() }
  }
}
