// The edge-preserving filter (ISO/IEC 18181-1, J.3).

internal import ImageCoding

/// Averages each sample with those neighbours whose surroundings resemble its own.
package struct EdgePreservingFilter {
  private let filter: RestorationFilter
  private let colorCount: Int
  /// The strengths of blocks. Below the minimum, samples are unchanged.
  private let strengths: EdgeStrengths

  private static let minimumSigma: Float = 0.3
  /// The factor by which distances are divided by sigma: 6.6 · (1/√2 − 1).
  private static let distanceFactor: Float = -1.9330952441687859

  package init(_ filter: RestorationFilter, _ strengths: EdgeStrengths, colorCount: Int) {
    (self.filter, self.strengths, self.colorCount) = (filter, strengths, colorCount)
  }

  package func apply(to frame: inout RenderedFrame, budget: inout ResourceBudget) throws(CodecError) {
    let held = budget.heldByteCount
    defer { budget.settle(heldByteCount: held) }
    let size = PixelSize(width: frame.width, height: frame.height)
    try budget.allocate(PaddedPlanes.byteCount(size, count: colorCount))
    // The three colours of grey frames are equal.
    let scales = colorCount == 3 ? filter.channelScale : [filter.channelScale.reduce(0, +)]
    try budget.allocate(EdgeDistances.byteCount(width: size.width))
    let count = filter.edgeIterationCount
    if count == 3 {
      try apply(EdgeDistances(width: size.width, scales, .far), filter.firstSigmaScale, &frame, &budget)
    }
    if count >= 1 { try apply(EdgeDistances(width: size.width, scales, .near), 1, &frame, &budget) }
    if count >= 2 {
      try apply(EdgeDistances(width: size.width, scales, .direct), filter.lastSigmaScale, &frame, &budget)
    }
  }

  /// Applies one iteration.
  private func apply(
    _ distances: EdgeDistances, _ scale: Float, _ frame: inout RenderedFrame, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let planes = PaddedPlanes(frame, count: colorCount)
    var distances = distances
    var factors = [Float](repeating: 0, count: planes.stride)
    var row = [Float](repeating: 0, count: planes.stride * colorCount)
    for y in -EdgeDistances.reach..<frame.height {
      try budget.chargeWork(count: frame.width * colorCount, unitsEach: distances.unitsPerSample)
      distances.advance(to: y, planes)
      guard y >= 0 else { continue }
      setFactors(&factors, y, frame.width, scale)
      distances.average(y, planes, factors.span, into: &row)
      for plane in 0..<colorCount {
        let result = row.span.extracting(plane * planes.stride + PaddedPlanes.left..<(plane + 1) * planes.stride)
        frame.withRow(plane, y) { samples in for x in 0..<samples.count { samples[x] = result[x] } }
      }
    }
  }

  /// Sets the factors of the distances of the samples of a row.
  private func setFactors(_ factors: inout [Float], _ y: Int, _ width: Int, _ scale: Float) {
    let isBorderRow = y & 7 == 0 || y & 7 == 7
    for start in stride(from: 0, to: width, by: 8) {
      let sigma = strengths[start >> 3, y >> 3]
      // A weight is 0 unless both surroundings are equal, so that samples are unchanged.
      let inner = sigma < Self.minimumSigma ? -1e30 : scale * Self.distanceFactor / sigma
      let border = inner * filter.borderFactor
      let place = PaddedPlanes.left + start
      for lane in 0..<8 { factors[place + lane] = isBorderRow || lane == 0 || lane == 7 ? border : inner }
    }
  }
}
