// Deblocking of chroma (section 8.7.2.5.5): one sample at each side of an edge changes.

/// Filters edges of chroma.
///
/// - Parameters:
///   - step: the distance of samples across an edge: 1 for edges between columns, the stride for those between rows.
///   - pitch: the distance of samples along an edge.
///   - lineCount: samples along each edge: the two segments have half each.
package func filterChroma(
  _ samples: inout MutableSpan<UInt16>, step: Int, pitch: Int, lineCount: Int, _ edges: Span<FilterEdge>,
  bitDepth: Int
) {
  precondition(
    step > 0 && step < 1 << 24 && pitch > 0 && pitch < 1 << 24 && lineCount > 0 && lineCount <= 8 && bitDepth <= 16,
    "the lines are present")
  let maximumValue = Int32(1) &<< Int32(truncatingIfNeeded: bitDepth) &- 1
  let (first, last) = (2 &* step, samples.count &- 1 &- step &- (lineCount &- 1) &* pitch)
  // SAFETY: the precondition within the loop.
  unsafe samples.withUnsafeMutableBufferPointer { samples in
    unsafe edges.withUnsafeBufferPointer { edges in
      guard let base = samples.baseAddress else { return }
      let half = lineCount &>> 1
      for place in 0..<edges.count {
        let edge = unsafe edges[place]
        precondition(edge.index >= first && edge.index <= last, "the samples are present")
        let limit = Int32(edge.limit)
        let start = edge.segments & 1 == 0 ? half : 0
        let end = edge.segments & 2 == 0 ? half : lineCount
        var line = unsafe base + (edge.index &+ start &* pitch)
        var index = start
        while index < end {
          let (p1, p0) = unsafe (Int32(line[-2 * step]), Int32(line[-step]))
          let (q0, q1) = unsafe (Int32(line[0]), Int32(line[step]))
          let raw = ((q0 &- p0) &<< 2 &+ p1 &- q1 &+ 4) &>> 3
          let delta = min(max(raw, 0 &- limit), limit)
          if edge.finals & 1 == 0 {
            unsafe line[-step] = UInt16(truncatingIfNeeded: min(max(p0 &+ delta, 0), maximumValue))
          }
          if edge.finals & 2 == 0 {
            unsafe line[0] = UInt16(truncatingIfNeeded: min(max(q0 &- delta, 0), maximumValue))
          }
          unsafe line += pitch
          index &+= 1
        }
      }
    }
  }
}
