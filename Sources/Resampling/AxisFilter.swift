// The weights of one axis in double precision.

internal import ImageCore

/// A filter applied along one axis: which source positions contribute to a target position, and how much.
struct AxisFilter {
  let filter: ResamplingFilter
  let sourceCount: Int
  let targetCount: Int
  /// The part of the source that is scaled, in pixels; its ends may be within pixels. Pixels outside do not contribute.
  private let part: ClosedRange<Double>
  /// Source pixels per target pixel.
  private let scale: Double
  /// The factor by which the filter is stretched.
  private let stretch: Double
  private let support: Double

  init(
    _ filter: ResamplingFilter, from sourceCount: Int, part: ClosedRange<Double>? = nil, to targetCount: Int
  ) {
    self.filter = filter
    self.sourceCount = sourceCount
    self.targetCount = targetCount
    self.part = part ?? 0...Double(sourceCount)
    scale = (self.part.upperBound - self.part.lowerBound) / Double(targetCount)
    stretch = max(scale, 1)
    support = filter.support * stretch
  }

  /// Whether pixels keep their position, so that there is nothing to compute.
  var isIdentity: Bool { isWhole && sourceCount == targetCount }

  private var isWhole: Bool { part == 0...Double(sourceCount) }

  /// The pixels of which something is in the part.
  private var positions: Range<Int> {
    let first = min(sourceCount - 1, Int(part.lowerBound))
    return first..<max(first + 1, min(sourceCount, Int(part.upperBound.rounded(.up))))
  }

  /// Returns the fraction of a pixel that is in the part, 0…1.
  private func coverage(_ position: Int) -> Double {
    min(Double(position) + 1, part.upperBound) - max(Double(position), part.lowerBound)
  }

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
    if filter == .area { return isWhole ? weighOverlap(target, into: &weights) : weighPart(target, into: &weights) }
    if !isWhole, scale == 1, part.lowerBound == part.lowerBound.rounded() {
      // Pixels of a part that keeps its size are copied.
      weights[0] = 1
      let position = min(Int(part.lowerBound) + target, sourceCount - 1)
      return position..<position + 1
    }
    let positions = positions
    let center = part.lowerBound + (Double(target) + 0.5) * scale
    let start = Int(max(Double(positions.lowerBound), center - support + 0.5))
    let end = Int(min(Double(positions.upperBound), center + support + 0.5))
    // Rounding may leave no position at all where the support is half a pixel.
    guard start < end else {
      weights[0] = 1
      let nearest = min(start, positions.upperBound - 1)
      return nearest..<nearest + 1
    }
    var sum = 0.0
    let step = 1 / stretch
    for position in start..<end {
      var weight = filter.weight(at: (Double(position) - center + 0.5) * step)
      if !isWhole { weight *= coverage(position) }
      weights[position - start] = weight
      sum += weight
    }
    if sum != 0 {
      for index in 0..<end - start { weights[index] /= sum }
    }
    return start..<end
  }

  /// The overlaps of a target position with the pixels of a part.
  private func weighPart(_ target: Int, into weights: inout MutableSpan<Double>) -> Range<Int> {
    let left = part.lowerBound + Double(target) * scale
    let right = left + scale
    let start = min(Int(left), positions.upperBound - 1)
    let end = max(start + 1, min(Int(right.rounded(.up)), positions.upperBound))
    for position in start..<end {
      weights[position - start] = max(0, min(Double(position) + 1, right) - max(Double(position), left)) / scale
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
