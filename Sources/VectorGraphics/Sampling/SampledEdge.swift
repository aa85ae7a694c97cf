// Edges for coverage by samples, in the fixed point numbers of Skia's scan converter: what the samples beside an edge see
// depends on every rounding on the way.
//
// Coordinates are in samples. Points have 6 bits after the point, positions along an edge 16.

/// A line from row to row of samples.
struct SampledEdge: Sendable {
  /// Where the line crosses the first row's middle, with 16 bits after the point.
  var x: Int
  /// What is added from row to row.
  var slope: Int
  /// The first row, and the row after the last.
  var firstRow: Int
  var endRow: Int
  /// 1 for a line that went downwards in the path, -1 for one that went upwards.
  var winding: Int

  /// A line that goes downwards; `nil` when it crosses no row's middle.
  init?(_ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int, winding: Int) {
    firstRow = (y0 + 32) >> 6
    endRow = (y1 + 32) >> 6
    guard firstRow < endRow else { return nil }
    slope = ((x1 - x0) << 16) / (y1 - y0)
    let rest = firstRow << 6 + 32 - y0
    // Beyond 2^40 nothing is seen; it must only not overflow.
    x = (x0 &+ (slope &* rest) >> 16) << 10
    self.winding = winding
  }
}

/// Turns lines and curves that rise or fall into edges.
struct SampledEdgeBuilder {
  private(set) var edges: [SampledEdge] = []
  /// Lines taken in, also those that cross no row's middle.
  private(set) var lineCount = 0
  /// Steps of the grid in a pixel: 64 for each sample.
  private let unit: Double
  /// The number of samples of a pixel's side is 2 to the power of this.
  private let sampleShift: Int

  init(sampleShift: Int) {
    self.sampleShift = sampleShift
    unit = Double(64 << sampleShift)
  }

  /// Towards zero, as the conversion to an integer is in most languages.
  @inline(__always)
  private func fixed(_ value: Double) -> Int { Int(min(max(value * unit, -0x1p40), 0x1p40)) }

  mutating func addLine(_ p0: Point, _ p1: Point) {
    lineCount += 1
    let (x0, y0, x1, y1) = (fixed(p0.x), fixed(p0.y), fixed(p1.x), fixed(p1.y))
    let edge = y0 <= y1 ? SampledEdge(x0, y0, x1, y1, winding: 1) : SampledEdge(x1, y1, x0, y0, winding: -1)
    if let edge { edges.append(edge) }
  }

  mutating func addQuad(_ curve: QuadCurve) {
    let isFalling = fixed(curve.p0.y) <= fixed(curve.p2.y)
    let (p0, p2) = isFalling ? (curve.p0, curve.p2) : (curve.p2, curve.p0)
    let (x0, y0) = (fixed(p0.x), fixed(p0.y))
    let (x1, y1) = (fixed(curve.p1.x), fixed(curve.p1.y))
    let (x2, y2) = (fixed(p2.x), fixed(p2.y))
    lineCount += 1
    guard (y0 + 32) >> 6 < (y2 + 32) >> 6 else { return }
    let shift = min(max(halvings((x1 * 2 - x0 - x2) >> 2, (y1 * 2 - y0 - y2) >> 2), 1), 6)
    // Differences are kept at half of their values.
    var (x, y) = (x0 << 10, y0 << 10)
    let (ax, ay) = ((x0 - x1 - x1 + x2) << 9, (y0 - y1 - y1 + y2) << 9)
    var (dx, dy) = ((x1 - x0) << 10 + ax >> shift, (y1 - y0) << 10 + ay >> shift)
    let (ddx, ddy) = (ax >> (shift - 1), ay >> (shift - 1))
    for _ in 1..<1 << shift {
      let next = (x: x + dx >> (shift - 1), y: y + dy >> (shift - 1))
      dx += ddx
      dy += ddy
      addPiece(x, y, next.x, next.y, winding: isFalling ? 1 : -1)
      (x, y) = next
    }
    addPiece(x, y, x2 << 10, y2 << 10, winding: isFalling ? 1 : -1)
  }

  mutating func addCubic(_ curve: CubicCurve) {
    let isFalling = fixed(curve.p0.y) <= fixed(curve.p3.y)
    let points = isFalling ? [curve.p0, curve.p1, curve.p2, curve.p3] : [curve.p3, curve.p2, curve.p1, curve.p0]
    let (x0, x1, x2, x3) = (fixed(points[0].x), fixed(points[1].x), fixed(points[2].x), fixed(points[3].x))
    let (y0, y1, y2, y3) = (fixed(points[0].y), fixed(points[1].y), fixed(points[2].y), fixed(points[3].y))
    lineCount += 1
    guard (y0 + 32) >> 6 < (y3 + 32) >> 6 else { return }
    let bend = (x: Self.bend(x0, x1, x2, x3), y: Self.bend(y0, y1, y2, y3))
    let shift = min(halvings(bend.x, bend.y, sampleShift: 2) + 1, 6)
    let downShift = max(shift - 4, 0)
    let upShift = downShift > 0 ? 6 : 10 - shift
    var walkX = Difference(x0, x1, x2, x3, shift: shift, upShift: upShift)
    var walkY = Difference(y0, y1, y2, y3, shift: shift, upShift: upShift)
    var (x, y) = (x0 << 10, y0 << 10)
    for _ in 1..<1 << shift {
      let nextX = x + walkX.step(shift, downShift)
      // Rounding must not turn the edge round.
      let nextY = max(y, y + walkY.step(shift, downShift))
      addPiece(x, y, nextX, nextY, winding: isFalling ? 1 : -1)
      (x, y) = (nextX, nextY)
    }
    addPiece(x, y, x3 << 10, max(y, y3 << 10), winding: isFalling ? 1 : -1)
  }

  /// The differences of one coordinate of a cubic curve, each scaled by the steps there are.
  private struct Difference {
    var first: Int
    var second: Int
    let third: Int

    init(_ a: Int, _ b: Int, _ c: Int, _ d: Int, shift: Int, upShift: Int) {
      let linear = (3 * (b - a)) << upShift
      let square = (3 * (a - b - b + c)) << upShift
      let cube = (d + 3 * (b - c) - a) << upShift
      first = linear + square >> shift + cube >> (2 * shift)
      second = 2 * square + (3 * cube) >> (shift - 1)
      third = (3 * cube) >> (shift - 1)
    }

    mutating func step(_ shift: Int, _ downShift: Int) -> Int {
      let result = first >> downShift
      first += second >> shift
      second += third
      return result
    }
  }

  private mutating func addPiece(_ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int, winding: Int) {
    lineCount += 1
    if let edge = SampledEdge(x0 >> 10, y0 >> 10, x1 >> 10, y1 >> 10, winding: winding) { edges.append(edge) }
  }

  /// How far a third and two thirds of a cubic curve are from the control points, about.
  private static func bend(_ a: Int, _ b: Int, _ c: Int, _ d: Int) -> Int {
    max(abs(((a * 8 - b * 15 + c * 6 + d) * 19) >> 9), abs(((a + b * 6 - c * 15 + d * 8) * 19) >> 9))
  }

  /// How often a curve is halved for its distance from the chord: each time makes that a quarter.
  private func halvings(_ dx: Int, _ dy: Int, sampleShift: Int? = nil) -> Int {
    let (x, y) = (abs(dx), abs(dy))
    let distance = max(x, y) + min(x, y) >> 1
    let steps = (distance + 16) >> (3 + (sampleShift ?? self.sampleShift))
    return (Int.bitWidth - steps.leadingZeroBitCount) / 2
  }
}
