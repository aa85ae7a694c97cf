// Contours to polygons. The outline is the sum of one quadrilateral for each line and one sector for each turn, all in
// the same direction, so that the non-zero rule gives their union: both sides are collected as point lists, and on the
// inner side of a turn that leaves no room the list goes through the vertex itself.

internal import ImageCore

/// Builds the outlines of contours.
struct StrokeOutline {
  private(set) var path = Path()
  private let radius: Double
  private let style: StrokeStyle
  /// The angle of one step of a round join or cap.
  private let arcStep: Double
  private let miterLimit: Double
  /// The sides to the left of the direction of travel (towards +perpendicular) and to the right.
  private var left: [Point] = []
  private var right: [Point] = []

  init(style: StrokeStyle, tolerance: Double) {
    self.style = style
    radius = style.width / 2
    miterLimit = style.miterLimit.isNaN ? 1 : max(1, style.miterLimit)
    let cosine = max(-0.5, 1 - tolerance / radius)
    arcStep = max(2 * ElementaryFunctions.arcCosine(cosine), 0.01)
  }

  mutating func add(_ contour: StrokeContour) {
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
      for index in 0..<count {
        let next = vertices[index + 1 == count ? 0 : index + 1]
        addLine(vertices[index], next)
        addJoin(
          next, before: vertices[index].point, after: vertices[index + 2 < count ? index + 2 : index + 2 - count].point)
      }
      emit(left[...])
      emit(right.reversed()[...])
      return
    }
    for index in 0..<count - 1 {
      addLine(vertices[index], vertices[index + 1])
      if index + 2 < count {
        addJoin(vertices[index + 1], before: vertices[index].point, after: vertices[index + 2].point)
      }
    }
    let last = vertices[count - 1]
    addCap(last.point, last.arriving, into: &left)
    left.append(contentsOf: right.reversed())
    addCap(vertices[0].point, -vertices[0].leaving, into: &left)
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
    switch style.cap {
    case .butt: return
    case .square: path.addRect(Rect(x: center.x - radius, y: center.y - radius, width: 2 * radius, height: 2 * radius))
    case .round:
      var points: [Point] = []
      addArc(center, from: Point(x: radius, y: 0), to: Point(x: radius, y: 0), turn: 2 * .pi, into: &points)
      emit(points[...])
    }
  }

  // MARK: Lines

  private mutating func addLine(_ a: StrokeVertex, _ b: StrokeVertex) {
    let from = a.leaving.perpendicular * radius
    let to = b.arriving.perpendicular * radius
    let chord = b.point - a.point
    addSide(a.point, b.point, chord, from, to, into: &left)
    addSide(a.point, b.point, chord, -from, -to, into: &right)
  }

  /// One side of a line. Where the curve is tighter than the stroke is wide the side would run backwards; it is then
  /// taken parallel to the line, through both vertices.
  private func addSide(
    _ a: Point, _ b: Point, _ chord: Point, _ from: Point, _ to: Point, into side: inout [Point]
  ) {
    let start = a + from
    let end = b + to
    if (end - start).dot(chord) >= 0 {
      append(start, to: &side)
      append(end, to: &side)
      return
    }
    guard let direction = chord.normalized else { return }
    var normal = direction.perpendicular * radius
    if normal.dot(from) < 0 { normal = -normal }
    append(start, to: &side)
    side.append(contentsOf: [a, a + normal, b + normal, b, end])
  }

  @inline(__always)
  private func append(_ point: Point, to side: inout [Point]) {
    if side.last != point { side.append(point) }
  }

  // MARK: Joins

  private mutating func addJoin(_ vertex: StrokeVertex, before: Point, after: Point) {
    let cross = vertex.arriving.cross(vertex.leaving)
    let dot = vertex.arriving.dot(vertex.leaving)
    if cross == 0, dot > 0 { return }
    // A turn towards +perpendicular has its outer side on the right.
    let isLeftOuter = cross < 0
    let from = vertex.arriving.perpendicular * (isLeftOuter ? radius : -radius)
    let to = vertex.leaving.perpendicular * (isLeftOuter ? radius : -radius)
    var outer = isLeftOuter ? left : right
    var inner = isLeftOuter ? right : left
    left = []
    right = []
    addInnerJoin(vertex, -from, -to, before, after, dot, into: &inner)
    addOuterJoin(vertex, from, to, cross, dot, into: &outer)
    left = isLeftOuter ? outer : inner
    right = isLeftOuter ? inner : outer
  }

  private func addInnerJoin(
    _ vertex: StrokeVertex, _ from: Point, _ to: Point, _ before: Point, _ after: Point, _ dot: Double,
    into side: inout [Point]
  ) {
    let point = vertex.point
    // Both sides meet at this distance from their ends; with room for it, the list may go straight on.
    let room = min((point - before).length, (after - point).length) / 2
    let reach = radius * (max(0, 1 - dot) / max(1 + dot, 1e-9)).squareRoot()
    if reach <= room, dot > 0.9 {
      append(point + to, to: &side)
      return
    }
    append(point + from, to: &side)
    side.append(point)
    side.append(point + to)
  }

  private func addOuterJoin(
    _ vertex: StrokeVertex, _ from: Point, _ to: Point, _ cross: Double, _ dot: Double, into side: inout [Point]
  ) {
    let point = vertex.point
    append(point + from, to: &side)
    let join = vertex.isCorner ? style.join : .round
    switch join {
    case .bevel: break
    case .round:
      let turn = ElementaryFunctions.angle(x: dot, y: cross)
      addArc(point, from: from, to: to, turn: turn, into: &side)
    case .miter, .arcs, .miterClip:
      addMiter(vertex, from, to, dot, clips: join == .miterClip, into: &side)
    }
    append(point + to, to: &side)
  }

  private func addMiter(
    _ vertex: StrokeVertex, _ from: Point, _ to: Point, _ dot: Double, clips: Bool, into side: inout [Point]
  ) {
    // The miter's length is width / sin(θ/2), θ the angle between the lines; cos of the turn is `dot`, and
    // sin²(θ/2) = (1 + dot) / 2.
    let sineSquared = (1 + dot) / 2
    let limit = miterLimit
    if sineSquared * limit * limit >= 1 {
      let sum = from + to
      let scale = radius * radius / max(sum.dot(sum) / 4, 1e-300) / 2
      side.append(vertex.point + sum * scale)
      return
    }
    guard clips else { return }
    // Cut at half the width times the limit from the vertex, at a right angle to the middle of the turn.
    let middle = ((from + to).normalized ?? vertex.arriving)
    let distance = radius * limit
    let fromReach = from.dot(middle)
    let toReach = to.dot(middle)
    let ahead = vertex.arriving.dot(middle)
    let behind = vertex.leaving.dot(middle)
    guard distance > fromReach, ahead > 1e-12, behind < -1e-12 else { return }
    side.append(vertex.point + from + vertex.arriving * ((distance - fromReach) / ahead))
    side.append(vertex.point + to + vertex.leaving * ((distance - toReach) / behind))
  }

  // MARK: Arcs

  /// The points strictly between both ends of an arc.
  private func addArc(_ center: Point, from: Point, to: Point, turn: Double, into side: inout [Point]) {
    let count = Int((abs(turn) / arcStep).rounded(.up))
    guard count > 1 else { return }
    let step = turn / Double(count)
    let cosine = ElementaryFunctions.cosine(step)
    let sine = ElementaryFunctions.sine(step)
    var spoke = from
    for _ in 1..<count {
      spoke = Point(x: spoke.x * cosine - spoke.y * sine, y: spoke.x * sine + spoke.y * cosine)
      side.append(center + spoke)
    }
    if from == to { side.append(center + to) }
  }

  /// The end of an open contour, from the left side to the right side.
  private func addCap(_ point: Point, _ direction: Point, into side: inout [Point]) {
    let normal = direction.perpendicular * radius
    switch style.cap {
    case .butt: break
    case .square:
      let forward = direction * radius
      side.append(point + normal + forward)
      side.append(point - normal + forward)
    case .round:
      addArc(point, from: normal, to: -normal, turn: -.pi, into: &side)
    }
  }
}
