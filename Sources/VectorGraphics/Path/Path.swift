// Paths as flat arrays of verbs and points.

/// A sequence of subpaths made of lines and Bézier curves.
///
/// Every subpath starts with a `move`; the methods add it if it is missing. All coordinates are stored as given,
/// including NaN and infinity; flattening skips those.
package struct Path: Hashable, Sendable {
  /// A drawing command, which consumes the next points.
  package enum Verb: UInt8, Hashable, Sendable {
    /// Start a subpath at a point.
    case move
    /// A line to a point.
    case line
    /// A quadratic curve: control point, end point.
    case quad
    /// A cubic curve: two control points, end point.
    case cubic
    /// A line back to the start of the subpath, with a join there. Consumes no points.
    case close

    /// The number of points that the verb consumes.
    package var pointCount: Int {
      switch self {
      case .move, .line: 1
      case .quad: 2
      case .cubic: 3
      case .close: 0
      }
    }
  }

  /// The verbs, in order.
  package private(set) var verbs: [Verb] = []
  /// The points of all verbs, in order.
  package private(set) var points: [Point] = []
  private var start = Point.zero

  /// Creates an empty path.
  package init() {}

  /// Whether the path has no verbs.
  package var isEmpty: Bool { verbs.isEmpty }
  /// The point at which the next verb starts; `nil` in an empty path.
  package var currentPoint: Point? { verbs.isEmpty ? nil : verbs.last == .close ? start : points.last }

  /// The number of bytes that the path occupies.
  package var byteCount: Int {
    points.count * MemoryLayout<Point>.stride + verbs.count * MemoryLayout<Verb>.stride
  }

  /// Reserves storage.
  package mutating func reserveCapacity(verbs verbCount: Int, points pointCount: Int) {
    verbs.reserveCapacity(verbCount)
    points.reserveCapacity(pointCount)
  }

  /// Starts a subpath. Consecutive `move`s are replaced by the last one.
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

  /// Closes the subpath. Without a subsequent `move`, the next subpath starts at the same point. Has no effect in an
  /// empty path.
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

  /// Appends all subpaths of another path, transformed.
  package mutating func append(_ other: Path, transform: AffineTransform = .identity) {
    verbs.append(contentsOf: other.verbs)
    if transform == .identity {
      points.append(contentsOf: other.points)
      start = other.start
    } else {
      // Capacity is not reserved for these points alone: many small paths would cause a reallocation each.
      points.append(contentsOf: other.points.lazy.map { transform.apply($0) })
      start = transform.apply(other.start)
    }
  }

  /// Returns the transformed path.
  package func transformed(by transform: AffineTransform) -> Path {
    var result = Path()
    result.append(self, transform: transform)
    return result
  }
}
