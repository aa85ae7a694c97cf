// Affine transforms of the plane.

private import ImageCore

/// The transform (x, y) → (a·x + c·y + e, b·x + d·y + f), in the notation of SVG's `matrix(a b c d e f)`.
package struct AffineTransform: Hashable, Sendable {
  package var a: Double
  package var b: Double
  package var c: Double
  package var d: Double
  package var e: Double
  package var f: Double

  /// Creates a transform from its matrix, column by column.
  package init(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f
  }

  /// The identity transform.
  package static let identity = AffineTransform(1, 0, 0, 1, 0, 0)

  /// A translation.
  package static func translation(x: Double, y: Double) -> AffineTransform { AffineTransform(1, 0, 0, 1, x, y) }
  /// A scaling about the origin.
  package static func scale(x: Double, y: Double) -> AffineTransform { AffineTransform(x, 0, 0, y, 0, 0) }
  /// A rotation about the origin, from the x axis towards the y axis, in radians.
  package static func rotation(_ angle: Double) -> AffineTransform {
    let sine = ElementaryFunctions.sine(angle)
    let cosine = ElementaryFunctions.cosine(angle)
    return AffineTransform(cosine, sine, -sine, cosine, 0, 0)
  }
  /// A skew along the x axis, in radians.
  package static func skewX(_ angle: Double) -> AffineTransform {
    AffineTransform(1, 0, ElementaryFunctions.tangent(angle), 1, 0, 0)
  }
  /// A skew along the y axis, in radians.
  package static func skewY(_ angle: Double) -> AffineTransform {
    AffineTransform(1, ElementaryFunctions.tangent(angle), 0, 1, 0, 0)
  }

  /// The transform that applies `inner` first and then this one: the matrix product self · inner.
  package func concatenating(_ inner: AffineTransform) -> AffineTransform {
    AffineTransform(
      a * inner.a + c * inner.b, b * inner.a + d * inner.b, a * inner.c + c * inner.d, b * inner.c + d * inner.d,
      a * inner.e + c * inner.f + e, b * inner.e + d * inner.f + f)
  }

  /// The matrix product `outer · inner`: applies `inner` first.
  package static func * (outer: AffineTransform, inner: AffineTransform) -> AffineTransform {
    outer.concatenating(inner)
  }

  /// Transforms a point.
  @inline(__always)
  package func apply(_ point: Point) -> Point {
    Point(x: a * point.x + c * point.y + e, y: b * point.x + d * point.y + f)
  }

  /// Transforms a vector; the translation is ignored.
  @inline(__always)
  package func applyToVector(_ vector: Point) -> Point {
    Point(x: a * vector.x + c * vector.y, y: b * vector.x + d * vector.y)
  }

  /// Returns the bounding box of a transformed rectangle.
  package func apply(_ rect: Rect) -> Rect {
    let first = Rect(apply(Point(x: rect.minX, y: rect.minY)), apply(Point(x: rect.maxX, y: rect.maxY)))
    let second = Rect(apply(Point(x: rect.maxX, y: rect.minY)), apply(Point(x: rect.minX, y: rect.maxY)))
    return first.union(second)
  }

  /// The factor by which areas are scaled; negative if the transform includes a reflection.
  package var determinant: Double { a * d - b * c }
  /// Whether all six numbers are finite.
  package var isFinite: Bool {
    a.isFinite && b.isFinite && c.isFinite && d.isFinite && e.isFinite && f.isFinite
  }
  /// Whether axis-aligned rectangles remain axis-aligned rectangles.
  package var preservesRectangles: Bool { (b == 0 && c == 0) || (a == 0 && d == 0) }

  /// The inverse transform; `nil` if there is none, or none in the range of floating-point numbers.
  package var inverted: AffineTransform? {
    let determinant = determinant
    guard determinant != 0, determinant.isFinite else { return nil }
    let result = AffineTransform(
      d / determinant, -b / determinant, -c / determinant, a / determinant, (c * f - d * e) / determinant,
      (b * e - a * f) / determinant)
    return result.isFinite ? result : nil
  }

  /// The largest factor by which a length is scaled: the larger singular value of the linear part.
  package var maximumScale: Double {
    let sum = a * a + b * b + c * c + d * d
    let determinant = determinant
    let difference = max(sum * sum - 4 * determinant * determinant, 0)
    return ((sum + difference.squareRoot()) / 2).squareRoot()
  }

  /// The smallest factor by which a length is scaled: the smaller singular value of the linear part.
  package var minimumScale: Double {
    let largest = maximumScale
    return largest > 0 ? abs(determinant) / largest : 0
  }
}
