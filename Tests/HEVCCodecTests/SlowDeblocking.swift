// Deblocking of single edges in its simplest form, from the formulae of the specification.

import HEVCCodec

/// Filters one segment of four luma samples as section 8.7.2.5 defines it.
func filterSegment(
  _ samples: inout [UInt16], at index: Int, along: Int, across: Int, _ edge: FilterEdge, bitDepth: Int
) {
  let (tc, beta) = (Int(edge.limit), Int(edge.flatness))
  let maximum = 1 << bitDepth - 1
  func p(_ distance: Int, _ line: Int) -> Int { Int(samples[index + line * along - (distance + 1) * across]) }
  func q(_ distance: Int, _ line: Int) -> Int { Int(samples[index + line * along + distance * across]) }
  let dp = [0, 3].map { abs(p(2, $0) - 2 * p(1, $0) + p(0, $0)) }
  let dq = [0, 3].map { abs(q(2, $0) - 2 * q(1, $0) + q(0, $0)) }
  guard dp[0] + dp[1] + dq[0] + dq[1] < beta else { return }
  let isStrong = [0, 1].allSatisfy { place in
    let line = place * 3
    return 2 * (dp[place] + dq[place]) < beta >> 2
      && abs(p(3, line) - p(0, line)) + abs(q(0, line) - q(3, line)) < beta >> 3
      && abs(p(0, line) - q(0, line)) < (5 * tc + 1) >> 1
  }
  let side = (beta + beta >> 1) >> 3
  let (changesP1, changesQ1) = (dp[0] + dp[1] < side, dq[0] + dq[1] < side)
  func clamp(_ value: Int, _ low: Int, _ high: Int) -> Int { min(max(value, low), high) }
  for line in 0..<4 {
    let (p0, p1, p2, p3) = (p(0, line), p(1, line), p(2, line), p(3, line))
    let (q0, q1, q2, q3) = (q(0, line), q(1, line), q(2, line), q(3, line))
    var (newP, newQ) = ([p0, p1, p2], [q0, q1, q2])
    if isStrong {
      newP = [
        clamp((p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) >> 3, p0 - 2 * tc, p0 + 2 * tc),
        clamp((p2 + p1 + p0 + q0 + 2) >> 2, p1 - 2 * tc, p1 + 2 * tc),
        clamp((2 * p3 + 3 * p2 + p1 + p0 + q0 + 4) >> 3, p2 - 2 * tc, p2 + 2 * tc),
      ]
      newQ = [
        clamp((p1 + 2 * p0 + 2 * q0 + 2 * q1 + q2 + 4) >> 3, q0 - 2 * tc, q0 + 2 * tc),
        clamp((p0 + q0 + q1 + q2 + 2) >> 2, q1 - 2 * tc, q1 + 2 * tc),
        clamp((p0 + q0 + q1 + 3 * q2 + 2 * q3 + 4) >> 3, q2 - 2 * tc, q2 + 2 * tc),
      ]
    } else {
      var delta = (9 * (q0 - p0) - 3 * (q1 - p1) + 8) >> 4
      guard abs(delta) < tc * 10 else { continue }
      delta = clamp(delta, -tc, tc)
      (newP[0], newQ[0]) = (clamp(p0 + delta, 0, maximum), clamp(q0 - delta, 0, maximum))
      if changesP1 {
        newP[1] = clamp(p1 + clamp(((p2 + p0 + 1) >> 1 - p1 + delta) >> 1, -(tc >> 1), tc >> 1), 0, maximum)
      }
      if changesQ1 {
        newQ[1] = clamp(q1 + clamp(((q2 + q0 + 1) >> 1 - q1 - delta) >> 1, -(tc >> 1), tc >> 1), 0, maximum)
      }
    }
    for distance in 0..<3 {
      if edge.finals & 1 == 0 { samples[index + line * along - (distance + 1) * across] = UInt16(newP[distance]) }
      if edge.finals & 2 == 0 { samples[index + line * along + distance * across] = UInt16(newQ[distance]) }
    }
  }
}

/// Filters the lines of a chroma edge as section 8.7.2.5.5 defines it; the two segments have half of them each.
func filterChromaEdge(
  _ samples: inout [UInt16], _ edge: FilterEdge, along: Int, across: Int, lineCount: Int, bitDepth: Int
) {
  let (tc, maximum) = (Int(edge.limit), 1 << bitDepth - 1)
  for line in 0..<lineCount where edge.segments >> (2 * line / lineCount) & 1 == 1 {
    let index = edge.index + line * along
    let (p1, p0) = (Int(samples[index - 2 * across]), Int(samples[index - across]))
    let (q0, q1) = (Int(samples[index]), Int(samples[index + across]))
    let delta = min(max((4 * (q0 - p0) + p1 - q1 + 4) >> 3, -tc), tc)
    if edge.finals & 1 == 0 { samples[index - across] = UInt16(min(max(p0 + delta, 0), maximum)) }
    if edge.finals & 2 == 0 { samples[index] = UInt16(min(max(q0 - delta, 0), maximum)) }
  }
}
