// Rectangles of whole pixels: the bounds of layers, masks and clips.

/// A rectangle of pixels, the right column and the bottom row excluded. Coordinates stay within ±2^30, so that sums and
/// differences of them never overflow.
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

  /// Creates a rectangle; one with its edges in the wrong order is empty.
  package init(minX: Int, minY: Int, maxX: Int, maxY: Int) {
    func bounded(_ value: Int) -> Int { min(max(value, -PixelRect.limit), PixelRect.limit) }
    self.minX = bounded(minX)
    self.minY = bounded(minY)
    self.maxX = max(bounded(maxX), self.minX)
    self.maxY = max(bounded(maxY), self.minY)
  }

  /// Creates a rectangle of a size.
  package init(x: Int, y: Int, width: Int, height: Int) {
    self.init(
      minX: x, minY: y, maxX: x.addingReportingOverflow(width).overflow ? Int.max : x + width,
      maxY: y.addingReportingOverflow(height).overflow ? Int.max : y + height)
  }

  /// The pixels that a rectangle touches. Empty when a coordinate is NaN; infinite ones count as very large.
  package init(covering rect: Rect) {
    func bounded(_ value: Double, _ rule: FloatingPointRoundingRule) -> Int {
      Int(min(max(value, -0x1p30), 0x1p30).rounded(rule))
    }
    let edges = [rect.minX, rect.minY, rect.maxX, rect.maxY]
    guard !edges.contains(where: \.isNaN) else {
      self.init(minX: 0, minY: 0, maxX: 0, maxY: 0)
      return
    }
    self.init(
      minX: bounded(rect.minX, .down), minY: bounded(rect.minY, .down), maxX: bounded(rect.maxX, .up),
      maxY: bounded(rect.maxY, .up))
  }

  /// No pixels.
  package static let empty = PixelRect(minX: 0, minY: 0, maxX: 0, maxY: 0)

  /// Columns.
  package var width: Int { maxX - minX }
  /// Rows.
  package var height: Int { maxY - minY }
  /// Whether there are no pixels.
  package var isEmpty: Bool { minX >= maxX || minY >= maxY }
  /// The number of pixels; at most 2^62.
  package var pixelCount: Int { width * height }
  /// The same rectangle with real coordinates.
  package var rect: Rect {
    Rect(x: Double(minX), y: Double(minY), width: Double(width), height: Double(height))
  }

  /// What both have in common; ``empty`` where they do not meet, so that no edge lies outside of either.
  package func intersection(_ other: PixelRect) -> PixelRect {
    let common = PixelRect(
      minX: max(minX, other.minX), minY: max(minY, other.minY), maxX: min(maxX, other.maxX),
      maxY: min(maxY, other.maxY))
    return common.isEmpty ? .empty : common
  }

  /// The smallest rectangle that holds both; an empty one adds nothing.
  package func union(_ other: PixelRect) -> PixelRect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return PixelRect(
      minX: min(minX, other.minX), minY: min(minY, other.minY), maxX: max(maxX, other.maxX),
      maxY: max(maxY, other.maxY))
  }

  /// Whether all pixels of `other` are in this rectangle.
  package func contains(_ other: PixelRect) -> Bool {
    other.isEmpty || (minX <= other.minX && minY <= other.minY && other.maxX <= maxX && other.maxY <= maxY)
  }
}
