// The weights of one axis in double precision.

internal import ImageCore

/// A filter applied along one axis: which source positions contribute to a target position, and how much.
struct AxisFilter {
  let filter: ResamplingFilter
  let sourceCount: Int
  let targetCount: Int
  /// Source pixels per target pixel.
  private let scale: Double
  /// The factor by which the filter is stretched.
  private let stretch: Double
  private let support: Double

  init(_ filter: ResamplingFilter, from sourceCount: Int, to targetCount: Int) {
    self.filter = filter
    self.sourceCount = sourceCount
    self.targetCount = targetCount
    scale = Double(sourceCount) / Double(targetCount)
    stretch = max(scale, 1)
    support = filter.support * stretch
  }

  /// Whether pixels keep their position, so that there is nothing to compute.
  var isIdentity: Bool { sourceCount == targetCount }

  /// The maximum number of source positions that contribute to a target position.
  var maximumTapCount: Int {
    // An area of width `scale` overlaps one position more than its rounded width; other filters round both ends.
    let radius = filter == .area ? scale / 2 + 1 : support + 1
    let count = 2 * radius.rounded(.up) + 1
    return count < Double(sourceCount) ? Int(count) : sourceCount
  }

  /// Computes the normalised weights of a target position.
  ///
  /// - Parameter weights: receives the weights; at least ``maximumTapCount`` elements.
  /// - Returns: the contributing source positions.
  func weigh(_ target: Int, into weights: inout MutableSpan<Double>) -> Range<Int> {
    if filter == .area { return weighOverlap(target, into: &weights) }
    let center = (Double(target) + 0.5) * scale
    let start = Int(max(0, center - support + 0.5))
    let end = Int(min(Double(sourceCount), center + support + 0.5))
    // Rounding may leave no position at all where the support is half a pixel.
    guard start < end else {
      weights[0] = 1
      let nearest = min(start, sourceCount - 1)
      return nearest..<nearest + 1
    }
    var sum = 0.0
    let step = 1 / stretch
    for position in start..<end {
      let weight = filter.weight(at: (Double(position) - center + 0.5) * step)
      weights[position - start] = weight
      sum += weight
    }
    if sum != 0 {
      for index in 0..<end - start { weights[index] /= sum }
    }
    return start..<end
  }

  /// Both grids have integer boundaries if a source position is `targetCount` units wide and a target position
  /// `sourceCount`.
  private func weighOverlap(_ target: Int, into weights: inout MutableSpan<Double>) -> Range<Int> {
    let (width, step) = (Int64(sourceCount), Int64(targetCount))
    let left = Int64(target) * width
    let right = left + width
    let start = left / step
    let end = (right - 1) / step + 1
    for position in start..<end {
      let overlap = min(right, (position + 1) * step) - max(left, position * step)
      weights[Int(position - start)] = Double(overlap) / Double(width)
    }
    return Int(start)..<Int(end)
  }
}

extension AxisFilter {
  /// The work of computing a weight; a sine costs about 20 nanoseconds.
  static let workPerWeight = 20

  /// Charges the memory of the weights of all target positions, of the given size each, and of their computation.
  func chargeWeights(bytesEach: Int, to budget: inout ResourceBudget) throws(CodecError) {
    let (count, overflow) = (maximumTapCount + 2).multipliedReportingOverflow(by: targetCount)
    try budget.allocate(count: overflow ? -1 : count, bytesEach: bytesEach)
    try budget.allocate(count: targetCount, bytesEach: 4 * MemoryLayout<Int>.stride)
    try budget.allocate(count: maximumTapCount, bytesEach: MemoryLayout<Double>.stride)
  }
}
