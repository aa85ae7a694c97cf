// The division of a rectangle into strips of rows.

/// A rectangle of samples that is stored in strips, so that threads can produce them independently. All strips have the
/// same number of rows, except for the first one and the last one.
package struct StripGrid: Sendable {
  /// The rectangle.
  package let area: GridArea
  private let height: Int64
  /// The number of the first strip, counted from the coordinate 0 or the first row.
  private let first: Int64
  private let origin: Int64

  /// Creates strips of `height` rows from the first row on.
  package init(_ area: GridArea, height: Int64) {
    (self.area, self.height, first, origin) = (area, max(1, height), 0, area.y0)
  }

  /// Creates strips whose first rows are multiples of `alignment`.
  package init(_ area: GridArea, alignment: Int64) {
    (self.area, height, first, origin) = (area, alignment, area.y0 / alignment, 0)
  }

  /// The number of strips.
  package var count: Int { area.isEmpty ? 0 : index(ofRow: area.y1 - 1) + 1 }

  /// The number of samples in a row.
  package var width: Int { Int(clamping: area.width) }

  /// Returns the strip that contains a row of the rectangle.
  package func index(ofRow y: Int64) -> Int { Int(clamping: (y - origin) / height - first) }

  /// Returns the rows of a strip.
  package func rows(ofStrip index: Int) -> Range<Int64> {
    let start = origin + (first + Int64(index)) * height
    return max(area.y0, start)..<max(area.y0, min(area.y1, start + height))
  }

  /// Returns the number of bytes of a strip whose samples have four.
  func byteCount(ofStrip index: Int) -> Int {
    let (count, overflow) = width.multipliedReportingOverflow(by: rows(ofStrip: index).count * 4)
    return overflow ? .max : count
  }
}
