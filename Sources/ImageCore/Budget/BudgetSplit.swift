// Parallel stages: each spends a share of the budget, and the total is charged when all have ended.

/// A budget that is split among stages that run at the same time.
///
/// Each share may spend all that is left of the budget; ``ResourceBudget/join(_:)`` then charges their total, so that
/// the outcome does not depend on the number of shares.
public struct BudgetSplit: ~Copyable, Sendable {
  private let origin: ResourceBudget

  fileprivate init(_ budget: borrowing ResourceBudget) {
    origin = ResourceBudget(sharing: budget)
  }

  /// Returns the budget of one stage.
  public func share() -> ResourceBudget { ResourceBudget(sharing: origin) }

  /// Returns the resources that a stage has spent.
  ///
  /// - Parameter share: a result of ``share()``.
  public func close(_ share: consuming ResourceBudget) -> BudgetSpending {
    BudgetSpending(
      heldByteCount: share.heldByteCount - origin.heldByteCount,
      peakByteCount: share.peakByteCount - origin.heldByteCount,
      metadataByteCount: share.metadataByteCount - origin.metadataByteCount,
      metadataChunkCount: share.metadataChunkCount - origin.metadataChunkCount, work: share.work &- origin.work)
  }
}

/// The resources that one of several parallel stages has spent.
public struct BudgetSpending: Sendable {
  /// The number of bytes that it still holds.
  let heldByteCount: Int
  /// The maximum number of bytes that it held.
  package let peakByteCount: Int
  let metadataByteCount: Int
  let metadataChunkCount: Int
  /// The units of work.
  let work: Int64
}

extension FixedWidthInteger {
  /// The sum, or the largest value if that is smaller. Only for summands that are not negative.
  fileprivate func addingClamped(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}

extension ResourceBudget {
  /// Creates the share of a budget.
  fileprivate init(sharing other: borrowing ResourceBudget) {
    self.init(
      other.limits, format: other.format, bufferPool: other.bufferPool, shouldCancel: other.shouldCancel,
      clock: other.clock)
    (heldByteCount, peakByteCount) = (other.heldByteCount, other.heldByteCount)
    (metadataByteCount, metadataChunkCount) = (other.metadataByteCount, other.metadataChunkCount)
    (work, allowedWork, nextCheckpoint) = (other.work, other.allowedWork, other.work)
    (encodingAllowance, inputByteCount, pixelCount) = (
      other.encodingAllowance, other.inputByteCount, other.pixelCount
    )
    (depth, elapsed, callStart) = (other.depth, other.elapsed, other.callStart)
  }

  /// Splits the budget among parallel stages. Until they are joined, nothing should be charged to it that depends on
  /// what they leave.
  public func split() -> BudgetSplit { BudgetSplit(self) }

  /// Charges what parallel stages have spent.
  ///
  /// - Throws: ``CodecError/Kind/limitExceeded`` if their total exceeds what is left; in this case nothing is charged.
  public mutating func join(_ parts: [BudgetSpending]) throws(CodecError) {
    var (held, peak) = (heldByteCount, peakByteCount)
    var (metadata, chunks, done) = (metadataByteCount, metadataChunkCount, work)
    for part in parts {
      // Each share has been checked individually.
      peak = max(peak, heldByteCount.addingClamped(part.peakByteCount))
      held = held.addingClamped(part.heldByteCount)
      metadata = metadata.addingClamped(part.metadataByteCount)
      chunks = chunks.addingClamped(part.metadataChunkCount)
      done = done.addingClamped(part.work)
    }
    guard metadata <= limits.maximumMetadataByteCount else {
      throw exceeded(.metadata, "the metadata exceeds the limit of \(limits.maximumMetadataByteCount) bytes", nil)
    }
    guard held <= limits.maximumByteCount else { throw exceedsMemory(nil) }
    guard done <= allowedWork else { throw exceedsWork(nil) }
    (heldByteCount, peakByteCount) = (held, max(peak, held))
    (metadataByteCount, metadataChunkCount, work) = (metadata, chunks, done)
    try chargeWork(0)
  }
}
