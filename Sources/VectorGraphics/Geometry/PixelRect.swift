// Rectangles of whole pixels, for the bounds of layers, masks and clips.

/// A rectangle of pixels, excluding the right column and bottom row. Coordinates are within ±2^30, so that their sums
/// and differences never overflow.
package struct PixelRect: Hashable, Sendable {
  /// The first column.
  package let minX: Int
  /// The first row.
  package let minY: Int
  /// The column after the last.
  package let maxX: Int
  /// The row after the last.
  package let maxY: Int

  private static let limit = 1 << 30

  /// Creates a rectangle; it is empty if its edges are in the wrong order.
  package init(minX: Int, minY: Int, maxX: Int, maxY: Int) {
    func bounded(_ value: Int) -> Int { min(max(value, -PixelRect.limit), PixelRect.limit) }
    self.minX = bounded(minX)
    self.minY = bounded(minY)
    self.maxX = max(bounded(maxX), self.minX)
    self.maxY = max(bounded(maxY), self.minY)
  }

  /// Creates a rectangle from its top left corner and size.
  package init(x: Int, y: Int, width: Int, height: Int) {
    self.init(
      minX: x, minY: y, maxX: x.addingReportingOverflow(width).overflow ? Int.max : x + width,
      maxY: y.addingReportingOverflow(height).overflow ? Int.max : y + height)
  }

  /// Creates the smallest rectangle of pixels that covers `rect`. It is empty if a coordinate is NaN; infinite
  /// coordinates are treated as very large.
  package init(covering rect: Rect) {
    func bounded(_ value: Double, _ rule: FloatingPointRoundingRule) -> Int {
      Int(min(max(value, -0x1p30), 0x1p30).rounded(rule))
    }
    guard !rect.minX.isNaN, !rect.minY.isNaN, !rect.maxX.isNaN, !rect.maxY.isNaN else {
      self.init(minX: 0, minY: 0, maxX: 0, maxY: 0)
      return
    }
    self.init(
      minX: bounded(rect.minX, .down), minY: bounded(rect.minY, .down), maxX: bounded(rect.maxX, .up),
      maxY: bounded(rect.maxY, .up))
  }

  /// The empty rectangle.
  package static let empty = PixelRect(minX: 0, minY: 0, maxX: 0, maxY: 0)

  /// The number of columns.
  package var width: Int { maxX - minX }
  /// The number of rows.
  package var height: Int { maxY - minY }
  /// Whether the rectangle has no pixels.
  package var isEmpty: Bool { minX >= maxX || minY >= maxY }
  /// The number of pixels; at most 2^62.
  package var pixelCount: Int { width * height }
  /// The same rectangle with real coordinates.
  package var rect: Rect {
    Rect(x: Double(minX), y: Double(minY), width: Double(width), height: Double(height))
  }

  /// Returns the intersection; ``empty`` if the rectangles are disjoint, so that no edge is outside either of them.
  package func intersection(_ other: PixelRect) -> PixelRect {
    let common = PixelRect(
      minX: max(minX, other.minX), minY: max(minY, other.minY), maxX: min(maxX, other.maxX),
      maxY: min(maxY, other.maxY))
    return common.isEmpty ? .empty : common
  }

  /// Returns the smallest rectangle that contains both; an empty one has no effect.
  package func union(_ other: PixelRect) -> PixelRect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return PixelRect(
      minX: min(minX, other.minX), minY: min(minY, other.minY), maxX: max(maxX, other.maxX),
      maxY: max(maxY, other.maxY))
  }

  /// Whether all pixels of `other` are inside this rectangle.
  package func contains(_ other: PixelRect) -> Bool {
    other.isEmpty || (minX <= other.minX && minY <= other.minY && other.maxX <= maxX && other.maxY <= maxY)
  }
}
