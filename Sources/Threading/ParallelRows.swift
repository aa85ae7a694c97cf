// Independent jobs on several threads, with one place that knows whether the platform has Dispatch.

#if canImport(Dispatch)
  internal import Dispatch
#endif

/// Divides rows among threads.
package enum ParallelRows {
  /// No more threads than this are used, whatever is asked for: beyond it, splitting costs more than it gains.
  package static let maximumThreadCount = 64

  /// Whether a second thread can run at all.
  package static var isSupported: Bool {
    #if canImport(Dispatch)
      true
    #else
      false
    #endif
  }

  /// The number of threads to use for a request such as `DecodingOptions.parallelism`: 1…``maximumThreadCount``, 1
  /// where there are no threads.
  package static func threadCount(_ parallelism: Int) -> Int {
    isSupported ? min(max(parallelism, 1), maximumThreadCount) : 1
  }

  /// Runs `body` once for each index below `count`, on at most `parallelism` threads, and returns when all have ended.
  /// Indices that run on one thread run in ascending order.
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
    #if canImport(Dispatch)
      DispatchQueue.concurrentPerform(iterations: threads) { thread in
        var index = thread
        while index < count {
          body(index)
          index += threads
        }
      }
    #endif
  }

  /// Splits `rowCount` rows into one range for each of at most `parallelism` threads, in each of which `step` divides
  /// the first row, and runs `body` for every range.
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
