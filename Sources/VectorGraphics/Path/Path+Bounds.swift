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
    var pen = Point.zero
    // Whether the pen is in the box: a `move` alone does not count.
    var isAdded = true
    var index = 0
    let points = points.span
    let verbs = verbs.span
    for place in verbs.indices {
      let verb = verbs[place]
      if verb == .move {
        pen = points[index]
        index &+= 1
        if lone == nil { lone = pen }
        isAdded = false
        continue
      }
      if !isAdded {
        box.add(pen)
        isAdded = true
      }
      switch verb {
      case .line:
        pen = points[index]
        box.add(pen)
        index &+= 1
      case .quad:
        // The same curve with its degree raised to cubic.
        let (control, end) = (points[index], points[index &+ 1])
        box.addCubic(
          pen, pen.interpolated(to: control, at: 2.0 / 3), end.interpolated(to: control, at: 2.0 / 3), end)
        pen = end
        index &+= 2
      case .cubic:
        let end = points[index &+ 2]
        box.addCubic(pen, points[index], points[index &+ 1], end)
        pen = end
        index &+= 3
      case .move, .close:
        // Both ends of a closing line are in the box already.
        break
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
  /// Zero as long as all coordinates are finite, then NaN.
  private var defect = 0.0

  var isEmpty: Bool { low.x > high.x }
  var rect: Rect? { defect == 0 && !isEmpty ? Rect(low, high) : nil }

  @inline(__always)
  private mutating func check(_ point: Point) { defect += point.x * 0 + point.y * 0 }

  @inline(__always)
  mutating func add(_ point: Point) {
    check(point)
    low = Point(x: min(low.x, point.x), y: min(low.y, point.y))
    high = Point(x: max(high.x, point.x), y: max(high.y, point.y))
  }

  /// Adds a curve whose start is in the box.
  @inline(__always)
  mutating func addCubic(_ p0: Point, _ p1: Point, _ p2: Point, _ p3: Point) {
    add(p3)
    check(p1)
    check(p2)
    // A curve is within the hull of its points, which nearly always is within the box of the curves before it.
    if min(p1.x, p2.x) >= low.x, max(p1.x, p2.x) <= high.x, min(p1.y, p2.y) >= low.y, max(p1.y, p2.y) <= high.y {
      return
    }
    extend(&low.x, &high.x, p0.x, p1.x, p2.x, p3.x)
    extend(&low.y, &high.y, p0.y, p1.y, p2.y, p3.y)
  }
}

/// Extends a range by the extrema of one coordinate of a curve: where its derivative is zero.
@inline(__always)
private func extend(_ low: inout Double, _ high: inout Double, _ a: Double, _ b: Double, _ c: Double, _ d: Double) {
  // If the control points are within the range of the end points, no extremum is outside it.
  if min(b, c) >= min(a, d), max(b, c) <= max(a, d) { return }
  // One third of the derivative: (1-t)²·u + 2t(1-t)·v + t²·w.
  let u = b - a
  let v = c - b
  let w = d - c
  let square = u - 2 * v + w
  let half = v - u
  let discriminant = half * half - square * u
  guard discriminant >= 0 else { return }
  // The stable form of the quadratic formula, which avoids subtracting nearly equal numbers.
  let q = -(half + (half < 0 ? -1 : 1) * discriminant.squareRoot())
  func add(_ t: Double) {
    guard t > 0, t < 1 else { return }
    let s = 1 - t
    let value = s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d
    low = min(low, value)
    high = max(high, value)
  }
  add(q / square)
  add(u / q)
}
