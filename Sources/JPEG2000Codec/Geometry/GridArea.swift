// Rectangles on the reference grid and on the grids that follow from it (ITU-T T.800, annex B).

/// A rectangle with exclusive right and lower edges. Coordinates have up to 32 bits, so that products fit.
package struct GridArea: Hashable, Sendable {
  package var x0: Int64
  package var y0: Int64
  package var x1: Int64
  package var y1: Int64

  package var width: Int64 { max(0, x1 - x0) }
  package var height: Int64 { max(0, y1 - y0) }
  var isEmpty: Bool { x1 <= x0 || y1 <= y0 }

  /// Creates an area from its edges.
  package init(x0: Int64, y0: Int64, x1: Int64, y1: Int64) {
    (self.x0, self.y0, self.x1, self.y1) = (x0, y0, x1, y1)
  }

  /// The part that another rectangle covers, too.
  func intersection(_ other: GridArea) -> GridArea {
    GridArea(x0: max(x0, other.x0), y0: max(y0, other.y0), x1: min(x1, other.x1), y1: min(y1, other.y1))
  }

  /// The smallest rectangle that contains both.
  func union(_ other: GridArea) -> GridArea {
    GridArea(x0: min(x0, other.x0), y0: min(y0, other.y0), x1: max(x1, other.x1), y1: max(y1, other.y1))
  }

  /// The area with its edges divided and rounded up.
  func divided(x: Int64, y: Int64) -> GridArea {
    GridArea(x0: x0.dividedUp(by: x), y0: y0.dividedUp(by: y), x1: x1.dividedUp(by: x), y1: y1.dividedUp(by: y))
  }

  /// The area at a resolution `levels` below this one.
  package func reduced(by levels: Int) -> GridArea {
    let divisor = Int64(1) << Int64(levels)
    return divided(x: divisor, y: divisor)
  }

  /// The area of a sub-band that is obtained by decomposing this one `levels` times.
  ///
  /// - Parameters:
  ///   - isHighX: whether the band has the high frequencies of rows.
  ///   - isHighY: whether the band has the high frequencies of columns.
  func band(levels: Int, isHighX: Bool, isHighY: Bool) -> GridArea {
    guard levels > 0 else { return self }
    let half = Int64(1) << Int64(levels - 1)
    let (dx, dy) = (isHighX ? half : 0, isHighY ? half : 0)
    return GridArea(x0: max(0, x0 - dx), y0: max(0, y0 - dy), x1: max(0, x1 - dx), y1: max(0, y1 - dy))
      .reduced(by: levels)
  }
}

extension Int64 {
  /// The quotient of non-negative numbers, rounded up.
  func dividedUp(by divisor: Int64) -> Int64 { (self + divisor - 1) / divisor }
}
