// How much a call does between two checkpoints, at which it notices a deadline and its cancellation.

import ImageCoding
import Platform
import Synchronization

/// Records the largest number of units of work between two checkpoints of a budget, and the longest processor time.
///
/// Work that is charged in advance is divided by the number of checkpoints while it is done.
final class CheckpointIntervals: Sendable {
  /// The largest number of units permitted between two checkpoints, about a tenth of a second.
  static let permitted: Int64 = 100_000_000
  /// The processor time in seconds between two checkpoints above which a run states it: some work is then charged
  /// before or after it is done, and not while it is done.
  static let reportedSeconds = 0.25

  private struct State {
    /// The largest number of units done before a checkpoint.
    var work: Int64 = 0
    /// The units done before the latest checkpoint, which are fewer if it is that of a copy of the budget: a lane.
    var latest: Int64 = 0
    /// The units whose checkpoints lanes have reported, and which are charged again when the lanes are joined.
    var reportedByLanes: Int64 = 0
    /// The units that the latest checkpoints were the first to report.
    var reported: Int64 = 0
    /// The number of checkpoints that reported them.
    var checkpointCount: Int64 = 1
    var largest: Int64 = 0
    /// The units charged when the call ended.
    var charged: Int64 = 0
    var time = ResourceBounds.processorTime()
    var longest = 0.0

    var current: Int64 { max(largest, reported / checkpointCount) }
  }

  private let state = Mutex(State())

  /// The largest number of units so far.
  var largest: Int64 { state.withLock { $0.current } }
  /// The units charged by the call, which has ended; zero if it had no budget.
  var charged: Int64 { state.withLock { $0.charged } }
  /// The longest processor time in seconds so far.
  var longestSeconds: Double { state.withLock { $0.longest } }

  /// Creates a budget whose checkpoints are recorded. A deadline that is never reached makes it ask for the time.
  func makeBudget(_ options: DecodingOptions) -> ResourceBudget {
    var limits = options.limits
    if limits.deadline == nil { limits.deadline = .seconds(1_000_000) }
    state.withLock { $0.time = ResourceBounds.processorTime() }
    return ResourceBudget(limits, shouldCancel: options.shouldCancel) { [self] work in
      record(work)
      return .now
    }
  }

  /// Records the end of a call, where its caller can notice a deadline.
  func end(_ budget: borrowing ResourceBudget) {
    // If the limit is exceeded, the last work was refused, and has not been done.
    if budget.availableWork > 0 { record(budget.work) }
    state.withLock { $0.charged = budget.work }
  }

  /// Records a checkpoint.
  ///
  /// - Parameter work: the units charged before it.
  private func record(_ work: Int64) {
    let time = ResourceBounds.processorTime()
    state.withLock {
      $0.longest = max($0.longest, time - $0.time)
      $0.time = time
      let step = max(0, work - $0.latest)
      $0.latest = work
      if work <= $0.work {
        $0.checkpointCount += 1
        if work < $0.work {
          $0.reportedByLanes += step
          $0.largest = max($0.largest, step)
        }
        return
      }
      $0.largest = $0.current
      let known = min($0.reportedByLanes, work - $0.work)
      $0.reportedByLanes -= known
      $0.reported = work - $0.work - known
      $0.checkpointCount = 1
      $0.work = work
    }
  }
}
