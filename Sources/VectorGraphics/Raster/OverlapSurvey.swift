// Judges from the control points of a path whether its contours may overlap or cancel within pixels.
//
// Most outlines are simple: contours that do not cross themselves, apart from each other or nested with alternating
// directions. For them the accumulated area is the coverage, and to examine their rows would cost as much as to draw
// them. The survey decides from the whole path, so that a pixel does not depend on which part of a shape is drawn.
//
// - A convex polygon does not cross itself. Other polygons may.
// - Polygons are apart from each other if their boxes are. Those of the same direction may touch.
// - Contours with curves are suspect only if they cover the same place again.
//
// Of the other shapes, the rows are examined in which the winding number proves to have both signs. Pixels in
// which curves cross are not found.

/// The judgement of a path, in pixels.
struct OverlapSurvey {
  /// A contour's box and its direction.
  struct Contour {
    var minX = Double.infinity
    var minY = Double.infinity
    var maxX = -Double.infinity
    var maxY = -Double.infinity
    /// The number of changes between upwards and downwards by a turn to the right, less those by a turn to the left.
    var turns = 0
    var turnsRight = false
    var turnsLeft = false
    var turnsBack = false
    var hasCurves = false
  }

  /// The number of contours with which each one is compared: those before it.
  private static let neighborCount = 8
  /// The number of points above which a path is not judged: to examine every row of a shape with many details would
  /// cost more than to draw it.
  private static let maximumPointCount = 64

  private let transform: AffineTransform
  private var contours: [Contour] = []
  private var contour = Contour()
  private var start = Point.zero
  private var pen = Point.zero
  private var firstDirection = Point.zero
  private var direction = Point.zero
  private var isSuspect = false

  /// Whether all rows of a filled path should be examined.
  static func isSuspect(_ path: Path, transform: AffineTransform) -> Bool {
    if path.points.count > maximumPointCount { return false }
    var curveCount = 0
    var contourCount = 0
    for verb in path.verbs {
      switch verb {
      case .move: contourCount &+= 1
      case .quad, .cubic: curveCount &+= 1
      case .line, .close: break
      }
    }
    // A single contour with curves is not judged.
    if contourCount <= 1, curveCount > 0 { return false }
    var survey = OverlapSurvey(transform: transform)
    survey.visit(path)
    return survey.isSuspect
  }

  private init(transform: AffineTransform) { self.transform = transform }

  private mutating func visit(_ path: Path) {
    let points = path.points.span
    var index = 0
    for verb in path.verbs {
      switch verb {
      case .move:
        endContour()
        pen = transform.apply(points[index])
        start = pen
        contour.add(pen)
      case .line, .close: break
      case .quad, .cubic: contour.hasCurves = true
      }
      if verb != .move {
        for place in index..<index &+ verb.pointCount { add(transform.apply(points[place])) }
      }
      index &+= verb.pointCount
    }
    endContour()
  }

  /// Adds an end point or a control point.
  @inline(__always)
  private mutating func add(_ point: Point) {
    contour.add(point)
    let next = point - pen
    pen = point
    if next.x == 0, next.y == 0 { return }
    if direction == .zero { firstDirection = next } else { turn(to: next) }
    direction = next
  }

  @inline(__always)
  private mutating func turn(to next: Point) {
    let cross = direction.cross(next)
    if cross > 0 {
      contour.turnsRight = true
    } else if cross < 0 {
      contour.turnsLeft = true
    } else if direction.dot(next) < 0 {
      contour.turnsBack = true
    }
    if isDownward(direction) != isDownward(next) { contour.turns += cross > 0 ? 1 : -1 }
  }

  @inline(__always)
  private func isDownward(_ direction: Point) -> Bool { direction.y > 0 || (direction.y == 0 && direction.x > 0) }

  private mutating func endContour() {
    defer {
      contour = Contour()
      direction = .zero
      pen = start
    }
    if direction == .zero { return }
    add(start)
    turn(to: firstDirection)
    if isSuspect { return }
    if !contour.hasCurves, !contour.isConvex { isSuspect = true }
    for other in contours.suffix(Self.neighborCount) where contour.meets(other) { isSuspect = true }
    contours.append(contour)
  }
}

extension OverlapSurvey.Contour {
  fileprivate var isConvex: Bool { !turnsBack && turnsLeft != turnsRight && abs(turns) == 2 }

  private var area: Double { max(maxX - minX, 0) * max(maxY - minY, 0) }

  @inline(__always)
  fileprivate mutating func add(_ point: Point) {
    minX = min(minX, point.x)
    minY = min(minY, point.y)
    maxX = max(maxX, point.x)
    maxY = max(maxY, point.y)
  }

  /// Whether this contour and an earlier one may share pixels in which their areas do not add up.
  fileprivate func meets(_ other: Self) -> Bool {
    let width = min(maxX, other.maxX) - max(minX, other.minX)
    let height = min(maxY, other.maxY) - max(minY, other.minY)
    guard width > -1, height > -1 else { return false }
    let common = max(width, 0) * max(height, 0)
    if hasCurves || other.hasCurves { return common > 0.95 * max(area, other.area) }
    // Polygons of the same direction that are apart add up.
    if (turns > 0) == (other.turns > 0) { return common > 0 }
    return true
  }
}
