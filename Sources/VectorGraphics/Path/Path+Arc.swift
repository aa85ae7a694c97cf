// Elliptical arcs as cubic curves: converts the endpoint parameterisation of SVG path data to centre and angles
// according to the implementation notes of SVG 1.1 F.6 and SVG 2 B.2.

internal import ImageCore

extension Path {
  /// Adds an elliptical arc from the current point.
  ///
  /// Radii too small to reach the end are enlarged. A zero radius produces a line. An arc that ends at its start is
  /// omitted.
  ///
  /// - Parameters:
  ///   - rotation: the angle from the x axis to the ellipse's, in radians.
  ///   - isLarge: whether the arc spans more than half of the ellipse.
  ///   - isSweep: whether the angle increases from the x axis towards the y axis.
  package mutating func arc(
    to end: Point, radiusX: Double, radiusY: Double, rotation: Double, isLarge: Bool, isSweep: Bool
  ) {
    let from = currentPoint ?? end
    if from == end { return }
    guard
      let arc = CenterArc(
        from: from, to: end, radiusX: abs(radiusX), radiusY: abs(radiusY), rotation: rotation, isLarge: isLarge,
        isSweep: isSweep)
    else {
      line(to: end)
      return
    }
    // One cubic for each quarter turn or part of one; its error is below 3·10⁻⁴ of the radius.
    let pieceCount = max(1, Int((abs(arc.sweepAngle) / (.pi / 2) - 1e-6).rounded(.up)))
    let step = arc.sweepAngle / Double(pieceCount)
    let reach = 4.0 / 3 * ElementaryFunctions.tangent(step / 4)
    for piece in 0..<pieceCount {
      let first = arc.startAngle + step * Double(piece)
      let last = first + step
      let target = piece == pieceCount - 1 ? end : arc.point(last)
      cubic(
        to: target, control1: arc.point(first) + arc.derivative(first) * reach,
        control2: target - arc.derivative(last) * reach)
    }
  }
}

/// An elliptical arc in centre parameterisation.
struct CenterArc {
  var center: Point
  var radiusX: Double
  var radiusY: Double
  var cosine: Double
  var sine: Double
  var startAngle: Double
  /// Negative if the angle decreases.
  var sweepAngle: Double

  /// Returns `nil` if a radius is zero or a number is out of the computable range.
  init?(
    from: Point, to end: Point, radiusX: Double, radiusY: Double, rotation: Double, isLarge: Bool, isSweep: Bool
  ) {
    guard radiusX > 0, radiusY > 0, radiusX.isFinite, radiusY.isFinite, rotation.isFinite, from.isFinite, end.isFinite
    else { return nil }
    cosine = ElementaryFunctions.cosine(rotation)
    sine = ElementaryFunctions.sine(rotation)
    // Half of the chord in the ellipse's axes (F.6.5.1), then in units of the radii, where it is a chord of the unit
    // circle.
    let half = (from - end) * 0.5
    let chord = Point(x: cosine * half.x + sine * half.y, y: cosine * half.y - sine * half.x)
    var unit = Point(x: chord.x / radiusX, y: chord.y / radiusY)
    // F.6.6: radii that are too small are scaled up.
    let shortage = max(1, unit.length)
    self.radiusX = radiusX * shortage
    self.radiusY = radiusY * shortage
    unit = unit * (1 / shortage)
    let squared = unit.dot(unit)
    guard squared > 0, squared.isFinite, self.radiusX.isFinite, self.radiusY.isFinite else { return nil }
    // The centre is on the perpendicular bisector of the chord (F.6.5.2).
    let distance = (max(0, 1 - squared) / squared).squareRoot()
    let unitCenter = Point(x: unit.y, y: -unit.x) * (isLarge == isSweep ? -distance : distance)
    let middle = from.interpolated(to: end, at: 0.5)
    let offset = Point(x: unitCenter.x * self.radiusX, y: unitCenter.y * self.radiusY)
    center = middle + Point(x: cosine * offset.x - sine * offset.y, y: sine * offset.x + cosine * offset.y)
    startAngle = ElementaryFunctions.angle(x: unit.x - unitCenter.x, y: unit.y - unitCenter.y)
    let endAngle = ElementaryFunctions.angle(x: -unit.x - unitCenter.x, y: -unit.y - unitCenter.y)
    sweepAngle = endAngle - startAngle
    if isSweep, sweepAngle < 0 { sweepAngle += 2 * .pi }
    if !isSweep, sweepAngle > 0 { sweepAngle -= 2 * .pi }
    guard center.isFinite, startAngle.isFinite, sweepAngle.isFinite else { return nil }
  }

  func point(_ angle: Double) -> Point {
    let unit = Point(
      x: radiusX * ElementaryFunctions.cosine(angle), y: radiusY * ElementaryFunctions.sine(angle))
    return center + Point(x: cosine * unit.x - sine * unit.y, y: sine * unit.x + cosine * unit.y)
  }

  func derivative(_ angle: Double) -> Point {
    let unit = Point(
      x: -radiusX * ElementaryFunctions.sine(angle), y: radiusY * ElementaryFunctions.cosine(angle))
    return Point(x: cosine * unit.x - sine * unit.y, y: sine * unit.x + cosine * unit.y)
  }
}
