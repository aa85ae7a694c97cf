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

/// Reconstructs a window of a resolution from the bands in the places of the samples: LL in the top left corner.
private func reconstruct<Kind: Wavelet>(
  _ coefficients: [Kind.Sample], _ area: GridArea, _ window: GridArea, as kind: Kind.Type
) throws -> [Kind.Sample] {
  let needed = ResolutionWindow(area, samples: window, reach: Kind.stepCount)
  let lower = area.reduced(by: 1)
  /// The strips of a band, which have as many rows as the band has columns, but not more than three.
  func strips(isHighX: Bool, isHighY: Bool) -> SampleStrips<Kind.Sample> {
    let part = isHighX || isHighY ? needed.band(isHighX: isHighX, isHighY: isHighY) : needed.lower
    let grid = StripGrid(part, height: max(1, min(3, part.width)))
    var result = SampleStrips<Kind.Sample>(grid)
    let (left, top) = (isHighX ? area.x0 / 2 - lower.width : lower.x0, isHighY ? area.y0 / 2 - lower.height : lower.y0)
    for index in 0..<grid.count {
      let samples = grid.rows(ofStrip: index).flatMap { y in
        (part.x0..<part.x1).map { x in coefficients[Int((y - top) * area.width + x - left)] }
      }
      result.set(samples, strip: index)
    }
    return result
  }
  let level = ResolutionBands(
    needed, lower: strips(isHighX: false, isHighY: false),
    bands: [
      strips(isHighX: true, isHighY: false), strips(isHighX: false, isHighY: true),
      strips(isHighX: true, isHighY: true),
    ])
  var budget = ResourceBudget(.default)
  var rows = LevelRows<Kind>(level, rows: window.y0..<window.y1)
  var result: [Kind.Sample] = []
  for _ in window.y0..<window.y1 {
    try rows.advance(&budget)
    let row = rows.row
    for index in row.indices { result.append(row[index]) }
  }
  return result
}

@Suite struct WaveletTests {
  /// Sizes and positions of both parities, with single rows and columns.
  private let areas = [
    GridArea(x0: 0, y0: 0, x1: 1, y1: 1), GridArea(x0: 1, y0: 1, x1: 2, y1: 2), GridArea(x0: 3, y0: 0, x1: 4, y1: 9),
    GridArea(x0: 0, y0: 5, x1: 70, y1: 6), GridArea(x0: 1, y0: 2, x1: 67, y1: 13),
    GridArea(x0: 2, y0: 1, x1: 4, y1: 3), GridArea(x0: 5, y0: 7, x1: 46, y1: 40),
  ]

  private func plane<Sample: Comparable>(_ area: GridArea, _ sample: () -> Sample) -> [[Sample]] {
    (0..<Int(area.height)).map { _ in (0..<Int(area.width)).map { _ in sample() } }
  }

  @Test func reversibleTransformIsExact() throws {
    var random = TestRandom(1)
    for area in areas {
      let plane = plane(area) { Int32.random(in: -70000...70000, using: &random) }
      let result = try reconstruct(decompose(plane, area, decompose53), area, area, as: ReversibleWavelet.self)
      #expect(result == plane.flatMap { $0 })
    }
  }

  @Test func irreversibleTransformIsAccurate() throws {
    var random = TestRandom(2)
    for area in areas {
      let plane = plane(area) { Float.random(in: -1000...1000, using: &random) }
      let result = try reconstruct(decompose(plane, area, decompose97), area, area, as: IrreversibleWavelet.self)
      let difference = zip(result, plane.flatMap { $0 }).map { abs($0 - $1) }.max() ?? 1
      #expect(difference < 0.01)
    }
  }

  /// Windows at all positions, with edges of both parities, equal the same part of the whole.
  @Test func windowsArePartsOfTheWhole() throws {
    var random = TestRandom(3)
    let area = GridArea(x0: 3, y0: 6, x1: 26, y1: 27)
    let integers = plane(area) { Int32.random(in: -70000...70000, using: &random) }.flatMap { $0 }
    let reals = integers.map { Float($0) / 64 }
    let wholeIntegers = try reconstruct(integers, area, area, as: ReversibleWavelet.self)
    let wholeReals = try reconstruct(reals, area, area, as: IrreversibleWavelet.self)
    for size in [1, 2, 5] as [Int64] {
      for y in area.y0...area.y1 - size {
        for x in area.x0...area.x1 - size {
          let window = GridArea(x0: x, y0: y, x1: x + size, y1: y + size)
          let indices = (y..<y + size).flatMap { y in
            (x..<x + size).map { x in Int((y - area.y0) * area.width + x - area.x0) }
          }
          let partIntegers = try reconstruct(integers, area, window, as: ReversibleWavelet.self)
          let partReals = try reconstruct(reals, area, window, as: IrreversibleWavelet.self)
          guard partIntegers == indices.map({ wholeIntegers[$0] }), partReals == indices.map({ wholeReals[$0] }) else {
            Issue.record("the window \(window) differs")
            return
          }
        }
      }
    }
  }
}
