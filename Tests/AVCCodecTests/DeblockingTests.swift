import AVCCodec
import TestSupport
import Testing

/// The filter of section 8.7.2, for one line of samples across an edge: `p3`…`p0`, `q0`…`q3`.
private func slowFilter(_ line: [Int], alpha: Int, beta: Int, limit: Int, isStrong: Bool, isChroma: Bool, maximum: Int)
  -> [Int]
{
  func clip(_ low: Int, _ high: Int, _ value: Int) -> Int { min(max(value, low), high) }
  let p = Array(line[..<4].reversed())
  let q = Array(line[4...])
  guard abs(p[0] - q[0]) < alpha, abs(p[1] - p[0]) < beta, abs(q[1] - q[0]) < beta else { return line }
  var (newP, newQ) = (p, q)
  let (ap, aq) = (abs(p[2] - p[0]), abs(q[2] - q[0]))
  if isStrong {
    let isClose = abs(p[0] - q[0]) < (alpha >> 2) + 2
    if !isChroma, ap < beta, isClose {
      newP[0] = (p[2] + 2 * p[1] + 2 * p[0] + 2 * q[0] + q[1] + 4) >> 3
      newP[1] = (p[2] + p[1] + p[0] + q[0] + 2) >> 2
      newP[2] = (2 * p[3] + 3 * p[2] + p[1] + p[0] + q[0] + 4) >> 3
    } else {
      newP[0] = (2 * p[1] + p[0] + q[1] + 2) >> 2
    }
    if !isChroma, aq < beta, isClose {
      newQ[0] = (p[1] + 2 * p[0] + 2 * q[0] + 2 * q[1] + q[2] + 4) >> 3
      newQ[1] = (p[0] + q[0] + q[1] + q[2] + 2) >> 2
      newQ[2] = (2 * q[3] + 3 * q[2] + q[1] + q[0] + p[0] + 4) >> 3
    } else {
      newQ[0] = (2 * q[1] + q[0] + p[1] + 2) >> 2
    }
  } else {
    let tc = isChroma ? limit + 1 : limit + (ap < beta ? 1 : 0) + (aq < beta ? 1 : 0)
    let delta = clip(-tc, tc, (((q[0] - p[0]) << 2) + (p[1] - q[1]) + 4) >> 3)
    newP[0] = clip(0, maximum, p[0] + delta)
    newQ[0] = clip(0, maximum, q[0] - delta)
    if !isChroma, ap < beta { newP[1] += clip(-limit, limit, (p[2] + ((p[0] + q[0] + 1) >> 1) - (p[1] << 1)) >> 1) }
    if !isChroma, aq < beta { newQ[1] += clip(-limit, limit, (q[2] + ((p[0] + q[0] + 1) >> 1) - (q[1] << 1)) >> 1) }
  }
  return newP.reversed() + newQ
}

@Suite struct DeblockingTests {
  @Test(arguments: [8, 10, 12, 14], [false, true])
  func linesAreFilteredOneByOne(_ bitDepth: Int, _ isVertical: Bool) {
    var noise = TestRandom(UInt64(bitDepth))
    let maximum = 1 << bitDepth - 1
    for round in 0..<400 {
      let (isStrong, isChroma) = (round & 1 == 1, round & 2 == 2)
      let qp = 15 + round % 37
      let thresholds = EdgeThresholds(
        qp, min(51, qp + round % 3), DeblockingParameters(alphaOffset: round % 5 - 2), bitDepth: bitDepth)
      // Sixteen lines of eight samples that differ little.
      let level = Int.random(in: 0...maximum, using: &noise)
      let lines = (0..<16).map { _ in
        (0..<8).map { _ in min(max(level + Int.random(in: -9...9, using: &noise) << (bitDepth - 8), 0), maximum) }
      }
      var samples = [UInt16](repeating: 0, count: 128)
      let (across, along) = isVertical ? (1, 8) : (16, 1)
      for (line, values) in lines.enumerated() {
        for (place, value) in values.enumerated() { samples[line * along + place * across] = UInt16(value) }
      }
      var span = samples.mutableSpan
      FilterEdge(
        index: 4 * across, across: across, along: along, count: 16, isStrong: isStrong, isChroma: isChroma
      ).filter(&span, thresholds, maximum: Int32(maximum))
      for (line, values) in lines.enumerated() {
        let expected = slowFilter(
          values, alpha: Int(thresholds.alpha), beta: Int(thresholds.beta), limit: Int(thresholds.limit),
          isStrong: isStrong, isChroma: isChroma, maximum: maximum)
        #expect((0..<8).map { Int(samples[line * along + $0 * across]) } == expected)
      }
    }
  }

  @Test func thresholdsGrowWithTheParameter() {
    var previous = EdgeThresholds(0, 0, DeblockingParameters(), bitDepth: 8)
    #expect(previous.alpha == 0 && previous.beta == 0 && previous.limit == 0)
    for qp in 1...51 {
      let next = EdgeThresholds(qp, qp, DeblockingParameters(), bitDepth: 8)
      #expect(next.alpha >= previous.alpha && next.beta >= previous.beta && next.limit >= previous.limit)
      previous = next
    }
    #expect(previous.alpha == 255 && previous.beta == 18 && previous.limit == 25)
    let deep = EdgeThresholds(51, 51, DeblockingParameters(), bitDepth: 10)
    #expect(deep.alpha == 1020 && deep.beta == 72 && deep.limit == 100)
  }
}
