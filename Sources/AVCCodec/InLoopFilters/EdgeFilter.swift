// Filtering of samples across an edge (sections 8.7.2.3 and 8.7.2.4).

/// The samples along an edge.
package struct FilterEdge {
  /// The first sample after the edge.
  var index: Int
  /// The distance of samples across the edge, and along it.
  let across: Int
  let along: Int
  let count: Int
  /// Strength 4 instead of 3.
  let isStrong: Bool
  /// Whether it is filtered as chroma of lower resolution.
  let isChroma: Bool

  package init(index: Int, across: Int, along: Int, count: Int, isStrong: Bool, isChroma: Bool) {
    (self.index, self.across, self.along, self.count) = (index, across, along, count)
    (self.isStrong, self.isChroma) = (isStrong, isChroma)
  }

  /// Filters all samples along the edge.
  package func filter(_ values: inout MutableSpan<UInt16>, _ thresholds: EdgeThresholds, maximum: Int32) {
    guard thresholds.alpha > 0, thresholds.beta > 0 else { return }
    if count & 7 == 0, maximum < 1 << 12 {
      filterLines(&values, self, thresholds, maximum: maximum)
      return
    }
    for line in 0..<count { filterLine(&values, index &+ line &* along, thresholds, maximum) }
  }

  @inline(__always)
  private func filterLine(
    _ values: inout MutableSpan<UInt16>, _ index: Int, _ thresholds: EdgeThresholds, _ maximum: Int32
  ) {
    let (p0, p1) = (Int32(values[index &- across]), Int32(values[index &- 2 &* across]))
    let (q0, q1) = (Int32(values[index]), Int32(values[index &+ across]))
    guard abs(p0 &- q0) < thresholds.alpha, abs(p1 &- p0) < thresholds.beta, abs(q1 &- q0) < thresholds.beta else {
      return
    }
    if isChroma {
      if isStrong {
        values[index &- across] = UInt16(truncatingIfNeeded: (2 &* p1 &+ p0 &+ q1 &+ 2) &>> 2)
        values[index] = UInt16(truncatingIfNeeded: (2 &* q1 &+ q0 &+ p1 &+ 2) &>> 2)
      } else {
        filterNormal(&values, index, p0, p1, q0, q1, limit: thresholds.limit &+ 1, maximum)
      }
      return
    }
    let (p2, q2) = (Int32(values[index &- 3 &* across]), Int32(values[index &+ 2 &* across]))
    let (isFlatP, isFlatQ) = (abs(p2 &- p0) < thresholds.beta, abs(q2 &- q0) < thresholds.beta)
    if isStrong {
      let isSmall = abs(p0 &- q0) < (thresholds.alpha &>> 2) &+ 2
      smooth(&values, index &- across, 0 &- across, p2, p1, p0, q0, q1, isWide: isFlatP && isSmall)
      smooth(&values, index, across, q2, q1, q0, p0, p1, isWide: isFlatQ && isSmall)
      return
    }
    let limit = thresholds.limit
    let mean = (p0 &+ q0 &+ 1) &>> 1
    filterNormal(
      &values, index, p0, p1, q0, q1, limit: limit &+ (isFlatP ? 1 : 0) &+ (isFlatQ ? 1 : 0), maximum)
    if isFlatP {
      let change = min(max((p2 &+ mean &- 2 &* p1) &>> 1, 0 &- limit), limit)
      values[index &- 2 &* across] = UInt16(truncatingIfNeeded: p1 &+ change)
    }
    if isFlatQ {
      let change = min(max((q2 &+ mean &- 2 &* q1) &>> 1, 0 &- limit), limit)
      values[index &+ across] = UInt16(truncatingIfNeeded: q1 &+ change)
    }
  }

  @inline(__always)
  private func filterNormal(
    _ values: inout MutableSpan<UInt16>, _ index: Int, _ p0: Int32, _ p1: Int32, _ q0: Int32, _ q1: Int32,
    limit: Int32, _ maximum: Int32
  ) {
    let change = min(max(((q0 &- p0) &* 4 &+ p1 &- q1 &+ 4) &>> 3, 0 &- limit), limit)
    values[index &- across] = UInt16(truncatingIfNeeded: min(max(p0 &+ change, 0), maximum))
    values[index] = UInt16(truncatingIfNeeded: min(max(q0 &- change, 0), maximum))
  }

  /// Filters the three samples at one side of a strong edge, from the one at the edge outwards.
  @inline(__always)
  private func smooth(
    _ values: inout MutableSpan<UInt16>, _ index: Int, _ step: Int, _ a2: Int32, _ a1: Int32, _ a0: Int32,
    _ b0: Int32, _ b1: Int32, isWide: Bool
  ) {
    guard isWide else {
      values[index] = UInt16(truncatingIfNeeded: (2 &* a1 &+ a0 &+ b1 &+ 2) &>> 2)
      return
    }
    let a3 = Int32(values[index &+ 3 &* step])
    values[index] = UInt16(truncatingIfNeeded: (a2 &+ 2 &* (a1 &+ a0 &+ b0) &+ b1 &+ 4) &>> 3)
    values[index &+ step] = UInt16(truncatingIfNeeded: (a2 &+ a1 &+ a0 &+ b0 &+ 2) &>> 2)
    values[index &+ 2 &* step] = UInt16(truncatingIfNeeded: (2 &* a3 &+ 3 &* a2 &+ a1 &+ a0 &+ b0 &+ 4) &>> 3)
  }
}
