// Joins: connects the offset curves of two segments on the outer side of a turn, and through the vertex on the inner
// side.

/// A corner of a path.
struct StrokeCorner {
  let pivot: Point
  /// The unit normals at the end of one segment and the start of the next, towards the outer side of the turn.
  var before: Point
  var after: Point
  /// Whether the segments are lines.
  let lastIsLine: Bool
  let isLine: Bool
  let radius: Double
  let precision: StrokePrecision
  /// The direction of the turn: 1 from the x axis towards the y axis.
  private var turn = 1.0

  /// If 1 ± the cosine of an angle is below this, the angle counts as zero or as a half turn.
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

  /// The same corner with its normals on the other side.
  var mirrored: StrokeCorner {
    var result = self
    result.before = -before
    result.after = -after
    result.turn = -1
    return result
  }

  /// Adds the join to the sides, which end next to the vertex. Afterwards the next segment can start.
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
    // A segment can be shorter than the stroke's width. Going through the vertex keeps its inner side from being cut
    // off.
    inside.line(to: pivot)
    inside.line(to: pivot - after * radius)
  }

  private func isStraight(_ cosine: Double) -> Bool {
    1 - cosine <= Self.smallest && 2 * (1 - cosine) * radius * radius <= precision.jump * precision.jump
  }

  private func addMiter(_ cosine: Double, limit: Double, clips: Bool, to outside: inout StrokeSide) {
    // The miter length is width / sin(θ/2), where θ is the angle between the lines, which is 180° minus the angle
    // between the normals.
    let sine = max(0, (1 + cosine) / 2).squareRoot()
    let isHalfTurn = 1 + cosine <= Self.smallest
    if !isHalfTurn, sine * limit >= 1 {
      // In sharp turns the sum of the normals is a difference of nearly equal numbers; their rotated difference is not.
      let middle = (cosine < 0 ? (after - before).perpendicular * -turn : before + after).normalized ?? before
      extend(&outside, to: pivot + middle * (radius / sine))
      if !isLine { outside.line(to: pivot + after * radius) }
      return
    }
    if clips { addClippedMiter(sine, limit, to: &outside) }
    outside.line(to: pivot + after * radius)
  }

  /// Cut perpendicularly to the bisector, at half the width times the limit from the vertex.
  private func addClippedMiter(_ sine: Double, _ limit: Double, to outside: inout StrokeSide) {
    // With the normals as spokes: the distance of the cut along the tangents.
    let cosine = max(0, 1 - sine * sine).squareRoot()
    guard limit > sine, cosine > 1e-9 else { return }
    let reach = (limit - sine) / cosine * radius
    extend(&outside, to: pivot + before * radius + before.perpendicular * (turn * reach))
    outside.line(to: pivot + after * radius - after.perpendicular * (turn * reach))
  }

  /// Extends the last line; after a curve, adds a line.
  private func extend(_ side: inout StrokeSide, to point: Point) {
    if lastIsLine { side.extendLine(to: point) } else { side.line(to: point) }
  }
}
