// Events that one part of a test waits for and another one causes.

import Foundation
import Threading

/// An event that happens once. Tasks and threads wait for it.
final class Gate: Sendable {
  private struct State: Sendable {
    var isOpen = false
    var waiters: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  /// Causes the event.
  func open() {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      state.isOpen = true
      return state.waiters
    }
    for waiter in waiters { waiter() }
  }

  var isOpen: Bool { state.withLock { $0.isOpen } }

  private func onOpen(_ body: @escaping @Sendable () -> Void) {
    let isOpen = state.withLock { state in
      if !state.isOpen { state.waiters.append(body) }
      return state.isOpen
    }
    if isOpen { body() }
  }

  /// Suspends the task until the event has happened.
  func wait() async {
    await withCheckedContinuation { continuation in onOpen { continuation.resume() } }
  }

  /// Blocks the thread until the event has happened, for at most a minute.
  func block() {
    let semaphore = DispatchSemaphore(value: 0)
    onOpen { semaphore.signal() }
    _ = semaphore.wait(timeout: .now() + 60)
  }
}

/// A count that tasks wait for.
final class Counter: Sendable {
  private struct State: Sendable {
    var value = 0
    var waiters: [(value: Int, gate: Gate)] = []
  }

  private let state = Mutex(State())

  var value: Int { state.withLock { $0.value } }

  /// Adds one to the count.
  @discardableResult
  func increment() -> Int {
    let (value, reached) = state.withLock { state in
      state.value += 1
      let value = state.value
      let reached = state.waiters.filter { $0.value <= value }.map(\.gate)
      state.waiters.removeAll { $0.value <= value }
      return (value, reached)
    }
    for gate in reached { gate.open() }
    return value
  }

  /// Suspends the task until the count has reached a value.
  func wait(for value: Int) async {
    let gate = Gate()
    let isReached = state.withLock { state in
      if state.value < value { state.waiters.append((value, gate)) }
      return state.value >= value
    }
    if !isReached { await gate.wait() }
  }
}

/// Values that several threads add.
final class Log<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])

  var values: [Element] { elements.withLock { $0 } }

  func append(_ element: Element) {
    elements.withLock { $0.append(element) }
  }
}
