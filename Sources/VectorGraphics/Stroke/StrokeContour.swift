// Subpaths made ready for stroking: points with the directions in which the path arrives and leaves.

internal import ImageCore

/// A point of a flattened subpath.
struct StrokeVertex {
  var point: Point
  /// The direction of travel before the point, of length 1.
  var arriving: Point
  /// The direction of travel after the point, of length 1.
  var leaving: Point
  /// Whether the style's join belongs here. Other points lie within a curve: their directions agree, or a turn too sharp
  /// for the steps of the curve is rounded.
  var isCorner: Bool
}

/// A flattened subpath. Neighbouring vertices are never in the same place.
struct StrokeContour {
  var vertices: [StrokeVertex] = []
  var isClosed = false
  /// Where a subpath without length is, in the direction that its caps take.
  var dot: Point?

  /// Whether any vertex is within a rectangle, or a line may pass through it.
  func touches(_ rect: Rect) -> Bool {
    guard let first = dot ?? vertices.first?.point else { return false }
    var low = first
    var high = first
    for vertex in vertices {
      low = Point(x: min(low.x, vertex.point.x), y: min(low.y, vertex.point.y))
      high = Point(x: max(high.x, vertex.point.x), y: max(high.y, vertex.point.y))
    }
    return low.x <= rect.maxX && high.x >= rect.minX && low.y <= rect.maxY && high.y >= rect.minY
  }
}

/// Makes contours of a path's subpaths.
struct StrokeContourBuilder {
  private(set) var contours: [StrokeContour] = []
  /// Points made so far.
  private(set) var pointCount = 0
  private var current = StrokeContour()
  private var start: Point?
  private var pen = Point.zero
  /// Whether there was a segment, even one without length.
  private var hasSegment = false
  private let flattener: Flattener
  private let visible: Rect?
  /// The largest turn of the curve's direction between two points: as a cosine.
  private let turnCosine: Double

  /// - Parameters:
  ///   - tolerance: how far lines may stray from curves.
  ///   - radius: half of the stroke's width; the wider the stroke, the smaller the turns.
  ///   - visible: curves away from this rectangle need not be curves.
  init(tolerance: Double, radius: Double, visible: Rect?) {
    self.visible = visible
    flattener = Flattener(tolerance: tolerance)
    // A chord of a circle with this radius strays from it by radius · (1 - cos(turn / 2)).
    let half = max(0.7, 1 - tolerance / max(radius, tolerance))
    // Turns below 1/100 are left alone however wide the stroke is.
    turnCosine = min(2 * half * half - 1, 0.99995)
  }

  /// Adds the subpaths of a path, until there are too many points.
  mutating func add(_ path: Path, maximumPointCount: Int) {
    for segment in path.segments {
      if pointCount > maximumPointCount { return }
      switch segment {
      case .move(let to):
        finish()
        if to.isFinite { begin(to) }
      case .line(_, let to):
        if to.isFinite { addLine(to) }
      case .quad(let from, let control, let to):
        let first = from.interpolated(to: control, at: 2.0 / 3)
        let second = to.interpolated(to: control, at: 2.0 / 3)
        addCubic(first, second, to, count: flattener.lineCount(forQuad: from, control, to))
      case .cubic(let from, let control1, let control2, let to):
        addCubic(control1, control2, to, count: flattener.lineCount(forCubic: from, control1, control2, to))
      case .close(_, let to):
        close(to)
      }
    }
    finish()
  }

  private mutating func begin(_ point: Point) {
    start = point
    pen = point
  }

  private mutating func addLine(_ end: Point) {
    if start == nil { begin(end) }
    hasSegment = true
    guard let direction = (end - pen).normalized else { return }
    append(end, leaving: direction, arriving: direction, isCorner: true)
  }

  /// Adds a line from the pen with its directions at both ends.
  private mutating func append(_ end: Point, leaving: Point, arriving: Point, isCorner: Bool) {
    if current.vertices.isEmpty {
      current.vertices.append(StrokeVertex(point: pen, arriving: leaving, leaving: leaving, isCorner: true))
    } else {
      current.vertices[current.vertices.count - 1].leaving = leaving
    }
    current.vertices.append(StrokeVertex(point: end, arriving: arriving, leaving: arriving, isCorner: isCorner))
    pen = end
    pointCount += 1
  }

  private mutating func addCubic(_ p1: Point, _ p2: Point, _ p3: Point, count: Int) {
    guard p1.isFinite, p2.isFinite, p3.isFinite else { return }
    if start == nil { begin(p3) }
    hasSegment = true
    let curve = CubicCurve(pen, p1, p2, p3)
    guard var direction = curve.startDirection, let last = curve.endDirection else { return }
    if let visible, curve.isAway(from: visible) {
      append(p3, leaving: direction, arriving: last, isCorner: true)
      return
    }
    let step = 1 / Double(count)
    // 2^14 pieces of a curve at most.
    let depth = min(8, 14 - (Int.bitWidth - count.leadingZeroBitCount))
    for index in 0..<count {
      let end = index == count - 1 ? 1 : Double(index + 1) * step
      let target = end == 1 ? last : curve.direction(at: end) ?? direction
      addPiece(curve, from: Double(index) * step, to: end, direction, target, depth)
      direction = target
    }
    if !current.vertices.isEmpty { current.vertices[current.vertices.count - 1].isCorner = true }
    pen = p3
  }

  /// Adds a part of a curve, in halves as long as it turns too much.
  private mutating func addPiece(
    _ curve: CubicCurve, from: Double, to: Double, _ first: Point, _ last: Point, _ depth: Int
  ) {
    if first.dot(last) >= turnCosine {
      let end = to == 1 ? curve.p3 : curve.point(at: to)
      if end != pen { append(end, leaving: first, arriving: last, isCorner: false) }
      return
    }
    // Kept in order on a small stack.
    var pending = [(from: from, to: to, first: first, last: last, depth: max(0, depth))]
    while let piece = pending.popLast() {
      if piece.first.dot(piece.last) < turnCosine, piece.depth > 0 {
        let middle = (piece.from + piece.to) / 2
        let direction = curve.direction(at: middle) ?? piece.first
        pending.append((middle, piece.to, direction, piece.last, piece.depth - 1))
        pending.append((piece.from, middle, piece.first, direction, piece.depth - 1))
        continue
      }
      let end = piece.to == 1 ? curve.p3 : curve.point(at: piece.to)
      guard let chord = (end - pen).normalized else { continue }
      // At a cusp directions say nothing about the piece; its chord does.
      let isCusp = piece.first.dot(piece.last) < turnCosine
      append(
        end, leaving: isCusp ? chord : piece.first, arriving: isCusp ? chord : piece.last, isCorner: false)
    }
  }

  private mutating func close(_ to: Point) {
    hasSegment = true
    if to.isFinite, let direction = (to - pen).normalized, !current.vertices.isEmpty {
      append(to, leaving: direction, arriving: direction, isCorner: true)
    }
    if current.vertices.count > 2 {
      // The last vertex is where the first is.
      let last = current.vertices.removeLast()
      current.vertices[0].arriving = last.arriving
      current.vertices[0].isCorner = true
      current.isClosed = true
    }
    let point = start
    finish()
    if let point { begin(point) }
  }

  private mutating func finish() {
    if !current.vertices.isEmpty {
      contours.append(current)
    } else if hasSegment, let start {
      contours.append(StrokeContour(dot: start))
      pointCount += 1
    }
    current = StrokeContour()
    hasSegment = false
    start = nil
  }
}

/// A cubic curve by value and direction.
struct CubicCurve {
  var p0: Point
  var p1: Point
  var p2: Point
  var p3: Point

  init(_ p0: Point, _ p1: Point, _ p2: Point, _ p3: Point) {
    self.p0 = p0
    self.p1 = p1
    self.p2 = p2
    self.p3 = p3
  }

  func point(at t: Double) -> Point {
    let s = 1 - t
    return p0 * (s * s * s) + p1 * (3 * s * s * t) + p2 * (3 * s * t * t) + p3 * (t * t * t)
  }

  /// Whether all control points are on the same outer side of a rectangle.
  func isAway(from rect: Rect) -> Bool {
    (p0.x < rect.minX && p1.x < rect.minX && p2.x < rect.minX && p3.x < rect.minX)
      || (p0.x > rect.maxX && p1.x > rect.maxX && p2.x > rect.maxX && p3.x > rect.maxX)
      || (p0.y < rect.minY && p1.y < rect.minY && p2.y < rect.minY && p3.y < rect.minY)
      || (p0.y > rect.maxY && p1.y > rect.maxY && p2.y > rect.maxY && p3.y > rect.maxY)
  }

  /// The direction of travel; `nil` where the curve stands still.
  func direction(at t: Double) -> Point? {
    let s = 1 - t
    return ((p1 - p0) * (s * s) + (p2 - p1) * (2 * s * t) + (p3 - p2) * (t * t)).normalized
  }

  /// Control points in the same place as an end point give it no direction; the next ones do.
  var startDirection: Point? { (p1 - p0).normalized ?? (p2 - p0).normalized ?? (p3 - p0).normalized }
  var endDirection: Point? { (p3 - p2).normalized ?? (p3 - p1).normalized ?? (p3 - p0).normalized }
}
