// Flattening of curves at evenly spaced parameters. Wang's formula determines their number so that no line deviates
// from its curve by more than the tolerance.

/// Converts curves to lines.
struct Flattener {
  /// The maximum number of lines per curve. At the default tolerance this suffices for a curve of over a million
  /// pixels.
  static let maximumLineCount = 4096
  /// The default maximum deviation of a line from its curve, in device pixels.
  static let defaultTolerance = 0.025

  private let inverseTolerance: Double

  /// - Parameter tolerance: the maximum distance between curve and lines, in the units of the path.
  init(tolerance: Double) {
    inverseTolerance = 1 / max(tolerance, 1e-12)
  }

  /// Calls `body` with the end of each line. Segments with non-finite coordinates are skipped.
  @inline(__always)
  func flatten(_ segment: PathSegment, _ body: (Point) -> Void) {
    switch segment {
    case .move(let to):
      if to.isFinite { body(to) }
    case .line(_, let to), .close(_, let to):
      if to.isFinite { body(to) }
    case .quad(let from, let control, let to):
      flattenQuad(from, control, to, body)
    case .cubic(let from, let control1, let control2, let to):
      flattenCubic(from, control1, control2, to, body)
    }
  }

  /// Wang's formula: n = √(d(d-1)/8 · M / tolerance), where M is the largest second difference of the control points.
  func lineCount(forQuad p0: Point, _ p1: Point, _ p2: Point) -> Int {
    let second = (p0 - p1 - p1 + p2).length
    return boundedCount((second * 0.25 * inverseTolerance).squareRoot())
  }

  func lineCount(forCubic p0: Point, _ p1: Point, _ p2: Point, _ p3: Point) -> Int {
    let first = p0 - p1 - p1 + p2
    let second = p1 - p2 - p2 + p3
    let larger = max(first.dot(first), second.dot(second)).squareRoot()
    return boundedCount((larger * 0.75 * inverseTolerance).squareRoot())
  }

  private func boundedCount(_ count: Double) -> Int {
    // Written without `min`, so that NaN also yields the bound.
    guard count < Double(Flattener.maximumLineCount) else { return Flattener.maximumLineCount }
    // Without SSE4, `rounded(.up)` would be a call into the C library.
    let whole = Int(count)
    return max(1, Double(whole) < count ? whole &+ 1 : whole)
  }

  @inline(__always)
  func flattenQuad(_ p0: Point, _ p1: Point, _ p2: Point, _ body: (Point) -> Void) {
    guard p0.isFinite, p1.isFinite, p2.isFinite else { return }
    let count = lineCount(forQuad: p0, p1, p2)
    let step = 1 / Double(count)
    let first = (p1 - p0) * 2
    let second = p0 - p1 - p1 + p2
    for index in 1..<max(count, 1) {
      let t = Double(index) * step
      body(p0 + (first + second * t) * t)
    }
    body(p2)
  }

  @inline(__always)
  func flattenCubic(_ p0: Point, _ p1: Point, _ p2: Point, _ p3: Point, _ body: (Point) -> Void) {
    guard p0.isFinite, p1.isFinite, p2.isFinite, p3.isFinite else { return }
    let count = lineCount(forCubic: p0, p1, p2, p3)
    let step = 1 / Double(count)
    let first = (p1 - p0) * 3
    let second = (p0 - p1 - p1 + p2) * 3
    let third = p3 - p0 + (p1 - p2) * 3
    for index in 1..<max(count, 1) {
      let t = Double(index) * step
      body(p0 + (first + (second + third * t) * t) * t)
    }
    body(p3)
  }
}
