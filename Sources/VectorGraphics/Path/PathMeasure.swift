// Locations along a path by arc length, for text on a path and for markers between vertices.

/// The length of a path, and the point and direction at a distance along it.
///
/// Curves are measured along lines that deviate from them by less than the tolerance.
package struct PathMeasure: Sendable {
  /// A location on a path.
  package struct Location: Hashable, Sendable {
    /// The point.
    package var point: Point
    /// The unit vector in the direction of travel.
    package var tangent: Point
  }

  /// The total length of lines and curves; moves do not count.
  package let length: Double
  private let ends: [Double]
  private let lines: [(from: Point, to: Point)]

  /// Measures the lengths of a path's segments.
  package init(_ path: Path, tolerance: Double = 0.01) {
    var total = 0.0
    var ends: [Double] = []
    var lines: [(from: Point, to: Point)] = []
    var previous = Point.zero
    let flattener = Flattener(tolerance: tolerance)
    for segment in path.segments {
      if case .move(let to) = segment {
        previous = to
        continue
      }
      flattener.flatten(segment) { point in
        let step = (point - previous).length
        if step > 0, step.isFinite {
          total += step
          ends.append(total)
          lines.append((previous, point))
        }
        previous = point
      }
    }
    length = total
    self.ends = ends
    self.lines = lines
  }

  /// Returns the location at a distance from the start; `nil` before the start, beyond the end, or if the path has no
  /// length.
  package func location(at distance: Double) -> Location? {
    guard distance >= 0, distance <= length, !lines.isEmpty else { return nil }
    var low = 0
    var high = lines.count - 1
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] < distance { low = middle + 1 } else { high = middle }
    }
    let line = lines[low]
    let vector = line.to - line.from
    let lineLength = vector.length
    let tangent = vector * (1 / lineLength)
    return Location(point: line.to - tangent * (ends[low] - distance), tangent: tangent)
  }
}
