// TrueType contours as points, and their conversion to paths: quadratic curves whose end points can be implied
// (OpenType, `glyf`).

internal import VectorGraphics

/// The points of one or more TrueType contours.
struct OutlinePoints {
  /// A point on a contour.
  struct Element {
    var x: Double
    var y: Double
    /// Whether the point is on the curve; otherwise it is a control point.
    var isOnCurve: Bool
  }

  var points: [Element] = []
  /// The index after the last point of each contour.
  var contourEnds: [Int] = []

  /// Appends the contours of another outline.
  mutating func append(_ other: OutlinePoints) {
    let base = points.count
    points.append(contentsOf: other.points)
    contourEnds.append(contentsOf: other.contourEnds.map { $0 + base })
  }

  /// Converts the contours to closed subpaths.
  func path() -> Path {
    var path = Path()
    path.reserveCapacity(verbs: points.count + contourEnds.count * 2, points: points.count * 2)
    var start = 0
    for end in contourEnds {
      if end > start { addContour(start..<end, to: &path) }
      start = end
    }
    return path
  }

  private func point(_ index: Int) -> Point {
    Point(x: points[index].x, y: points[index].y)
  }

  private func addContour(_ range: Range<Int>, to path: inout Path) {
    // A contour starts at its first on-curve point; without one, midway between the first two points.
    let first = range.first { points[$0].isOnCurve }
    let start: Point
    if let first {
      start = point(first)
    } else {
      start = point(range.lowerBound).interpolated(to: point(range.upperBound - 1), at: 0.5)
    }
    path.move(to: start)
    var control: Point?
    let offset = first.map { $0 + 1 - range.lowerBound } ?? 0
    for step in 0..<(first == nil ? range.count : range.count - 1) {
      let index = range.lowerBound + (offset + step) % range.count
      let target = point(index)
      switch (control, points[index].isOnCurve) {
      case (nil, true): path.line(to: target)
      case (nil, false): control = target
      case (let between?, true):
        path.quad(to: target, control: between)
        control = nil
      case (let between?, false):
        path.quad(to: between.interpolated(to: target, at: 0.5), control: between)
        control = target
      }
    }
    if let control { path.quad(to: start, control: control) }
    path.close()
  }
}
