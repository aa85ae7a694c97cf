// How much work a decode does between two checkpoints, at which it notices a deadline and its cancellation.

import ImageCore
import Synchronization

/// Records the largest number of units of work between two checkpoints of a budget.
///
/// Work that is charged in advance is divided by the number of checkpoints while it is done.
final class CheckpointIntervals: Sendable {
  /// The units between two checkpoints, about a tenth of a second, above which a run states them.
  static let reported: Int64 = 100_000_000

  private struct State {
    /// The units done before the latest checkpoint.
    var work: Int64 = 0
    /// The units that the latest checkpoints were the first to report.
    var reported: Int64 = 0
    /// The number of checkpoints that reported them.
    var checkpointCount: Int64 = 1
    var largest: Int64 = 0

    var current: Int64 { max(largest, reported / checkpointCount) }
  }

  private let state = Mutex(State())

  /// The largest number of units so far.
  var largest: Int64 { state.withLock { $0.current } }

  /// Creates a budget whose checkpoints are recorded. A deadline that is never reached makes it ask for the time.
  func makeBudget(_ options: DecodingOptions) -> ResourceBudget {
    var limits = options.limits
    if limits.deadline == nil { limits.deadline = .seconds(1_000_000) }
    return ResourceBudget(limits, shouldCancel: options.shouldCancel) { [self] work in
      record(work)
      return .now
    }
  }

  /// Records a checkpoint.
  ///
  /// - Parameter work: the units charged before it.
  private func record(_ work: Int64) {
    state.withLock {
      if work == $0.work {
        $0.checkpointCount += 1
        return
      }
      $0.largest = $0.current
      $0.reported = work &- $0.work
      $0.checkpointCount = 1
      $0.work = work
    }
  }
}
