// The weights of one axis in single precision, for samples of more than eight bits.

internal import ImageCore

/// Normalised weights of every target position along one axis.
struct FloatWeights {
  /// The contributing source positions of one target position.
  struct Taps {
    /// The first contributing source position.
    var start: Int
    /// The index of its weight.
    var offset: Int
    /// The number of contributing source positions.
    var count: Int
    /// The end of the contributing source positions.
    var end: Int { start + count }
  }

  private(set) var taps: [Taps] = []
  private(set) var weights: [Float] = []

  init(_ axis: AxisFilter, budget: inout ResourceBudget) throws(CodecError) {
    try axis.chargeWeights(bytesEach: 4, to: &budget)
    var row = [Double](repeating: 0, count: axis.maximumTapCount)
    taps.reserveCapacity(axis.targetCount)
    weights.reserveCapacity(axis.targetCount * axis.maximumTapCount)
    for target in 0..<axis.targetCount {
      var span = row.mutableSpan
      let range = axis.weigh(target, into: &span)
      try budget.chargeWork(count: range.count, unitsEach: AxisFilter.workPerWeight)
      taps.append(Taps(start: range.lowerBound, offset: weights.count, count: range.count))
      for index in 0..<range.count { weights.append(Float(row[index])) }
    }
  }

  /// The maximum number of weights of a target position.
  var maximumTapCount: Int { taps.reduce(0) { max($0, $1.count) } }
}
