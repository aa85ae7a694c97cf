// Iterates over a path segment by segment.

/// A segment of a path, with all of its points.
package enum PathSegment: Hashable, Sendable {
  /// The start of a subpath.
  case move(to: Point)
  /// A line.
  case line(from: Point, to: Point)
  /// A quadratic curve.
  case quad(from: Point, control: Point, to: Point)
  /// A cubic curve.
  case cubic(from: Point, control1: Point, control2: Point, to: Point)
  /// The line back to the start of the subpath, possibly of zero length.
  case close(from: Point, to: Point)
}

extension Path {
  /// The segments, in order.
  package var segments: PathSegments { PathSegments(path: self) }
}

/// The segments of a path, in order.
package struct PathSegments: Sequence, IteratorProtocol {
  private let verbs: [Path.Verb]
  private let points: [Point]
  private var verbIndex = 0
  private var pointIndex = 0
  private var start = Point.zero
  private var current = Point.zero

  init(path: Path) {
    verbs = path.verbs
    points = path.points
  }

  package mutating func next() -> PathSegment? {
    guard verbIndex < verbs.count else { return nil }
    let verb = verbs[verbIndex]
    verbIndex += 1
    let from = current
    let first = pointIndex
    pointIndex += verb.pointCount
    switch verb {
    case .move:
      start = points[first]
      current = start
      return .move(to: start)
    case .line:
      current = points[first]
      return .line(from: from, to: current)
    case .quad:
      current = points[first + 1]
      return .quad(from: from, control: points[first], to: current)
    case .cubic:
      current = points[first + 2]
      return .cubic(from: from, control1: points[first], control2: points[first + 1], to: current)
    case .close:
      current = start
      return .close(from: from, to: start)
    }
  }
}
