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
    _ direction: Direction, _ neighbours: IntraNeighbours, _ target: Target, filtersEdges: Bool,
    _ samples: inout MutableSpan<UInt16>
  ) {
    let angle = direction.angle
    if angle == 90 { return predictVertical(target, &samples) }
    if angle == 180 { return predictHorizontal(target, &samples) }
    var (upsamplesAbove, upsamplesLeft) = (false, false)
    if filtersEdges {
      (upsamplesAbove, upsamplesLeft) = filterEdges(direction, neighbours, target)
    }
    if angle < 90 {
      predictFromAbove(slope: directionSlopes[angle &>> 1], target, isUpsampled: upsamplesAbove, &samples)
    } else if angle > 180 {
      predictFromLeft(slope: directionSlopes[(270 &- angle) &>> 1], target, isUpsampled: upsamplesLeft, &samples)
    } else {
      predictFromBoth(angle: angle, target, upsamplesAbove: upsamplesAbove, upsamplesLeft: upsamplesLeft, &samples)
    }
  }

  /// Step 4: filters the edges.
  ///
  /// - Returns: which edges are upsampled.
  private mutating func filterEdges(
    _ direction: Direction, _ neighbours: IntraNeighbours, _ target: Target
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

  private func predictVertical(_ target: Target, _ samples: inout MutableSpan<UInt16>) {
    let top = above.samples.span
    for y in 0..<target.height {
      let first = target.index &+ y &* target.stride
      var row = samples._mutatingExtracting(first..<first &+ target.width)
      for x in 0..<target.width { row[x] = top[x &+ IntraEdge.origin] }
    }
  }

  private func predictHorizontal(_ target: Target, _ samples: inout MutableSpan<UInt16>) {
    for y in 0..<target.height {
      let first = target.index &+ y &* target.stride
      let value = left[y]
      for x in first..<first &+ target.width { samples[x] = value }
    }
  }

  /// Angles less than 90 degrees.
  private func predictFromAbove(
    slope: Int, _ target: Target, isUpsampled: Bool, _ samples: inout MutableSpan<UInt16>
  ) {
    let scale = isUpsampled ? 1 : 0
    let edge = above.samples.span
    let last = (target.width &+ target.height &- 1) &<< scale
    let end = edge[last &+ IntraEdge.origin]
    for y in 0..<target.height {
      let position = (y &+ 1) &* slope
      let base = position &>> (6 &- scale)
      let fraction = Int32(truncatingIfNeeded: (position &<< scale) &>> 1 & 31)
      let first = target.index &+ y &* target.stride
      var row = samples._mutatingExtracting(first..<first &+ target.width)
      let count = min(max((last &- base &+ scale) &>> scale, 0), target.width)
      if isUpsampled {
        for x in 0..<count { row[x] = Self.interpolated(edge, base &+ 2 &* x, fraction) }
      } else {
        for x in 0..<count { row[x] = Self.interpolated(edge, base &+ x, fraction) }
      }
      for x in count..<target.width { row[x] = end }
    }
  }

  /// A value between two samples of an edge.
  @inline(__always)
  private static func interpolated(_ edge: Span<UInt16>, _ index: Int, _ fraction: Int32) -> UInt16 {
    let first = Int32(edge[index &+ IntraEdge.origin])
    let second = Int32(edge[index &+ IntraEdge.origin &+ 1])
    return UInt16(truncatingIfNeeded: (first &* 32 &+ (second &- first) &* fraction &+ 16) &>> 5)
  }

  /// Angles greater than 180 degrees.
  private func predictFromLeft(
    slope: Int, _ target: Target, isUpsampled: Bool, _ samples: inout MutableSpan<UInt16>
  ) {
    let scale = isUpsampled ? 1 : 0
    let edge = left.samples.span
    for x in 0..<target.width {
      let position = (x &+ 1) &* slope
      let base = position &>> (6 &- scale)
      let fraction = Int32(truncatingIfNeeded: (position &<< scale) &>> 1 & 31)
      // Samples past the last one equal it.
      let last = (target.width &+ target.height &- 1) &<< scale
      for y in 0..<target.height {
        let index = min(base &+ y &<< scale, last)
        samples[target.index &+ y &* target.stride &+ x] = Self.interpolated(
          edge, index, index == last ? 0 : fraction)
      }
    }
  }

  /// Angles between 90 and 180 degrees.
  private func predictFromBoth(
    angle: Int, _ target: Target, upsamplesAbove: Bool, upsamplesLeft: Bool, _ samples: inout MutableSpan<UInt16>
  ) {
    let (slopeX, slopeY) = (directionSlopes[(180 &- angle) &>> 1], directionSlopes[(angle &- 90) &>> 1])
    let (scaleX, scaleY) = (upsamplesAbove ? 1 : 0, upsamplesLeft ? 1 : 0)
    let (top, side) = (above.samples.span, left.samples.span)
    for y in 0..<target.height {
      let position = 0 &- (y &+ 1) &* slopeX
      let base = position &>> (6 &- scaleX)
      let fraction = Int32(truncatingIfNeeded: (position &<< scaleX) &>> 1 & 31)
      let start = target.index &+ y &* target.stride
      var row = samples._mutatingExtracting(start..<start &+ target.width)
      // The first column that is predicted from above: its index is not before the corner.
      let limit = 0 &- 1 &<< scaleX
      let first = min(max((limit &- base &+ scaleX) &>> scaleX, 0), target.width)
      for x in 0..<first {
        let position = y &<< 6 &- (x &+ 1) &* slopeY
        row[x] = Self.interpolated(
          side, position &>> (6 &- scaleY), Int32(truncatingIfNeeded: (position &<< scaleY) &>> 1 & 31))
      }
      for x in first..<target.width { row[x] = Self.interpolated(top, base &+ x &<< scaleX, fraction) }
    }
  }
}
