// Locations along a path by arc length, for text on a path and for the author's path length.

/// The length of a path, and the point and direction at a distance along it.
package struct PathMeasure: Sendable {
  /// A location on a path.
  package struct Location: Hashable, Sendable {
    /// The point.
    package var point: Point
    /// The unit vector in the direction of travel.
    package var tangent: Point
  }

  private struct Segment: Sendable {
    var shape: MeasuredSegment
    /// The length of the preceding segments, and the length of this one.
    var start: Double
    var length: Double
  }

  private var segments: [Segment] = []
  /// The total length of lines and curves; moves do not count.
  package private(set) var length = 0.0
  /// Whether the path consists of one subpath, which is closed.
  package let isSingleClosedContour: Bool

  /// Measures the lengths of a path's segments.
  package init(_ path: Path) {
    var contourCount = 0
    var isClosed = false
    for segment in path.segments {
      switch segment {
      case .move: contourCount += 1
      case .close: isClosed = true
      default: isClosed = false
      }
    }
    isSingleClosedContour = isClosed && contourCount == 1
    for segment in path.segments {
      switch segment {
      case .move: break
      case .line(let from, let to), .close(let from, let to): append(.line(from, to))
      case .quad(let from, let control, let to):
        append(
          .curve(
            CubicCurve(
              from, from.interpolated(to: control, at: 2.0 / 3), to.interpolated(to: control, at: 2.0 / 3), to)))
      case .cubic(let from, let control1, let control2, let to):
        append(.curve(CubicCurve(from, control1, control2, to)))
      }
    }
  }

  private mutating func append(_ shape: MeasuredSegment) {
    let step = shape.length
    guard step > 0, step.isFinite else { return }
    segments.append(Segment(shape: shape, start: length, length: step))
    length += step
  }

  /// Returns the location at a distance from the start; `nil` before the start, beyond the end, or if the path has no
  /// length.
  package func location(at distance: Double) -> Location? {
    guard distance >= 0, distance <= length, !segments.isEmpty else { return nil }
    var low = 0
    var high = segments.count - 1
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].start + segments[middle].length < distance { low = middle + 1 } else { high = middle }
    }
    let segment = segments[low]
    return segment.shape.location(at: distance - segment.start, of: segment.length)
  }
}
