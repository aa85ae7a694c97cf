// Intra prediction without a direction (sections 7.11.2.2, 7.11.2.3, 7.11.2.5 and 7.11.2.6).

extension BlockReconstruction {
  /// `DC_PRED`: the mean of the neighbours that are decoded.
  func predictDC(_ target: PredictedBlock, _ neighbours: IntraNeighbours, _ samples: inout MutableSpan<UInt16>) {
    var sum = 0
    var count = 0
    if neighbours.hasAbove {
      EdgeSamples.with(above.samples.span) { sum &+= $0.sum(target.width) }
      count &+= target.width
    }
    if neighbours.hasLeft {
      EdgeSamples.with(left.samples.span) { sum &+= $0.sum(target.height) }
      count &+= target.height
    }
    let mean = count == 0 ? (maximum &+ 1) &>> 1 : (sum &+ count &>> 1) / count
    fillBlock(target, UInt16(truncatingIfNeeded: mean), &samples)
  }

  /// Modes without a direction.
  func predict(
    _ mode: IntraMode, _ target: PredictedBlock, _ neighbours: IntraNeighbours, _ samples: inout MutableSpan<UInt16>
  ) {
    let (above, left) = (above.samples.span, left.samples.span)
    switch mode {
    case .smooth: predictSmooth(target, .both, above: above, left: left, &samples)
    case .smoothVertical: predictSmooth(target, .vertical, above: above, left: left, &samples)
    case .smoothHorizontal: predictSmooth(target, .horizontal, above: above, left: left, &samples)
    case .paeth: predictPaeth(target, above: above, left: left, &samples)
    default: predictDC(target, neighbours, &samples)
    }
  }
}
