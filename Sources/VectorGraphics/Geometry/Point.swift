// Points and vectors with real coordinates; y grows downwards.

/// A point in the plane, or the vector to it.
package struct Point: Hashable, Sendable {
  /// The distance to the right of the origin.
  package var x: Double
  /// The distance below the origin.
  package var y: Double

  /// Creates a point from its coordinates.
  @inline(__always)
  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The origin.
  package static let zero = Point(x: 0, y: 0)

  /// Whether both coordinates are finite.
  package var isFinite: Bool { x.isFinite && y.isFinite }
  /// The length of the vector.
  package var length: Double { (x * x + y * y).squareRoot() }
  /// The unit vector in the same direction; `nil` if the vector is too short or too long to have one.
  package var normalized: Point? {
    let length = length
    guard length > 1e-150, length < 1e150 else { return nil }
    return Point(x: x / length, y: y / length)
  }
  /// The vector rotated by 90° from the x axis towards the y axis.
  package var perpendicular: Point { Point(x: -y, y: x) }

  /// The dot product.
  @inline(__always)
  package func dot(_ other: Point) -> Double { x * other.x + y * other.y }
  /// The z component of the cross product: positive if `other` is reached by a rotation from the x axis towards the y
  /// axis.
  @inline(__always)
  package func cross(_ other: Point) -> Double { x * other.y - y * other.x }
  /// The point at `fraction` of the distance to `other`.
  @inline(__always)
  package func interpolated(to other: Point, at fraction: Double) -> Point {
    Point(x: x + (other.x - x) * fraction, y: y + (other.y - y) * fraction)
  }

  @inline(__always)
  package static func + (a: Point, b: Point) -> Point { Point(x: a.x + b.x, y: a.y + b.y) }
  @inline(__always)
  package static func - (a: Point, b: Point) -> Point { Point(x: a.x - b.x, y: a.y - b.y) }
  @inline(__always)
  package static func * (a: Point, factor: Double) -> Point { Point(x: a.x * factor, y: a.y * factor) }
  @inline(__always)
  package static prefix func - (a: Point) -> Point { Point(x: -a.x, y: -a.y) }
}
