// Judges from a path whether its stroke covers the same places again.

/// Whether the parts of a stroke overlap each other, other than at joins.
struct StrokeSurvey {
  /// The share of the larger of two boxes from which the strokes of two subpaths are taken to be the same.
  private static let minimumShare = 0.95
  /// The number of points above which a path is not judged: to examine every row of a shape with many details would cost
  /// more than to draw it.
  private static let maximumPointCount = 64
  /// The number of subpaths with which each one is compared: those before it.
  private static let neighborCount = 8

  private(set) var mayOverlap = false
  private var boxes: [Rect] = []

  /// - Parameter width: the width of the stroke, in pixels.
  init(_ path: Path, width: Double, _ transform: AffineTransform) {
    guard width.isFinite, path.points.count <= Self.maximumPointCount else { return }
    let points = path.points.span
    var index = 0
    var pen = Point.zero
    var direction = Point.zero
    var (low, high) = (Point.zero, Point.zero)
    for verb in path.verbs {
      if mayOverlap { return }
      if verb == .move {
        end(low, high, reach: width / 2)
        pen = transform.apply(points[index])
        (low, high) = (pen, pen)
        direction = .zero
        index &+= 1
        continue
      }
      for _ in 0..<verb.pointCount {
        let point = transform.apply(points[index])
        index &+= 1
        low = Point(x: min(low.x, point.x), y: min(low.y, point.y))
        high = Point(x: max(high.x, point.x), y: max(high.y, point.y))
        let next = point - pen
        pen = point
        if next == .zero { continue }
        // The path returns on itself. Curves that end in a tip do not.
        let dot = direction.dot(next)
        if verb == .line, dot < 0, abs(direction.cross(next)) <= -0.001 * dot { mayOverlap = true }
        direction = verb == .line ? next : .zero
      }
    }
    end(low, high, reach: width / 2)
  }

  private mutating func end(_ low: Point, _ high: Point, reach: Double) {
    guard low != high else { return }
    let box = Rect(low, high).expanded(by: reach)
    for other in boxes.suffix(Self.neighborCount) {
      let width = min(box.maxX, other.maxX) - max(box.minX, other.minX)
      let height = min(box.maxY, other.maxY) - max(box.minY, other.minY)
      guard width > 0, height > 0 else { continue }
      let larger = max(box.width * box.height, other.width * other.height)
      if width * height > Self.minimumShare * larger { mayOverlap = true }
    }
    boxes.append(box)
  }
}
