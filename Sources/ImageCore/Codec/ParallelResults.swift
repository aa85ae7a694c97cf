// Independent parts of a codec's work on several threads. Each part spends its own lane of the budget.

internal import Threading

/// Returns the results of a throwing computation for each index below `count`. They do not depend on the number of
/// threads.
///
/// - Throws: the first error in the order of indices, or that of the budget if the parts together exceed it.
package func parallelResults<Result: Sendable>(
  count: Int, parallelism: Int, _ budget: inout ResourceBudget,
  _ body: @Sendable (_ index: Int, _ budget: inout ResourceBudget) throws(CodecError) -> Result
) throws(CodecError) -> [Result] {
  let lane = budget.lane()
  let outcomes = Mutex([Outcome<Result>?](repeating: nil, count: count))
  ParallelRows.perform(count: count, parallelism: parallelism) { index in
    var outcome = Outcome<Result>(budget: lane)
    // The rest is of no use after an error.
    if outcomes.withLock({ $0.contains { $0?.error != nil } }) { return }
    do throws(CodecError) {
      outcome.result = try body(index, &outcome.budget)
    } catch {
      outcome.error = error
    }
    let done = outcome
    outcomes.withLock { $0[index] = done }
  }
  var results: [Result] = []
  var lanes: [ResourceBudget] = []
  for outcome in outcomes.withLock({ $0 }) {
    guard let outcome else { continue }
    if let error = outcome.error { throw error }
    lanes.append(outcome.budget)
    if let result = outcome.result { results.append(result) }
  }
  try budget.join(lanes)
  return results
}

private struct Outcome<Result: Sendable>: Sendable {
  var budget: ResourceBudget
  var result: Result?
  var error: CodecError?
}
