// Coordinates as they come out of arithmetic in single precision: samples on an edge depend on the last bit.

/// A transform in single precision, to coordinates from the corner of a surface.
struct SinglePrecisionMap {
  private let a: Float
  private let b: Float
  private let c: Float
  private let d: Float
  private let e: Float
  private let f: Float

  init(_ transform: AffineTransform, origin: PixelRect) {
    a = Float(transform.a)
    b = Float(transform.b)
    c = Float(transform.c)
    d = Float(transform.d)
    e = Float(transform.e - Double(origin.minX))
    f = Float(transform.f - Double(origin.minY))
  }

  @inline(__always)
  func apply(_ point: Point) -> Point {
    let x = Float(point.x)
    let y = Float(point.y)
    return Point(x: Double(x * a + y * c + e), y: Double(x * b + y * d + f))
  }
}
