// TrueType contours as points, and as a path: quadratic curves whose end points may be implied (OpenType, `glyf`).

internal import VectorGraphics

/// The points of one or more TrueType contours.
struct OutlinePoints {
  /// A point of a contour.
  struct Element {
    var x: Double
    var y: Double
    /// Whether the curve runs through the point; else it is a control point.
    var isOnCurve: Bool
  }

  var points: [Element] = []
  /// For each contour, the index behind its last point.
  var contourEnds: [Int] = []

  /// Adds the contours of another outline.
  mutating func append(_ other: OutlinePoints) {
    let base = points.count
    points.append(contentsOf: other.points)
    contourEnds.append(contentsOf: other.contourEnds.map { $0 + base })
  }

  /// The contours as closed subpaths.
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
    // A contour starts at its first point on the curve; without any, between the first two.
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
