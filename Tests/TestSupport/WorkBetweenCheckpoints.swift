// The work between the checkpoints of a budget, for tests that a deadline is noticed in time.

package import ImageCoding
internal import Threading

/// Records the checkpoints of a budget.
package final class WorkBetweenCheckpoints: Sendable {
  private struct State {
    var work: Int64 = 0
    var largest: Int64 = 0
    var count = 0
    var repeatedCount = 0
    var mostRepeatedCount = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// The number of checkpoints so far.
  package var count: Int { state.withLock { $0.count } }

  /// The largest number of checkpoints between two charges, while work that has been charged is done.
  package var mostBetweenCharges: Int { state.withLock { $0.mostRepeatedCount } }

  /// Creates a budget whose checkpoints are recorded.
  package func makeBudget(_ limits: DecodingLimits = .default) -> ResourceBudget {
    var limits = limits
    limits.deadline = .seconds(1_000_000)
    return ResourceBudget(limits) { [self] work in
      record(work)
      return .now
    }
  }

  /// Returns the largest number of units between two checkpoints, of which the end of the call is the last.
  package func largest(upTo budget: borrowing ResourceBudget) -> Int64 {
    record(budget.work)
    return state.withLock { $0.largest }
  }

  private func record(_ work: Int64) {
    state.withLock {
      $0.count += 1
      $0.largest = max($0.largest, work - $0.work)
      $0.repeatedCount = work == $0.work ? $0.repeatedCount + 1 : 0
      $0.mostRepeatedCount = max($0.mostRepeatedCount, $0.repeatedCount)
      $0.work = max($0.work, work)
    }
  }
}
