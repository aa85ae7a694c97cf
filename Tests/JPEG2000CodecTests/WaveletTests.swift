// The inverse wavelet transforms, against forward transforms that follow the definitions.

import ImageCoding
import JPEG2000Codec
import TestSupport
import Testing

/// Decomposes a line whose first sample has the coordinate `start`, by extending it symmetrically (ITU-T T.800, F.4.8).
private func decompose<Sample>(
  _ line: [Sample], start: Int, halved: (Sample) -> Sample, steps: [(Int, (Sample, Sample, Sample) -> Sample)]
) -> [Sample] {
  guard line.count > 1 else { return start & 1 == 1 ? line.map(halved) : line }
  var line = line
  for (parity, step) in steps {
    let old = line
    for index in line.indices where (index + start) & 1 == parity {
      let left = index == 0 ? 1 : index - 1
      let right = index == line.count - 1 ? line.count - 2 : index + 1
      line[index] = step(old[index], old[left], old[right])
    }
  }
  return line
}

private func decompose53(_ line: [Int32], start: Int) -> [Int32] {
  decompose(
    line, start: start, halved: { $0 * 2 },
    steps: [(1, { $0 - ($1 + $2) >> 1 }), (0, { $0 + ($1 + $2 + 2) >> 2 })])
}

private func decompose97(_ line: [Float], start: Int) -> [Float] {
  let k: Float = 1.230174104914001
  let lifted = decompose(
    line, start: start, halved: { $0 * 2 },
    steps: [
      (1, { $0 - 1.586134342059924 * ($1 + $2) }), (0, { $0 - 0.052980118572961 * ($1 + $2) }),
      (1, { $0 + 0.882911075530934 * ($1 + $2) }), (0, { $0 + 0.443506852043971 * ($1 + $2) }),
    ])
  guard line.count > 1 else { return lifted }
  return lifted.indices.map { ($0 + start) & 1 == 1 ? lifted[$0] * k : lifted[$0] / k }
}

/// Decomposes columns, then rows, and moves low frequencies to the left and to the top.
private func decompose<Sample>(
  _ plane: [[Sample]], _ area: GridArea, _ line: ([Sample], Int) -> [Sample]
) -> [Sample] {
  func split<Element>(_ elements: [Element], _ start: Int64) -> [Element] {
    let odd = Int(start & 1)
    return elements.indices.filter { ($0 + odd) & 1 == 0 }.map { elements[$0] }
      + elements.indices.filter { ($0 + odd) & 1 == 1 }.map { elements[$0] }
  }
  let columns = plane[0].indices.map { x in line(plane.map { $0[x] }, Int(area.y0)) }
  let rows = plane.indices.map { y in split(line(columns.map { $0[y] }, Int(area.x0)), area.x0) }
  return split(rows, area.y0).flatMap { $0 }
}

@Suite struct WaveletTests {
  /// Sizes and positions of both parities, with single rows and columns.
  private let areas = [
    GridArea(x0: 0, y0: 0, x1: 1, y1: 1), GridArea(x0: 1, y0: 1, x1: 2, y1: 2), GridArea(x0: 3, y0: 0, x1: 4, y1: 9),
    GridArea(x0: 0, y0: 5, x1: 70, y1: 6), GridArea(x0: 1, y0: 2, x1: 67, y1: 13),
    GridArea(x0: 2, y0: 1, x1: 4, y1: 3), GridArea(x0: 5, y0: 7, x1: 46, y1: 40),
  ]

  @Test func reversibleTransformIsExact() throws {
    var random = TestRandom(1)
    var budget = ResourceBudget(.default)
    for area in areas {
      let plane = (0..<Int(area.height)).map { _ in
        (0..<Int(area.width)).map { _ in Int32.random(in: -70000...70000, using: &random) }
      }
      var coefficients = decompose(plane, area, decompose53)
      var transform = try InverseTransform<ReversibleWavelet>(side: 100, budget: &budget)
      try transform.reconstruct(
        &coefficients, pitch: Int(area.width), area, lower: area.reduced(by: 1), &budget)
      #expect(coefficients == plane.flatMap { $0 })
    }
  }

  @Test func irreversibleTransformIsAccurate() throws {
    var random = TestRandom(2)
    var budget = ResourceBudget(.default)
    for area in areas {
      let plane = (0..<Int(area.height)).map { _ in
        (0..<Int(area.width)).map { _ in Float.random(in: -1000...1000, using: &random) }
      }
      var coefficients = decompose(plane, area, decompose97)
      var transform = try InverseTransform<IrreversibleWavelet>(side: 100, budget: &budget)
      try transform.reconstruct(
        &coefficients, pitch: Int(area.width), area, lower: area.reduced(by: 1), &budget)
      let difference = zip(coefficients, plane.flatMap { $0 }).map { abs($0 - $1) }.max() ?? 1
      #expect(difference < 0.01)
    }
  }
}
