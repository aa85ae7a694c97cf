// Independent parts of a codec's work on several threads. Each part spends its own share of the budget.

internal import Threading

/// Returns the results of a throwing computation for each index below `count`. They do not depend on the number of
/// threads.
///
/// - Throws: the first error in the order of indices, or that of the budget if the parts together exceed it.
package func parallelResults<Result: Sendable>(
  count: Int, parallelism: Int, _ budget: inout ResourceBudget,
  _ body: @Sendable (_ index: Int, _ budget: inout ResourceBudget) throws(CodecError) -> Result
) throws(CodecError) -> [Result] {
  let split = budget.split()
  let outcomes = Mutex([Outcome<Result>?](repeating: nil, count: count))
  ParallelRows.perform(count: count, parallelism: parallelism) { index in
    // The rest is of no use after an error.
    if outcomes.withLock({ $0.contains { $0?.error != nil } }) { return }
    var share = split.share()
    let outcome: Outcome<Result>
    do throws(CodecError) {
      let result = try body(index, &share)
      outcome = Outcome(result: result, spending: split.close(share))
    } catch {
      outcome = Outcome(error: error)
    }
    outcomes.withLock { $0[index] = outcome }
  }
  var results: [Result] = []
  var parts: [BudgetSpending] = []
  for outcome in outcomes.withLock({ $0 }) {
    guard let outcome else { continue }
    if let error = outcome.error { throw error }
    if let spending = outcome.spending { parts.append(spending) }
    if let result = outcome.result { results.append(result) }
  }
  try budget.join(parts)
  return results
}

private struct Outcome<Result: Sendable>: Sendable {
  var result: Result?
  var spending: BudgetSpending?
  var error: CodecError?
}
