// Joins: what lies between the parallels of two segments on the outer side of a turn, and the way through the vertex on
// the inner side.

/// A turn of a path.
struct StrokeCorner {
  let pivot: Point
  /// The unit normals at the end of one segment and at the start of the next, towards the outer side of the turn.
  var before: Point
  var after: Point
  /// Whether the segments are lines.
  let lastIsLine: Bool
  let isLine: Bool
  let radius: Double
  let precision: StrokePrecision
  /// The sense of the turn: 1 from the x axis to the y axis.
  private var turn = 1.0

  /// What 1 ± the cosine of an angle may be when it counts as none, or as a half turn.
  private static let smallest = 0x1p-12

  init(
    pivot: Point, before: Point, after: Point, lastIsLine: Bool, isLine: Bool, radius: Double,
    precision: StrokePrecision
  ) {
    self.pivot = pivot
    self.before = before
    self.after = after
    self.lastIsLine = lastIsLine
    self.isLine = isLine
    self.radius = radius
    self.precision = precision
  }

  /// The same turn with its normals to the other side.
  var mirrored: StrokeCorner {
    var result = self
    result.before = -before
    result.after = -after
    result.turn = -1
    return result
  }

  /// Adds the join to the sides, which end beside the vertex; afterwards the next segment may start.
  func add(
    _ join: StrokeStyle.Join, miterLimit: Double, outside: inout StrokeSide, inside: inout StrokeSide
  ) {
    let cosine = before.dot(after)
    if join != .bevel, cosine >= 0, isStraight(cosine) { return }
    switch join {
    case .bevel:
      outside.line(to: pivot + after * radius)
    case .round:
      StrokeArc(center: pivot, tolerance: precision.arc)
        .addArc(from: before * radius, to: after * radius, turn: turn, to: &outside)
    case .miter, .arcs, .miterClip:
      addMiter(cosine, limit: max(1, miterLimit), clips: join == .miterClip, to: &outside)
    }
    // A segment may be shorter than the stroke is wide: the way through the vertex keeps its inner side from being cut.
    inside.line(to: pivot)
    inside.line(to: pivot - after * radius)
  }

  private func isStraight(_ cosine: Double) -> Bool {
    1 - cosine <= Self.smallest && 2 * (1 - cosine) * radius * radius <= precision.jump * precision.jump
  }

  private func addMiter(_ cosine: Double, limit: Double, clips: Bool, to outside: inout StrokeSide) {
    // The miter's length is width / sin(θ/2), θ the angle between the lines; it is half a turn less that of the normals.
    let sine = max(0, (1 + cosine) / 2).squareRoot()
    let isHalfTurn = 1 + cosine <= Self.smallest
    if !isHalfTurn, sine * limit >= 1 {
      // In sharp turns the sum of the normals is a small difference; their difference turned is not.
      let middle = (cosine < 0 ? (after - before).perpendicular * -turn : before + after).normalized ?? before
      extend(&outside, to: pivot + middle * (radius / sine))
      if !isLine { outside.line(to: pivot + after * radius) }
      return
    }
    if clips { addClippedMiter(sine, limit, to: &outside) }
    outside.line(to: pivot + after * radius)
  }

  /// Cut at half the width times the limit from the vertex, at a right angle to the middle of the turn.
  private func addClippedMiter(_ sine: Double, _ limit: Double, to outside: inout StrokeSide) {
    // With the normals as spokes: how far along the tangents the cut is.
    let cosine = max(0, 1 - sine * sine).squareRoot()
    guard limit > sine, cosine > 1e-9 else { return }
    let reach = (limit - sine) / cosine * radius
    extend(&outside, to: pivot + before * radius + before.perpendicular * (turn * reach))
    outside.line(to: pivot + after * radius - after.perpendicular * (turn * reach))
  }

  /// The last line goes on; a curve gets a line at its end.
  private func extend(_ side: inout StrokeSide, to point: Point) {
    if lastIsLine { side.extendLine(to: point) } else { side.line(to: point) }
  }
}
