// Paths as flat arrays of verbs and points.

/// A sequence of subpaths made of lines and Bézier curves.
///
/// Every subpath starts with a `move`; the methods add it where it is missing. All coordinates are kept as they are given,
/// also NaN and infinite ones: who flattens a path skips those.
package struct Path: Hashable, Sendable {
  /// What to do with the next points.
  package enum Verb: UInt8, Hashable, Sendable {
    /// Start a subpath at one point.
    case move
    /// A line to one point.
    case line
    /// A quadratic curve: control point, end point.
    case quad
    /// A cubic curve: two control points, end point.
    case cubic
    /// A line back to the start of the subpath, and a join there. No points.
    case close

    /// The points that belong to the verb.
    package var pointCount: Int {
      switch self {
      case .move, .line: 1
      case .quad: 2
      case .cubic: 3
      case .close: 0
      }
    }
  }

  /// What to do, in order.
  package private(set) var verbs: [Verb] = []
  /// The points of all verbs, in order.
  package private(set) var points: [Point] = []
  private var start = Point.zero

  /// Creates an empty path.
  package init() {}

  /// Whether there is nothing in the path.
  package var isEmpty: Bool { verbs.isEmpty }
  /// Where the next verb starts; `nil` in an empty path.
  package var currentPoint: Point? { verbs.isEmpty ? nil : verbs.last == .close ? start : points.last }

  /// Makes room.
  package mutating func reserveCapacity(verbs verbCount: Int, points pointCount: Int) {
    verbs.reserveCapacity(verbCount)
    points.reserveCapacity(pointCount)
  }

  /// Starts a subpath. A `move` directly after another replaces it.
  package mutating func move(to point: Point) {
    if verbs.last == .move {
      points[points.count - 1] = point
    } else {
      verbs.append(.move)
      points.append(point)
    }
    start = point
  }

  /// Adds a line.
  package mutating func line(to point: Point) {
    startSubpathIfNeeded(at: point)
    verbs.append(.line)
    points.append(point)
  }

  /// Adds a quadratic curve.
  package mutating func quad(to point: Point, control: Point) {
    startSubpathIfNeeded(at: control)
    verbs.append(.quad)
    points.append(control)
    points.append(point)
  }

  /// Adds a cubic curve.
  package mutating func cubic(to point: Point, control1: Point, control2: Point) {
    startSubpathIfNeeded(at: control1)
    verbs.append(.cubic)
    points.append(control1)
    points.append(control2)
    points.append(point)
  }

  /// Closes the subpath. What follows without a `move` starts where this subpath did. Does nothing in an empty path.
  package mutating func close() {
    guard let last = verbs.last, last != .close else { return }
    verbs.append(.close)
  }

  private mutating func startSubpathIfNeeded(at point: Point) {
    if verbs.isEmpty {
      move(to: point)
    } else if verbs.last == .close {
      move(to: start)
    }
  }

  /// Adds all subpaths of another path, mapped by a transform.
  package mutating func append(_ other: Path, transform: AffineTransform = .identity) {
    verbs.append(contentsOf: other.verbs)
    if transform == .identity {
      points.append(contentsOf: other.points)
      start = other.start
    } else {
      // Not with room made for these points alone: many small paths would be moved once each.
      points.append(contentsOf: other.points.lazy.map { transform.apply($0) })
      start = transform.apply(other.start)
    }
  }

  /// The path mapped by a transform.
  package func transformed(by transform: AffineTransform) -> Path {
    var result = Path()
    result.append(self, transform: transform)
    return result
  }
}
