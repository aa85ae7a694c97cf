// Rectangles, rounded rectangles and ellipses as subpaths, with the directions that SVG 2 chapter 10 prescribes.

extension Path {
  /// The control point distance of the cubic curve that best approximates a quarter of the unit circle: 4/3 · (√2 - 1).
  static let quarterCircleControl = 0.552_284_749_830_793_4

  /// Creates a path that consists of one rectangle.
  package init(_ rect: Rect) {
    self.init()
    addRect(rect)
  }

  /// Adds a closed rectangle, starting at the top left corner and proceeding to the right.
  package mutating func addRect(_ rect: Rect) {
    move(to: Point(x: rect.minX, y: rect.minY))
    line(to: Point(x: rect.maxX, y: rect.minY))
    line(to: Point(x: rect.maxX, y: rect.maxY))
    line(to: Point(x: rect.minX, y: rect.maxY))
    close()
  }

  /// Adds a closed rectangle with elliptical corners. Radii are limited to half of the sides; if they are zero, the
  /// corners are sharp.
  package mutating func addRoundedRect(_ rect: Rect, radiusX: Double, radiusY: Double) {
    let rx = min(radiusX, rect.width / 2)
    let ry = min(radiusY, rect.height / 2)
    guard rx > 0, ry > 0 else {
      addRect(rect)
      return
    }
    let (left, top, right, bottom) = (rect.minX, rect.minY, rect.maxX, rect.maxY)
    move(to: Point(x: left + rx, y: top))
    line(to: Point(x: right - rx, y: top))
    addQuarter(corner: Point(x: right, y: top), to: Point(x: right, y: top + ry))
    line(to: Point(x: right, y: bottom - ry))
    addQuarter(corner: Point(x: right, y: bottom), to: Point(x: right - rx, y: bottom))
    line(to: Point(x: left + rx, y: bottom))
    addQuarter(corner: Point(x: left, y: bottom), to: Point(x: left, y: bottom - ry))
    line(to: Point(x: left, y: top + ry))
    addQuarter(corner: Point(x: left, y: top), to: Point(x: left + rx, y: top))
    close()
  }

  /// Adds a closed ellipse, starting at its rightmost point and proceeding downwards.
  package mutating func addEllipse(center: Point, radiusX rx: Double, radiusY ry: Double) {
    let (left, top, right, bottom) = (center.x - rx, center.y - ry, center.x + rx, center.y + ry)
    move(to: Point(x: right, y: center.y))
    addQuarter(corner: Point(x: right, y: bottom), to: Point(x: center.x, y: bottom))
    addQuarter(corner: Point(x: left, y: bottom), to: Point(x: left, y: center.y))
    addQuarter(corner: Point(x: left, y: top), to: Point(x: center.x, y: top))
    addQuarter(corner: Point(x: right, y: top), to: Point(x: right, y: center.y))
    close()
  }

  /// Adds a quarter of an ellipse from the current point, tangent to the lines through `corner`.
  private mutating func addQuarter(corner: Point, to end: Point) {
    let from = currentPoint ?? corner
    cubic(
      to: end, control1: from.interpolated(to: corner, at: Path.quarterCircleControl),
      control2: end.interpolated(to: corner, at: Path.quarterCircleControl))
  }
}
