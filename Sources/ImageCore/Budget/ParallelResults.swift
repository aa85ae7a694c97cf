// Independent parts of a codec's work on several threads. Each part spends its own share of the budget.

internal import Threading

/// Returns the results of a throwing computation for each index below `count`. They do not depend on the number of
/// threads.
///
/// - Throws: the first error in the order of indices, or that of the budget if the parts together exceed it.
package func parallelResults<Value: Sendable>(
  count: Int, parallelism: Int, _ budget: inout ResourceBudget,
  _ body: @Sendable (_ index: Int, _ budget: inout ResourceBudget) throws(CodecError) -> Value
) throws(CodecError) -> [Value] {
  let outcomes = parallelOutcomes(count: count, parallelism: parallelism, budget, body)
  var results: [Value] = []
  for outcome in outcomes { results.append(try outcome.result.get()) }
  try budget.join(outcomes.map { $0.spending })
  return results
}

/// The outcome of one part.
package struct ParallelOutcome<Value: Sendable>: Sendable {
  /// The value that the part returned, or the error that it threw.
  package let result: Result<Value, CodecError>
  /// The resources that it has spent, which the caller must charge.
  package let spending: BudgetSpending
}

/// Returns the outcomes of a throwing computation for each index below `count`, up to an error: the first one in the
/// order of indices is among them, and what comes before it. Nothing is charged to the budget.
package func parallelOutcomes<Value: Sendable>(
  count: Int, parallelism: Int, _ budget: borrowing ResourceBudget,
  _ body: @Sendable (_ index: Int, _ budget: inout ResourceBudget) throws(CodecError) -> Value
) -> [ParallelOutcome<Value>] {
  let split = budget.split()
  let outcomes = Mutex([ParallelOutcome<Value>?](repeating: nil, count: count))
  ParallelRows.takeTurns(count: count, parallelism: parallelism, makeState: {}) { _, index in
    var share = split.share()
    var isFinished = true
    let result: Result<Value, CodecError>
    do throws(CodecError) {
      result = .success(try body(index, &share))
    } catch {
      result = .failure(error)
      isFinished = false
    }
    let outcome = ParallelOutcome(result: result, spending: split.close(share))
    outcomes.withLock { $0[index] = outcome }
    return isFinished
  }
  return outcomes.withLock { $0.compactMap { $0 } }
}
