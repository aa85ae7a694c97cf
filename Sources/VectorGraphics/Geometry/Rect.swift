// Rectangles with real coordinates.

/// An axis-aligned rectangle. Its width and height may be zero but not negative.
package struct Rect: Hashable, Sendable {
  /// The left edge.
  package var x: Double
  /// The top edge.
  package var y: Double
  /// The distance from the left edge to the right edge.
  package var width: Double
  /// The distance from the top edge to the bottom edge.
  package var height: Double

  /// Creates a rectangle from its top left corner and size.
  package init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Creates the bounding box of two points.
  package init(_ first: Point, _ second: Point) {
    x = min(first.x, second.x)
    y = min(first.y, second.y)
    width = max(first.x, second.x) - x
    height = max(first.y, second.y) - y
  }

  /// The left edge.
  package var minX: Double { x }
  /// The top edge.
  package var minY: Double { y }
  /// The right edge.
  package var maxX: Double { x + width }
  /// The bottom edge.
  package var maxY: Double { y + height }
  /// The centre of the rectangle.
  package var center: Point { Point(x: x + width / 2, y: y + height / 2) }
  /// Whether all four numbers are finite.
  package var isFinite: Bool { x.isFinite && y.isFinite && width.isFinite && height.isFinite }
  /// Whether the rectangle has no area.
  package var isEmpty: Bool { !(width > 0 && height > 0) }

  /// Returns the smallest rectangle that contains both.
  package func union(_ other: Rect) -> Rect {
    Rect(
      Point(x: min(minX, other.minX), y: min(minY, other.minY)),
      Point(x: max(maxX, other.maxX), y: max(maxY, other.maxY)))
  }

  /// Returns the intersection; `nil` if the rectangles do not touch.
  package func intersection(_ other: Rect) -> Rect? {
    let left = max(minX, other.minX)
    let top = max(minY, other.minY)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard left <= right, top <= bottom else { return nil }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Returns the rectangle with each edge moved outwards.
  package func expanded(by distance: Double) -> Rect {
    Rect(x: x - distance, y: y - distance, width: width + 2 * distance, height: height + 2 * distance)
  }
}
