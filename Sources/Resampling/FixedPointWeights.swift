// The weights of one axis as integers, in the layout of the kernels.

internal import ImageCore

/// Weights as multiples of 2⁻²², rounded to nearest, in pairs for two adjacent source positions.
///
/// A weight is `high · 2¹⁵ + low` with `low` in 0..<2¹⁵, because processors multiply pairs of 16-bit numbers. The first
/// position of a pair is even; a position outside the filter has weight 0.
struct FixedPointWeights {
  /// The number of fractional bits: eight are left for a sample, and two for overshoot.
  static let precision = 32 - 8 - 2

  /// The pairs of one target position.
  struct Taps {
    /// The index of the first pair of source positions.
    var firstPair: Int
    /// The index of the first element of ``low`` and ``high``.
    var offset: Int
    /// The number of pairs.
    var count: Int
    /// The end of the contributing source positions.
    var end: Int
  }

  private(set) var taps: [Taps] = []
  /// Two low parts per element, the weight of the first position in the lower half.
  private(set) var low: [Int32] = []
  /// Two high parts per element.
  private(set) var high: [Int32] = []

  init(_ axis: AxisFilter, budget: inout ResourceBudget) throws(CodecError) {
    try axis.chargeWeights(bytesEach: 4, to: &budget)
    var weights = [Double](repeating: 0, count: axis.maximumTapCount)
    taps.reserveCapacity(axis.targetCount)
    low.reserveCapacity(axis.targetCount * ((axis.maximumTapCount + 2) / 2))
    high.reserveCapacity(axis.targetCount * ((axis.maximumTapCount + 2) / 2))
    for target in 0..<axis.targetCount {
      var span = weights.mutableSpan
      let range = axis.weigh(target, into: &span)
      try budget.chargeWork(count: range.count, unitsEach: AxisFilter.workPerWeight)
      append(range, weights)
    }
  }

  private mutating func append(_ range: Range<Int>, _ weights: [Double]) {
    let firstPair = range.lowerBound / 2
    let pairEnd = (range.upperBound + 1) / 2
    taps.append(Taps(firstPair: firstPair, offset: low.count, count: pairEnd - firstPair, end: range.upperBound))
    for pair in firstPair..<pairEnd {
      let (first, second) = (pair * 2, pair * 2 + 1)
      let one = range.contains(first) ? Self.fixed(weights[first - range.lowerBound]) : 0
      let other = range.contains(second) ? Self.fixed(weights[second - range.lowerBound]) : 0
      low.append((one & 0x7FFF) | (other & 0x7FFF) << 16)
      high.append((one >> 15) & 0xFFFF | (other >> 15) << 16)
    }
  }

  private static func fixed(_ weight: Double) -> Int32 {
    let scaled = weight * Double(1 << precision)
    return Int32(max(-0x1p29, min(0x1p29, scaled < 0 ? scaled - 0.5 : scaled + 0.5)))
  }

  /// The maximum number of pairs of a target position.
  var maximumPairCount: Int { taps.reduce(0) { max($0, $1.count) } }
  /// The number of pairs of all target positions.
  var pairCount: Int { low.count }
}
