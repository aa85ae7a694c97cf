// Bounding boxes of paths, either of all control points or of the curves themselves.

extension Path {
  /// The bounding box of all end points and control points; `nil` if there are no points or one is not finite.
  package var controlBounds: Rect? {
    guard var low = points.first else { return nil }
    var high = low
    for point in points {
      guard point.isFinite else { return nil }
      low = Point(x: min(low.x, point.x), y: min(low.y, point.y))
      high = Point(x: max(high.x, point.x), y: max(high.y, point.y))
    }
    return Rect(low, high)
  }

  /// The bounding box of all lines and curves, using the extrema of curves; `nil` if there are no points or one is not
  /// finite.
  ///
  /// A `move` without a following segment counts only if the path has no segments at all.
  package var bounds: Rect? {
    var box = BoundsBuilder()
    var lone: Point?
    for segment in segments {
      switch segment {
      case .move(let to):
        if lone == nil { lone = to }
      case .line(let from, let to), .close(let from, let to):
        box.add(from)
        box.add(to)
      case .quad(let from, let control, let to):
        // The same curve with its degree raised to cubic.
        box.addCubic(
          from, from.interpolated(to: control, at: 2.0 / 3), to.interpolated(to: control, at: 2.0 / 3), to)
      case .cubic(let from, let control1, let control2, let to):
        box.addCubic(from, control1, control2, to)
      }
    }
    if box.isEmpty, let lone { box.add(lone) }
    return box.rect
  }

  /// Returns the ``bounds`` of the transformed curves.
  package func bounds(transformedBy transform: AffineTransform) -> Rect? {
    transform == .identity ? bounds : transformed(by: transform).bounds
  }
}

private struct BoundsBuilder {
  private var low = Point(x: .infinity, y: .infinity)
  private var high = Point(x: -.infinity, y: -.infinity)
  private var isFinite = true

  var isEmpty: Bool { low.x > high.x }
  var rect: Rect? { isFinite && !isEmpty ? Rect(low, high) : nil }

  mutating func add(_ point: Point) {
    isFinite = isFinite && point.isFinite
    low = Point(x: min(low.x, point.x), y: min(low.y, point.y))
    high = Point(x: max(high.x, point.x), y: max(high.y, point.y))
  }

  mutating func addCubic(_ p0: Point, _ p1: Point, _ p2: Point, _ p3: Point) {
    add(p0)
    add(p3)
    isFinite = isFinite && p1.isFinite && p2.isFinite
    for time in cubicExtrema(p0.x, p1.x, p2.x, p3.x) {
      let x = cubicValue(p0.x, p1.x, p2.x, p3.x, at: time)
      low.x = min(low.x, x)
      high.x = max(high.x, x)
    }
    for time in cubicExtrema(p0.y, p1.y, p2.y, p3.y) {
      let y = cubicValue(p0.y, p1.y, p2.y, p3.y, at: time)
      low.y = min(low.y, y)
      high.y = max(high.y, y)
    }
  }
}

private func cubicValue(_ a: Double, _ b: Double, _ c: Double, _ d: Double, at t: Double) -> Double {
  let s = 1 - t
  return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d
}

/// The parameters in 0…1 at which the derivative of one coordinate is zero.
private func cubicExtrema(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> [Double] {
  // If the control points are within the range of the end points, no extremum is outside it.
  if min(b, c) >= min(a, d), max(b, c) <= max(a, d) { return [] }
  // One third of the derivative: (1-t)²·u + 2t(1-t)·v + t²·w.
  let u = b - a
  let v = c - b
  let w = d - c
  let square = u - 2 * v + w
  let half = v - u
  let discriminant = half * half - square * u
  guard discriminant >= 0 else { return [] }
  // The stable form of the quadratic formula, which avoids subtracting nearly equal numbers.
  let q = -(half + (half < 0 ? -1 : 1) * discriminant.squareRoot())
  return [q / square, u / q].filter { $0 > 0 && $0 < 1 }
}
