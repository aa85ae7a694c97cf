// One producer and one consumer of a sequence of items, each on its own thread. They exchange the items as values through
// a queue, and never share mutable memory.

/// Processes items in order on another thread while the caller's thread produces them.
///
/// The items circulate: the caller takes a free one, fills and submits it, and the other thread processes it and returns it
/// to the free ones. On platforms without threads, and if the system has no thread to spare, the caller processes them.
package final class ProcessingPipeline<Item: Sendable, Work: Sendable>: Sendable {
  private struct State: Sendable {
    var free: [Item] = []
    var full: [Item] = []
    var work: Work?
    var isTaken = false

    mutating func recycle(_ item: inout Item?) {
      if let item = item.take() { free.append(item) }
    }
  }

  private let process: @Sendable (inout Work, inout Item) -> Void
  private let state: Mutex<State>
  private let freeItems: CountingSemaphore
  private let fullItems = CountingSemaphore()
  private let done = CountingSemaphore()

  /// - Parameters:
  ///   - work: what `process` changes; owned by whichever thread took it.
  ///   - items: the free items: enough to absorb the differences in the cost of items.
  ///   - process: processes an item.
  package init(
    _ work: consuming Work, items: [Item], process: @escaping @Sendable (inout Work, inout Item) -> Void
  ) {
    self.process = process
    freeItems = CountingSemaphore(count: items.count)
    state = Mutex(State(free: items, work: work))
  }

  /// Starts the second thread.
  package func start() {
    BackgroundWork.start { self.run() }
  }

  private func run() {
    // Optionals, so that values are moved between owners. With a second owner, the next write would copy them.
    var work = takeWork()
    if work == nil { return }
    while true {
      fullItems.wait()
      // A signal without an item ends the work.
      var item = state.withLock { $0.full.isEmpty ? nil : $0.full.removeFirst() }
      guard processTaken(&item, &work) else { break }
      state.withLock { $0.recycle(&item) }
      freeItems.signal()
    }
    state.withLock { swap(&$0.work, &work) }
    done.signal()
  }

  /// Processes an item in place. Returns `false` if there is none.
  private func processTaken(_ item: inout Item?, _ work: inout Work?) -> Bool {
    guard item != nil else { return false }
    if var value = item.take() {
      if var taken = work.take() {
        process(&taken, &value)
        work = consume taken
      }
      item = consume value
    }
    return true
  }

  /// Takes the work, unless it has been taken.
  private func takeWork() -> Work? {
    state.withLock { state in
      guard !state.isTaken else { return nil }
      state.isTaken = true
      return state.work.take()
    }
  }

  /// Returns an item to fill; `nil` if all are full and the second thread has not started because the system has none to
  /// spare. In that case ``takeBack()`` returns the work.
  package func takeFreeItem() -> Item? {
    if !freeItems.waitIfReady() {
      if state.withLock({ !$0.isTaken }) { return nil }
      freeItems.wait()
    }
    return state.withLock { $0.free.popLast() }
  }

  /// Enqueues an item.
  package func submit(_ item: consuming Item) {
    var item: Item? = item
    state.withLock { if let item = item.take() { $0.full.append(item) } }
    fullItems.signal()
  }

  /// Ends the second thread and returns its work, with all items processed.
  package func takeBack() -> Work? {
    if var work = takeWork() {
      var items = state.withLock { state in
        defer { state.full = [] }
        return state.full
      }
      for index in items.indices { process(&work, &items[index]) }
      return work
    }
    fullItems.signal()
    done.wait()
    return state.withLock { $0.work.take() }
  }
}
