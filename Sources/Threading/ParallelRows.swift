// Independent jobs on several threads.

/// Divides rows among threads.
package enum ParallelRows {
  /// The maximum number of threads, regardless of the request: beyond it, the overhead of splitting exceeds the gain.
  package static let maximumThreadCount = 64

  /// Whether the platform supports more than one thread.
  package static var isSupported: Bool { SystemThreads.isSupported }

  /// Returns the number of threads to use for a request such as `DecodingOptions.parallelism`:
  /// 1…``maximumThreadCount``, or 1 on platforms without threads.
  package static func threadCount(_ parallelism: Int) -> Int {
    isSupported ? min(max(parallelism, 1), maximumThreadCount) : 1
  }

  /// Calls `body` once for each index below `count`, on at most `parallelism` threads, and returns after all calls have
  /// ended. The indices of one thread are in ascending order.
  package static func perform(count: Int, parallelism: Int, _ body: @Sendable (Int) -> Void) {
    let threads = min(threadCount(parallelism), count)
    guard threads > 1 else {
      var index = 0
      while index < count {
        body(index)
        index += 1
      }
      return
    }
    SystemThreads.perform(count: threads) { thread in
      var index = thread
      while index < count {
        body(index)
        index += threads
      }
    }
  }

  /// Calls `body` for the indices below `count`, on at most `parallelism` threads, until a call returns `false`. A
  /// thread takes the next index when it has finished its previous one: if an index is processed, all lower ones are too.
  ///
  /// - Parameters:
  ///   - makeState: creates what a thread keeps from one index to the next.
  ///   - body: returns whether to go on.
  /// - Returns: whether all calls returned `true`.
  @discardableResult
  package static func takeTurns<State>(
    count: Int, parallelism: Int, makeState: @Sendable () -> State,
    _ body: @Sendable (inout State, _ index: Int) -> Bool
  ) -> Bool {
    let turns = Mutex(Turns())
    let threads = min(threadCount(parallelism), count)
    perform(count: threads, parallelism: threads) { _ in
      var state = makeState()
      while let index = turns.withLock({ $0.take(of: count) }) {
        if !body(&state, index) { turns.withLock { $0.isStopped = true } }
      }
    }
    return turns.withLock { !$0.isStopped }
  }

  /// The next index that no thread has taken.
  private struct Turns: Sendable {
    var next = 0
    var isStopped = false

    mutating func take(of count: Int) -> Int? {
      guard !isStopped, next < count else { return nil }
      next += 1
      return next - 1
    }
  }

  /// Splits `rowCount` rows into one range for each of at most `parallelism` threads and calls `body` for every range.
  /// The first row of each range is a multiple of `step`.
  package static func forEachSlab(
    ofRows rowCount: Int, step: Int = 1, minimumRowCount: Int = 1, parallelism: Int,
    _ body: @Sendable (Range<Int>) -> Void
  ) {
    guard rowCount > 0 else { return }
    let step = max(step, 1)
    let steps = (rowCount - 1) / step + 1
    let minimumSteps = max(1, (max(minimumRowCount, 1) - 1) / step + 1)
    let slabs = max(1, min(threadCount(parallelism), steps / minimumSteps))
    perform(count: slabs, parallelism: slabs) { slab in
      let first = steps * slab / slabs * step
      let end = min(steps * (slab + 1) / slabs * step, rowCount)
      body(first..<end)
    }
  }
}
