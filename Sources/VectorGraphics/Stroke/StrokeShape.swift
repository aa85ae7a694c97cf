// The parts of a stroke's outline: sides of lines, joins, caps and arcs, as points appended to one side's list.

internal import ImageCore

/// What the parts of an outline depend on.
struct StrokeShape {
  let style: StrokeStyle
  /// Half of the width.
  let radius: Double
  /// The angle of one step of a round join or cap.
  private let arcStep: Double
  private let miterLimit: Double

  init(style: StrokeStyle, tolerance: Double) {
    self.style = style
    radius = style.width / 2
    miterLimit = style.miterLimit.isNaN ? 1 : max(1, style.miterLimit)
    let cosine = max(-0.5, 1 - tolerance / radius)
    arcStep = max(2 * ElementaryFunctions.arcCosine(cosine), 0.01)
  }

  /// One side of a line. Where the curve is tighter than the stroke is wide the side would run backwards; it is then
  /// taken parallel to the line, through both vertices.
  func addSide(
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

  func addInnerJoin(
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

  func addOuterJoin(
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

  /// The points strictly between both ends of an arc.
  func addArc(_ center: Point, from: Point, to: Point, turn: Double, into side: inout [Point]) {
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
  func addCap(_ point: Point, _ direction: Point, into side: inout [Point]) {
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
