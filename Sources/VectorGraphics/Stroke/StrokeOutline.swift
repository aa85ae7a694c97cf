// Contours to polygons. The outline is the sum of one quadrilateral for each line and one sector for each turn, all in
// the same direction, so that the non-zero rule gives their union: both sides are collected as point lists, and on the
// inner side of a turn that leaves no room the list goes through the vertex itself.

internal import ImageCore

/// Builds the outlines of contours.
struct StrokeOutline {
  private(set) var path = Path()
  private let shape: StrokeShape
  private let visible: Rect?
  private let maximumPointCount: Int
  /// The sides to the left of the direction of travel (towards +perpendicular) and to the right.
  private var left: [Point] = []
  private var right: [Point] = []

  /// - Parameters:
  ///   - visible: contours away from this rectangle are left out.
  ///   - maximumPointCount: about how many points there may be; contours beyond are left out.
  init(style: StrokeStyle, tolerance: Double, visible: Rect?, maximumPointCount: Int) {
    shape = StrokeShape(style: style, tolerance: tolerance)
    self.visible = visible.flatMap { $0.isFinite ? $0 : nil }
    self.maximumPointCount = maximumPointCount
  }

  /// Whether there are more points than there may be.
  var isFull: Bool { path.points.count + left.count + right.count > maximumPointCount }

  /// Starts anew.
  mutating func removeAll() {
    path = Path()
    left = []
    right = []
  }

  mutating func add(_ contour: StrokeContour) {
    if isFull { return }
    if let visible, !contour.touches(visible) { return }
    if let dot = contour.dot {
      addDot(dot)
      return
    }
    left.removeAll(keepingCapacity: true)
    right.removeAll(keepingCapacity: true)
    let vertices = contour.vertices
    let count = vertices.count
    guard count > 1 else { return }
    if contour.isClosed {
      for index in 0..<count where !isFull {
        let next = vertices[index + 1 == count ? 0 : index + 1]
        addLine(vertices[index], next)
        addJoin(
          next, before: vertices[index].point, after: vertices[index + 2 < count ? index + 2 : index + 2 - count].point)
      }
      emit(left[...])
      emit(right.reversed()[...])
      return
    }
    for index in 0..<count - 1 where !isFull {
      addLine(vertices[index], vertices[index + 1])
      if index + 2 < count {
        addJoin(vertices[index + 1], before: vertices[index].point, after: vertices[index + 2].point)
      }
    }
    let last = vertices[count - 1]
    shape.addCap(last.point, last.arriving, into: &left)
    left.append(contentsOf: right.reversed())
    shape.addCap(vertices[0].point, -vertices[0].leaving, into: &left)
    emit(left[...])
  }

  private mutating func emit(_ points: ArraySlice<Point>) {
    guard let first = points.first else { return }
    path.move(to: first)
    for point in points.dropFirst() { path.line(to: point) }
    path.close()
  }

  /// A subpath without length: its caps along the x axis.
  private mutating func addDot(_ center: Point) {
    switch shape.style.cap {
    case .butt: return
    case .square:
      path.addRect(
        Rect(x: center.x - shape.radius, y: center.y - shape.radius, width: 2 * shape.radius, height: 2 * shape.radius))
    case .round:
      var points: [Point] = []
      shape.addArc(
        center, from: Point(x: shape.radius, y: 0), to: Point(x: shape.radius, y: 0), turn: 2 * .pi, into: &points)
      emit(points[...])
    }
  }

  private mutating func addLine(_ a: StrokeVertex, _ b: StrokeVertex) {
    let from = a.leaving.perpendicular * shape.radius
    let to = b.arriving.perpendicular * shape.radius
    let chord = b.point - a.point
    shape.addSide(a.point, b.point, chord, from, to, into: &left)
    shape.addSide(a.point, b.point, chord, -from, -to, into: &right)
  }

  private mutating func addJoin(_ vertex: StrokeVertex, before: Point, after: Point) {
    let cross = vertex.arriving.cross(vertex.leaving)
    let dot = vertex.arriving.dot(vertex.leaving)
    if cross == 0, dot > 0 { return }
    // A turn towards +perpendicular has its outer side on the right.
    let isLeftOuter = cross < 0
    let from = vertex.arriving.perpendicular * (isLeftOuter ? shape.radius : -shape.radius)
    let to = vertex.leaving.perpendicular * (isLeftOuter ? shape.radius : -shape.radius)
    // Two calls each, so that the lists are changed in place.
    if isLeftOuter {
      shape.addInnerJoin(vertex, -from, -to, before, after, dot, into: &right)
      shape.addOuterJoin(vertex, from, to, cross, dot, into: &left)
    } else {
      shape.addInnerJoin(vertex, -from, -to, before, after, dot, into: &left)
      shape.addOuterJoin(vertex, from, to, cross, dot, into: &right)
    }
  }
}
