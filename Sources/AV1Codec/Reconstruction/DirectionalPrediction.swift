// Directional intra prediction (section 7.11.2.4).

extension BlockReconstruction {
  /// A direction and what the filters of its edges depend on.
  struct Direction {
    /// `pAngle`: degrees from the positive horizontal axis.
    let angle: Int
    /// Whether a neighbour has a smooth mode.
    let isSmooth: Bool
    /// The columns and rows of the block in the frame.
    let visibleWidth: Int
    let visibleHeight: Int
  }

  mutating func predictDirection(
    _ direction: Direction, _ neighbours: IntraNeighbours, _ target: PredictedBlock, filtersEdges: Bool,
    _ samples: inout MutableSpan<UInt16>
  ) {
    let angle = direction.angle
    if angle == 90 { return predictVertical(target, above: above.samples.span, &samples) }
    if angle == 180 { return predictHorizontal(target, left: left.samples.span, &samples) }
    var (upsamplesAbove, upsamplesLeft) = (false, false)
    if filtersEdges {
      (upsamplesAbove, upsamplesLeft) = filterEdges(direction, neighbours, target)
    }
    let sideCount = target.width &+ target.height
    if angle < 90 {
      let lines = DirectionalLines(slope: directionSlopes[angle &>> 1], isUpsampled: upsamplesAbove)
      let last = (sideCount &- 1) &<< lines.scale
      above.extend(from: last, count: target.width &<< lines.scale &+ 16)
      predictFromAbove(target, lines, above: above.samples.span, last: last, &samples)
    } else if angle > 180 {
      let lines = DirectionalLines(slope: directionSlopes[(270 &- angle) &>> 1], isUpsampled: upsamplesLeft)
      let last = (sideCount &- 1) &<< lines.scale
      left.extend(from: last, count: target.height &<< lines.scale &+ 16)
      let side = left.samples
      var scratch = columnScratch.mutableSpan
      predictFromLeft(target, lines, left: side.span, last: last, &scratch, &samples)
    } else {
      let rows = DirectionalLines(slope: 0 &- directionSlopes[(180 &- angle) &>> 1], isUpsampled: upsamplesAbove)
      let columns = DirectionalLines(slope: 0 &- directionSlopes[(angle &- 90) &>> 1], isUpsampled: upsamplesLeft)
      let (top, side) = (above.samples, left.samples)
      var scratch = columnScratch.mutableSpan
      predictFromBoth(target, rows, columns, above: top.span, left: side.span, &scratch, &samples)
    }
  }

  /// Step 4: filters the edges.
  ///
  /// - Returns: which edges are upsampled.
  private mutating func filterEdges(
    _ direction: Direction, _ neighbours: IntraNeighbours, _ target: PredictedBlock
  ) -> (above: Bool, left: Bool) {
    let (width, height) = (target.width, target.height)
    let (angle, size) = (direction.angle, width &+ height)
    if angle > 90, angle < 180, size >= 24 {
      let sum = Int(left[0]) &* 5 &+ Int(above[-1]) &* 6 &+ Int(above[0]) &* 5
      let corner = UInt16(truncatingIfNeeded: (sum &+ 8) &>> 4)
      above[-1] = corner
      left[-1] = corner
    }
    if neighbours.hasAbove {
      let strength = IntraEdge.filterStrength(size: size, isSmooth: direction.isSmooth, angle: angle &- 90)
      above.filter(count: direction.visibleWidth &+ (angle < 90 ? height : 0) &+ 1, strength: strength)
    }
    if neighbours.hasLeft {
      let strength = IntraEdge.filterStrength(size: size, isSmooth: direction.isSmooth, angle: angle &- 180)
      left.filter(count: direction.visibleHeight &+ (angle > 180 ? width : 0) &+ 1, strength: strength)
    }
    let upsamplesAbove = IntraEdge.isUpsampled(size: size, isSmooth: direction.isSmooth, angle: angle &- 90)
    if upsamplesAbove { above.upsample(count: width &+ (angle < 90 ? height : 0), maximum: maximum) }
    let upsamplesLeft = IntraEdge.isUpsampled(size: size, isSmooth: direction.isSmooth, angle: angle &- 180)
    if upsamplesLeft { left.upsample(count: height &+ (angle > 180 ? width : 0), maximum: maximum) }
    return (upsamplesAbove, upsamplesLeft)
  }
}
