// The edge-preserving filter (ISO/IEC 18181-1, J.3).

internal import ImageCoding

/// Averages each sample with those neighbours whose surroundings resemble its own.
struct EdgePreservingFilter {
  private let filter: RestorationFilter
  private let colorCount: Int
  /// The strengths of blocks. Below the minimum, samples are unchanged.
  private let strengths: EdgeStrengths

  private static let minimumSigma: Float = 0.3
  /// The factor by which distances are divided by sigma: 6.6 · (1/√2 − 1).
  private static let distanceFactor: Float = -1.9330952441687859
  private static let plus = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]
  private static let near = [(0, -1), (-1, 0), (1, 0), (0, 1)]
  private static let far = [
    (0, -2), (-1, -1), (0, -1), (1, -1), (-2, 0), (-1, 0), (1, 0), (2, 0), (-1, 1), (0, 1), (1, 1), (0, 2),
  ]

  init(_ filter: RestorationFilter, _ strengths: EdgeStrengths, colorCount: Int) {
    (self.filter, self.strengths, self.colorCount) = (filter, strengths, colorCount)
  }

  func apply(to frame: inout RenderedFrame, budget: inout ResourceBudget) throws(CodecError) {
    let byteCount = frame.width * frame.height * 4 * colorCount
    try budget.allocate(byteCount)
    defer { budget.release(byteCount) }
    let count = filter.edgeIterationCount
    if count == 3 { try apply(Self.far, Self.plus, filter.firstSigmaScale, &frame, &budget) }
    if count >= 1 { try apply(Self.near, Self.plus, 1, &frame, &budget) }
    if count >= 2 { try apply(Self.near, [(0, 0)], filter.lastSigmaScale, &frame, &budget) }
  }

  /// Applies one iteration.
  ///
  /// - Parameters:
  ///   - neighbours: the samples that are averaged.
  ///   - pattern: the samples around both that are compared.
  private func apply(
    _ neighbours: [(Int, Int)], _ pattern: [(Int, Int)], _ scale: Float, _ frame: inout RenderedFrame,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let (width, height) = (frame.width, frame.height)
    let source = Array(frame.planes[..<colorCount])
    // The three colours of grey frames are equal.
    let scales = colorCount == 3 ? filter.channelScale : [filter.channelScale.reduce(0, +)]
    for y in 0..<height {
      try budget.chargeWork(count: width * colorCount, unitsEach: 2 * neighbours.count * pattern.count)
      for x in 0..<width {
        let sigma = strengths[x >> 3, y >> 3]
        guard sigma >= Self.minimumSigma else { continue }
        let isBorder = (x & 7 == 0 || x & 7 == 7) || (y & 7 == 0 || y & 7 == 7)
        let factor = scale * (isBorder ? filter.borderFactor : 1) * Self.distanceFactor / sigma
        var total: Float = 1
        var sums = (source[0][y * width + x], Float(0), Float(0))
        if colorCount == 3 { sums = (sums.0, source[1][y * width + x], source[2][y * width + x]) }
        for (dx, dy) in neighbours {
          var distance: Float = 0
          for plane in 0..<colorCount {
            var sum: Float = 0
            for (px, py) in pattern {
              let own = mirrored(y + py, height) * width + mirrored(x + px, width)
              let other = mirrored(y + py + dy, height) * width + mirrored(x + px + dx, width)
              sum += abs(source[plane][own] - source[plane][other])
            }
            distance += sum * scales[plane]
          }
          let weight = max(0, 1 + distance * factor)
          let place = mirrored(y + dy, height) * width + mirrored(x + dx, width)
          total += weight
          sums.0 += weight * source[0][place]
          if colorCount == 3 {
            sums.1 += weight * source[1][place]
            sums.2 += weight * source[2][place]
          }
        }
        frame.planes[0][y * width + x] = sums.0 / total
        if colorCount == 3 {
          frame.planes[1][y * width + x] = sums.1 / total
          frame.planes[2][y * width + x] = sums.2 / total
        }
      }
    }
  }
}
