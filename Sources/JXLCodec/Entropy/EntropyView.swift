// The tables of an entropy code as spans, for loops over symbols.

/// A borrowed ``EntropyCode``. Threads use separate views, so that no reference count is shared in loops.
struct EntropyView: ~Escapable {
  let contextMap: Span<UInt8>
  let clusters: Span<EntropyCode.Cluster>
  let table: Span<UInt64>
  let isPrefixCoded: Bool
  /// The binary logarithm of the size of a bucket of ANS.
  let logBucketSize: UInt32
  let logAlphabetSize: UInt32
  let copies: EntropyCode.Copies?

  @_lifetime(borrow code)
  init(_ code: borrowing EntropyCode) {
    contextMap = code.contextMap.span
    clusters = code.clusters.span
    table = code.table.span
    isPrefixCoded = code.coding == .prefix
    logAlphabetSize = UInt32(code.logAlphabetSize)
    logBucketSize = UInt32(Histogram.logTotal - min(code.logAlphabetSize, Histogram.logTotal))
    copies = code.copies
  }
}
