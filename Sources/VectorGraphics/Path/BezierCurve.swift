// Evaluation, direction and subdivision of quadratic and cubic curves.

/// The properties of a curve that determine its offset curves.
protocol BezierCurve {
  /// The point at a parameter in 0…1.
  func point(at t: Double) -> Point
  /// The unit vector in the direction of travel; `nil` for a degenerate curve.
  func direction(at t: Double) -> Point?
}

/// A quadratic curve.
struct QuadCurve: BezierCurve {
  var p0: Point
  var p1: Point
  var p2: Point

  init(_ p0: Point, _ p1: Point, _ p2: Point) {
    self.p0 = p0
    self.p1 = p1
    self.p2 = p2
  }

  func point(at t: Double) -> Point {
    p0 + ((p1 - p0) * 2 + (p0 - p1 - p1 + p2) * t) * t
  }

  func direction(at t: Double) -> Point? {
    ((p1 - p0) + (p0 - p1 - p1 + p2) * t).normalized ?? (p2 - p0).normalized
  }

  /// Splits the curve at a parameter.
  func split(at t: Double) -> (QuadCurve, QuadCurve) {
    let a = p0.interpolated(to: p1, at: t)
    let b = p1.interpolated(to: p2, at: t)
    let middle = a.interpolated(to: b, at: t)
    return (QuadCurve(p0, a, middle), QuadCurve(middle, b, p2))
  }

  /// Returns the part between two parameters.
  func part(_ from: Double, _ to: Double) -> QuadCurve {
    let head = to < 1 ? split(at: to).0 : self
    return from > 0 ? head.split(at: from / to).1 : head
  }
}

/// A cubic curve.
struct CubicCurve: BezierCurve {
  var p0: Point
  var p1: Point
  var p2: Point
  var p3: Point

  init(_ p0: Point, _ p1: Point, _ p2: Point, _ p3: Point) {
    self.p0 = p0
    self.p1 = p1
    self.p2 = p2
    self.p3 = p3
  }

  func point(at t: Double) -> Point {
    let first = (p1 - p0) * 3
    let second = (p0 - p1 - p1 + p2) * 3
    let third = p3 - p0 + (p1 - p2) * 3
    return p0 + (first + (second + third * t) * t) * t
  }

  /// A third of the derivative.
  func velocity(at t: Double) -> Point {
    let second = (p0 - p1 - p1 + p2) * 2
    let third = p3 - p0 + (p1 - p2) * 3
    return (p1 - p0) + (second + third * t) * t
  }

  /// Returns the direction of the curve. Where the velocity is zero, at a control point that coincides with its end
  /// point or at a cusp, this is the direction in which the curve continues or, at its end, arrives.
  func direction(at t: Double) -> Point? {
    let velocity = velocity(at: t)
    // Near zero velocity, the computed value is only rounding error.
    let size = (p1 - p0).squared + (p2 - p1).squared + (p3 - p2).squared
    if velocity.squared > size * 1e-24, let direction = velocity.normalized { return direction }
    if t <= 0 { return (p2 - p0).normalized ?? (p3 - p0).normalized }
    if t >= 1 { return (p3 - p1).normalized ?? (p3 - p0).normalized }
    let head = split(at: t).0
    return (head.p3 - head.p2).normalized ?? (head.p3 - head.p1).normalized ?? (p3 - p0).normalized
  }

  /// Splits the curve at a parameter.
  func split(at t: Double) -> (CubicCurve, CubicCurve) {
    let a = p0.interpolated(to: p1, at: t)
    let b = p1.interpolated(to: p2, at: t)
    let c = p2.interpolated(to: p3, at: t)
    let d = a.interpolated(to: b, at: t)
    let e = b.interpolated(to: c, at: t)
    let middle = d.interpolated(to: e, at: t)
    return (CubicCurve(p0, a, d, middle), CubicCurve(middle, e, c, p3))
  }

  /// Returns the part between two parameters.
  func part(_ from: Double, _ to: Double) -> CubicCurve {
    let head = to < 1 ? split(at: to).0 : self
    return from > 0 ? head.split(at: from / to).1 : head
  }

  /// Whether all control points are outside the same side of a rectangle.
  func isAway(from rect: Rect) -> Bool {
    (p0.x < rect.minX && p1.x < rect.minX && p2.x < rect.minX && p3.x < rect.minX)
      || (p0.x > rect.maxX && p1.x > rect.maxX && p2.x > rect.maxX && p3.x > rect.maxX)
      || (p0.y < rect.minY && p1.y < rect.minY && p2.y < rect.minY && p3.y < rect.minY)
      || (p0.y > rect.maxY && p1.y > rect.maxY && p2.y > rect.maxY && p3.y > rect.maxY)
  }
}
