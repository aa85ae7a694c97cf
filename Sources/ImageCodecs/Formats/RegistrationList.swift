// What a registry keeps: values in the order in which they were added, each removed by its token.

internal import Threading

/// Names one registration in a registry.
public struct RegistrationToken: Hashable, Sendable {
  fileprivate let id: Int
}

/// A list that many threads use. Values are handed out as a snapshot, so that callers use them outside of the lock.
final class RegistrationList<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var entries: [(token: RegistrationToken, value: Value)] = []
    var nextID = 0
  }

  private let state = Mutex(State())

  /// The values, the newest first.
  var newestFirst: [Value] {
    state.withLock { $0.entries }.reversed().map(\.value)
  }

  func add(_ value: Value) -> RegistrationToken {
    state.withLock { state in
      defer { state.nextID += 1 }
      let token = RegistrationToken(id: state.nextID)
      state.entries.append((token, value))
      return token
    }
  }

  /// Removes a value. Does nothing when that has been done.
  func remove(_ token: RegistrationToken) {
    state.withLock { $0.entries.removeAll { $0.token == token } }
  }

  func removeAll() {
    state.withLock { $0.entries.removeAll() }
  }
}
