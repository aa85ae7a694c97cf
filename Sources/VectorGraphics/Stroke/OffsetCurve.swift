// Offset curves approximated by quadratic curves. A span of the offset curve is replaced by the quadratic curve with
// the same ends and tangents if their midpoints coincide; otherwise it is halved. Offset curves of Bézier curves are
// not Bézier curves. This is the method of Skia's stroker, so outlines are close to Skia's.

/// Approximates an offset curve.
struct OffsetCurve<Curve: BezierCurve> {
  private let curve: Curve
  /// The distance to the left of the direction of travel, with y upwards; negative for the right.
  private let distance: Double
  /// The maximum distance of a quadratic curve's midpoint from the offset curve.
  private let tolerance: Double
  /// A cubic curve can turn so far that its end tangents meet on the wrong side. It is halved until they meet properly.
  private var tangentsMeet: Bool
  private let maximumDepth: Int
  /// The number of pieces that can still be produced. Curves that need more have coordinates too extreme to be visible.
  private var pieceCount = 4096

  private enum Fit {
    /// The span is a line.
    case line
    /// The span is a line whose ends point in opposite directions.
    case reversal
    case curve(control: Point)
    case tooLong
  }

  /// A point on the offset curve and its direction there.
  private struct Ray {
    var point: Point
    var direction: Point
  }

  private struct Span {
    var from: Double
    var to: Double
    var start: Ray
    var end: Ray
    var middle: Double { (from + to) / 2 }
  }

  init(_ curve: Curve, distance: Double, tolerance: Double) {
    self.curve = curve
    self.distance = distance
    self.tolerance = tolerance
    tangentsMeet = !(curve is CubicCurve)
    maximumDepth = curve is CubicCurve ? 48 : 33
  }

  /// Appends the offset curve between two parameters to a side that has reached the first.
  mutating func append(_ from: Double, _ to: Double, to side: inout StrokeSide) {
    if curve is CubicCurve { tangentsMeet = false }
    let span = Span(from: from, to: to, start: ray(at: from), end: ray(at: to))
    if !append(span, depth: 0, to: &side) { side.line(to: span.end.point) }
  }

  private func ray(at t: Double) -> Ray {
    let direction = curve.direction(at: t) ?? Point(x: 1, y: 0)
    return Ray(point: curve.point(at: t) + Point(x: direction.y, y: -direction.x) * distance, direction: direction)
  }

  /// The recursion depth is limited, and halving the parameter range terminates.
  private mutating func append(_ span: Span, depth: Int, to side: inout StrokeSide) -> Bool {
    var fit = Fit.tooLong
    if tangentsMeet {
      fit = self.fit(span)
    } else {
      switch control(span) {
      case .curve:
        tangentsMeet = true
        fit = self.fit(span)
      case .line, .reversal:
        if middleIsOnLine(span) { fit = .line }
      case .tooLong:
        if (span.start.point - span.end.point).squared <= tolerance * tolerance, middleIsOnLine(span) { fit = .line }
      }
    }
    switch fit {
    case .curve(let control):
      side.quad(to: span.end.point, control: control)
      return true
    case .line:
      side.line(to: span.end.point)
      return true
    case .reversal where !(curve is CubicCurve):
      side.line(to: span.end.point)
      return true
    case .reversal, .tooLong: break
    }
    let middle = span.middle
    pieceCount -= 1
    guard depth < (tangentsMeet ? maximumDepth : 15), pieceCount > 0 else { return false }
    guard span.from < middle, middle < span.to else {
      side.line(to: span.end.point)
      return true
    }
    let ray = ray(at: middle)
    guard ray.point.isFinite else { return false }
    let first = Span(from: span.from, to: middle, start: span.start, end: ray)
    let second = Span(from: middle, to: span.to, start: ray, end: span.end)
    return append(first, depth: depth + 1, to: &side) && append(second, depth: depth + 1, to: &side)
  }

  /// The intersection of a span's tangents.
  private func control(_ span: Span) -> Fit {
    let (start, end) = (span.start, span.end)
    let denominator = start.direction.cross(end.direction)
    let isReversal = start.direction.dot(end.direction) < 0
    guard denominator != 0, denominator.isFinite else { return isReversal ? .reversal : .line }
    let chord = start.point - end.point
    let ahead = end.direction.cross(chord)
    let behind = start.direction.cross(chord)
    if (ahead >= 0) == (behind >= 0) {
      // They intersect outside the span.
      let reach = abs(distance)
      let first = start.point.squaredDistance(fromLine: end.point, end.point + end.direction * reach)
      let second = end.point.squaredDistance(fromLine: start.point, start.point + start.direction * reach)
      return max(first, second) <= tolerance * tolerance ? .line : .tooLong
    }
    let step = ahead / denominator
    // The intersection is so far away that both are parallel within floating-point precision.
    guard abs(step) < abs(distance) * 0x1p24 else { return isReversal ? .reversal : .line }
    return .curve(control: start.point + start.direction * step)
  }

  /// Whether a quadratic curve is close enough to the offset curve.
  private func fit(_ span: Span) -> Fit {
    let fit = control(span)
    guard case .curve(let control) = fit else { return fit }
    let quad = QuadCurve(span.start.point, control, span.end.point)
    let center = curve.point(at: span.middle)
    let place = ray(at: span.middle).point
    if (place - quad.point(at: 0.5)).squared <= tolerance * tolerance {
      return isSharp(quad) ? .tooLong : fit
    }
    guard isNear(quad, place) else { return .tooLong }
    // The intersection of the curve's normal with the quadratic curve.
    let normal = center - place
    let a = normal.cross(quad.p0 - place)
    let b = normal.cross(quad.p1 - place)
    let c = normal.cross(quad.p2 - place)
    let crossings = CurvePlaces.roots(a - 2 * b + c, 2 * (b - a), a)
    guard crossings.count == 1 else { return .tooLong }
    let error = tolerance * (1 - abs(crossings[0] - 0.5) * 2)
    guard (place - quad.point(at: crossings[0])).squared <= error * error else { return .tooLong }
    return isSharp(quad) ? .tooLong : fit
  }

  /// Whether the arms of the control polygon form an acute angle.
  private func isSharp(_ quad: QuadCurve) -> Bool {
    let first = quad.p1 - quad.p0
    let second = quad.p1 - quad.p2
    return first.dot(second) > 0
  }

  /// Whether a point is inside the control polygon's bounds, or nearly so.
  private func isNear(_ quad: QuadCurve, _ place: Point) -> Bool {
    place.x + tolerance >= min(quad.p0.x, quad.p1.x, quad.p2.x)
      && place.x - tolerance <= max(quad.p0.x, quad.p1.x, quad.p2.x)
      && place.y + tolerance >= min(quad.p0.y, quad.p1.y, quad.p2.y)
      && place.y - tolerance <= max(quad.p0.y, quad.p1.y, quad.p2.y)
  }

  /// Whether the midpoint of a span's offset curve is on the line between its ends.
  private func middleIsOnLine(_ span: Span) -> Bool {
    let middle = ray(at: span.middle).point
    return middle.squaredDistance(fromLine: span.start.point, span.end.point) < tolerance * tolerance
  }
}
