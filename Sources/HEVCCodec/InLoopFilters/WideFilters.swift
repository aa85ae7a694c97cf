// Filters of samples of more bits than the vectors of 16-bit lanes can calculate with.

/// Deblocks edges of luma of 13 to 16 bits (section 8.7.2.5).
///
/// - Parameters:
///   - step: the distance of samples across an edge.
///   - pitch: the distance of samples along an edge.
package func filterWideLuma(
  _ samples: inout [UInt16], step: Int, pitch: Int, _ edges: [FilterEdge], bitDepth: Int
) {
  for edge in edges {
    for segment in 0..<2 where edge.segments >> UInt8(segment) & 1 == 1 {
      filterSegment(&samples, at: edge.index + 4 * segment * pitch, step: step, pitch: pitch, edge, bitDepth: bitDepth)
    }
  }
}

private func filterSegment(
  _ samples: inout [UInt16], at start: Int, step: Int, pitch: Int, _ edge: FilterEdge, bitDepth: Int
) {
  let (tc, beta) = (Int(edge.limit), Int(edge.flatness))
  // Four samples before the edge, the nearest one last, then four after it.
  func line(_ number: Int) -> InlineArray<8, Int> {
    InlineArray { Int(samples[start + number * pitch + ($0 - 4) * step]) }
  }
  func curvature(_ line: InlineArray<8, Int>) -> (before: Int, after: Int) {
    (abs(line[1] - 2 * line[2] + line[3]), abs(line[6] - 2 * line[5] + line[4]))
  }
  func isSmooth(_ line: InlineArray<8, Int>, _ curvature: (before: Int, after: Int)) -> Bool {
    2 * (curvature.before + curvature.after) < beta >> 2
      && abs(line[0] - line[3]) + abs(line[4] - line[7]) < beta >> 3 && abs(line[3] - line[4]) < (5 * tc + 1) >> 1
  }
  let (first, last) = (line(0), line(3))
  let (firstCurvature, lastCurvature) = (curvature(first), curvature(last))
  let before = firstCurvature.before + lastCurvature.before
  let after = firstCurvature.after + lastCurvature.after
  guard before + after < beta else { return }
  let isStrong = isSmooth(first, firstCurvature) && isSmooth(last, lastCurvature)
  let side = (beta + beta >> 1) >> 3
  for number in 0..<4 {
    var result = line(number)
    if isStrong {
      filterStrongly(&result, limit: 2 * tc)
    } else {
      filterWeakly(&result, limit: tc, changesP1: before < side, changesQ1: after < side, maximum: 1 << bitDepth - 1)
    }
    for place in 1..<7 where edge.finals & (place < 4 ? 1 : 2) == 0 {
      samples[start + number * pitch + (place - 4) * step] = UInt16(clamping: result[place])
    }
  }
}

private func filterStrongly(_ line: inout InlineArray<8, Int>, limit: Int) {
  let old = line
  func set(_ place: Int, _ value: Int) {
    line[place] = min(max(value, old[place] - limit), old[place] + limit)
  }
  let center = old[3] + old[4]
  set(3, (old[1] + 2 * old[2] + 2 * center + old[5] + 4) >> 3)
  set(2, (old[1] + old[2] + center + 2) >> 2)
  set(1, (2 * old[0] + 3 * old[1] + old[2] + center + 4) >> 3)
  set(4, (old[2] + 2 * center + 2 * old[5] + old[6] + 4) >> 3)
  set(5, (center + old[5] + old[6] + 2) >> 2)
  set(6, (center + old[5] + 3 * old[6] + 2 * old[7] + 4) >> 3)
}

private func filterWeakly(
  _ line: inout InlineArray<8, Int>, limit: Int, changesP1: Bool, changesQ1: Bool, maximum: Int
) {
  let old = line
  let raw = (9 * (old[4] - old[3]) - 3 * (old[5] - old[2]) + 8) >> 4
  guard abs(raw) < 10 * limit else { return }
  func clamped(_ value: Int, _ limit: Int) -> Int { min(max(value, -limit), limit) }
  func sample(_ value: Int) -> Int { min(max(value, 0), maximum) }
  let delta = clamped(raw, limit)
  line[3] = sample(old[3] + delta)
  line[4] = sample(old[4] - delta)
  if changesP1 {
    line[2] = sample(old[2] + clamped(((old[1] + old[3] + 1) >> 1 - old[2] + delta) >> 1, limit >> 1))
  }
  if changesQ1 {
    line[5] = sample(old[5] + clamped(((old[6] + old[4] + 1) >> 1 - old[5] - delta) >> 1, limit >> 1))
  }
}

/// Adds edge offsets to samples of 15 or 16 bits (section 8.7.3.2).
///
/// - Parameters:
///   - tile: rows 64 samples apart.
///   - distance: of a sample and the second neighbour.
package func addWideEdgeOffsets(
  _ samples: [UInt16], _ area: SampleArea, to tile: inout [UInt16], distance: Int, offsets: SIMD4<Int16>,
  bitDepth: Int
) {
  let maximum = 1 << bitDepth - 1
  for y in 0..<area.height {
    for x in 0..<area.width {
      let index = area.index + y * area.stride + x
      let (first, value, second) = (samples[index - distance], samples[index], samples[index + distance])
      var category = (value > first ? 1 : value < first ? -1 : 0) + (value > second ? 1 : value < second ? -1 : 0)
      guard category != 0 else {
        tile[y * 64 + x] = value
        continue
      }
      category += category < 0 ? 2 : 1
      tile[y * 64 + x] = UInt16(min(max(Int(value) + Int(offsets[category]), 0), maximum))
    }
  }
}
