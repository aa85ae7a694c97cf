import HEVCCodec
import TestSupport
import Testing

/// Filters one segment of four luma samples as section 8.7.2.5 defines it.
private func filterSegment(
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

@Suite struct DeblockingTests {
  private let stride = 64

  private func edges(_ noise: inout TestRandom, at indices: [Int], bitDepth: Int) -> [FilterEdge] {
    indices.map { index in
      var edge = FilterEdge()
      edge.index = index
      edge.limit = Int16.random(in: 1...24, using: &noise) << Int16(bitDepth - 8)
      edge.flatness = Int16.random(in: 6...64, using: &noise) << Int16(bitDepth - 8)
      edge.segments = UInt8.random(in: 1...3, using: &noise)
      edge.finals = UInt8([0, 0, 0, 1, 2, 3].randomElement(using: &noise) ?? 0)
      return edge
    }
  }

  /// Steps and slopes with some noise, so that all decisions occur.
  private func samples(_ noise: inout TestRandom, bitDepth: Int) -> [UInt16] {
    let scale = 1 << (bitDepth - 8)
    var values: [UInt16] = []
    let levels = (0..<64).map { _ in Int.random(in: 0...255, using: &noise) }
    let spread = [0, 1, 3, 20].randomElement(using: &noise) ?? 0
    for y in 0..<40 {
      for x in 0..<stride {
        let level = levels[(y / 8 * 8 + x / 8) % 64] % 24 + 100 + x % 8 / 3
        let value = (level + Int.random(in: -spread...spread, using: &noise)) * scale
        values.append(UInt16(min(max(value, 0), 256 * scale - 1)))
      }
    }
    return values
  }

  @Test(arguments: [8, 10, 12, 16])
  func lumaIsFilteredAsDefined(_ bitDepth: Int) {
    var noise = TestRandom(UInt64(bitDepth))
    for _ in 0..<150 {
      let original = samples(&noise, bitDepth: bitDepth)
      let columnEdges = edges(&noise, at: [8 * stride + 8, 8 * stride + 16, 16 * stride + 40], bitDepth: bitDepth)
      let rowEdges = edges(&noise, at: [8 * stride + 8, 16 * stride + 16, 24 * stride + 40], bitDepth: bitDepth)
      for (isHorizontal, edges) in [(false, columnEdges), (true, rowEdges)] {
        var expected = original
        let (along, across) = isHorizontal ? (1, stride) : (stride, 1)
        for edge in edges {
          for segment in 0..<2 where edge.segments >> segment & 1 == 1 {
            filterSegment(
              &expected, at: edge.index + 4 * segment * along, along: along, across: across, edge, bitDepth: bitDepth)
          }
        }
        var result = original
        if bitDepth > 12 {
          filterWideLuma(&result, step: across, pitch: along, edges, bitDepth: bitDepth)
          #expect(result == expected)
          continue
        }
        var span = result.mutableSpan
        if isHorizontal {
          filterLumaRows(&span, stride: stride, edges.span, bitDepth: bitDepth)
        } else {
          filterLumaColumns(&span, stride: stride, edges.span, bitDepth: bitDepth)
        }
        #expect(result == expected)
      }
    }
  }

  @Test(arguments: [8, 12, 16], [4, 8])
  func chromaIsFilteredAsDefined(_ bitDepth: Int, _ lineCount: Int) {
    var noise = TestRandom(UInt64(bitDepth + lineCount))
    for _ in 0..<100 {
      let original = samples(&noise, bitDepth: bitDepth)
      let edges = edges(&noise, at: [8 * stride + 8, 16 * stride + 24], bitDepth: bitDepth)
      for (step, pitch) in [(1, stride), (stride, 1)] {
        var expected = original
        for edge in edges {
          for line in 0..<lineCount where edge.segments >> (2 * line / lineCount) & 1 == 1 {
            let index = edge.index + line * pitch
            let (p1, p0) = (Int(original[index - 2 * step]), Int(original[index - step]))
            let (q0, q1) = (Int(original[index]), Int(original[index + step]))
            let tc = Int(edge.limit)
            let delta = min(max((4 * (q0 - p0) + p1 - q1 + 4) >> 3, -tc), tc)
            let maximum = 1 << bitDepth - 1
            if edge.finals & 1 == 0 { expected[index - step] = UInt16(min(max(p0 + delta, 0), maximum)) }
            if edge.finals & 2 == 0 { expected[index] = UInt16(min(max(q0 - delta, 0), maximum)) }
          }
        }
        var result = original
        var span = result.mutableSpan
        filterChroma(&span, step: step, pitch: pitch, lineCount: lineCount, edges.span, bitDepth: bitDepth)
        #expect(result == expected)
      }
    }
  }
}
