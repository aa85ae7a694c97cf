// Builds the outline of a stroke segment by segment: each segment appends its two offset curves to the sides of the
// stroke, joined to the previous ones. A closed subpath produces two contours, an open one a single contour through
// both caps. The nonzero rule fills their union.

internal import ImageCore

/// Builds the outlines of subpaths.
struct StrokeOutline {
  /// A dashed stroke that would need more points is drawn solid; any other stroke that would is an error.
  static let maximumPointCount = 6_000_000

  private(set) var path = Path()
  let style: StrokeStyle
  /// Half of the width.
  let radius: Double
  let precision: StrokePrecision
  private let visible: Rect?
  private let maximumPointCount: Int
  /// Shorter segments have no direction.
  private let shortest: Double

  /// The side to the left of the direction of travel, with y upwards, and the side to the right.
  private var left = StrokeSide()
  private var right = StrokeSide()
  /// The centres of discs drawn over cusps.
  private var cusps: [Point] = []
  private var start: Point?
  private var pen = Point.zero
  private var low = Point.zero
  private var high = Point.zero
  private var firstNormal = Point.zero
  private var lastNormal = Point.zero
  private var lastIsLine = false
  /// Whether there was a segment, even of zero length.
  private var hasSegment = false

  /// - Parameters:
  ///   - visible: subpaths outside this rectangle are omitted, and curves outside it can be simplified to lines.
  ///   - maximumPointCount: the approximate maximum number of points; anything beyond is omitted.
  init(style: StrokeStyle, precision: StrokePrecision, visible: Rect?, maximumPointCount: Int) {
    self.style = style
    self.precision = precision
    radius = style.width / 2
    shortest = precision.curve * 0x1p-12
    self.visible = visible.flatMap { $0.isFinite ? $0 : nil }
    self.maximumPointCount = maximumPointCount
  }

  /// Whether there are more points than the maximum.
  var isFull: Bool { path.points.count + left.points.count + right.points.count > maximumPointCount }

  /// Clears the outline.
  mutating func removeAll() {
    path = Path()
    abandon()
  }

  // MARK: Segments

  mutating func move(to point: Point) {
    finish()
    if point.isFinite { begin(point) }
  }

  private mutating func begin(_ point: Point) {
    start = point
    pen = point
    (low, high) = (point, point)
  }

  mutating func line(to end: Point) {
    guard end.isFinite else { return }
    if start == nil { begin(end) }
    addLine(to: end, join: style.join)
  }

  private mutating func addLine(to end: Point, join: StrokeStyle.Join) {
    hasSegment = true
    guard let normal = normal(end - pen) else { return }
    reach(end)
    startSegment(normal, join: join, isLine: true)
    left.line(to: end + normal * radius)
    right.line(to: end - normal * radius)
    endSegment(end, normal)
  }

  mutating func quad(to end: Point, control: Point) {
    guard control.isFinite, end.isFinite else { return }
    if start == nil { begin(end) }
    let curve = QuadCurve(pen, control, end)
    guard let first = normal(control - pen), let last = normal(end - control) else {
      addLine(to: end, join: style.join)
      return
    }
    if curve.isStraight {
      addStraight(curve.sharpestTurn.map { [curve.point(at: $0)] } ?? [], to: end)
      return
    }
    reach(control)
    addCurve(curve, cuts: CurvePlaces(), first, last, to: end)
  }

  mutating func cubic(to end: Point, control1: Point, control2: Point) {
    guard control1.isFinite, control2.isFinite, end.isFinite else { return }
    if start == nil { begin(end) }
    let curve = CubicCurve(pen, control1, control2, end)
    let arms = [control1 - pen, control2 - control1, end - control2].filter { isLong($0) }
    guard arms.count > 1, let first = normal(control1 - pen) ?? normal(control2 - pen),
      let last = normal(end - control2) ?? normal(end - control1)
    else {
      addLine(to: end, join: style.join)
      return
    }
    if curve.isStraight {
      let turns = curve.sharpestTurns
      addStraight((0..<turns.count).map { curve.point(at: turns[$0]) }.filter { $0 != pen && $0 != end }, to: end)
      return
    }
    reach(control1)
    reach(control2)
    if let visible, curve.isAway(from: visible) {
      startSegment(first, join: style.join, isLine: false)
      left.line(to: end + last * radius)
      right.line(to: end - last * radius)
      endSegment(end, last)
      return
    }
    addCurve(curve, cuts: curve.inflections, first, last, to: end)
    if let cusp = curve.cusp { cusps.append(curve.point(at: cusp)) }
  }

  /// Adds a degenerate curve that goes back and forth on a line.
  private mutating func addStraight(_ turns: [Point], to end: Point) {
    var join = style.join
    for turn in turns {
      addLine(to: turn, join: join)
      join = .round
    }
    addLine(to: end, join: join)
  }

  private mutating func addCurve<Curve: BezierCurve>(
    _ curve: Curve, cuts: CurvePlaces, _ first: Point, _ last: Point, to end: Point
  ) {
    hasSegment = true
    reach(end)
    startSegment(first, join: style.join, isLine: false)
    var outer = OffsetCurve(curve, distance: radius, tolerance: precision.curve)
    var inner = OffsetCurve(curve, distance: -radius, tolerance: precision.curve)
    var from = 0.0
    for index in 0...cuts.count {
      let to = index < cuts.count ? cuts[index] : 1
      outer.append(from, to, to: &left)
      inner.append(from, to, to: &right)
      from = to
    }
    endSegment(end, last)
  }

  mutating func close() {
    guard let start else { return }
    hasSegment = true
    if isLong(start - pen) { addLine(to: start, join: style.join) }
    if !left.isEmpty {
      addJoin(lastNormal, firstNormal, at: pen, join: style.join, lastIsLine, isLine: true)
      if isVisible { emitClosed() }
      abandon()
    }
    finish()
    begin(start)
  }

  /// Ends the subpath without closing it.
  mutating func finish() {
    if !left.isEmpty {
      if isVisible { emitOpen() }
    } else if hasSegment, let start, style.cap != .butt {
      // A zero-length subpath has its caps, as if its direction were upwards.
      reach(start)
      startSegment(Point(x: 1, y: 0), join: .bevel, isLine: true)
      if isVisible { emitOpen() }
    }
    abandon()
  }

  private mutating func abandon() {
    left.removeAll()
    right.removeAll()
    cusps.removeAll(keepingCapacity: true)
    start = nil
    hasSegment = false
  }

  // MARK: Sides

  private func isLong(_ vector: Point) -> Bool { vector.squared > shortest * shortest }

  /// The unit normal to the left of a direction; `nil` for a zero vector.
  private func normal(_ vector: Point) -> Point? {
    guard isLong(vector), let direction = vector.normalized else { return nil }
    return Point(x: direction.y, y: -direction.x)
  }

  private mutating func startSegment(_ normal: Point, join: StrokeStyle.Join, isLine: Bool) {
    if left.isEmpty {
      firstNormal = normal
      lastNormal = normal
      left.begin(at: pen + normal * radius)
      right.begin(at: pen - normal * radius)
    } else {
      addJoin(lastNormal, normal, at: pen, join: join, lastIsLine, isLine: isLine)
    }
    lastIsLine = isLine
  }

  private mutating func endSegment(_ end: Point, _ normal: Point) {
    pen = end
    lastNormal = normal
  }

  private mutating func addJoin(
    _ before: Point, _ after: Point, at pivot: Point, join: StrokeStyle.Join, _ lastIsLine: Bool, isLine: Bool
  ) {
    let corner = StrokeCorner(
      pivot: pivot, before: before, after: after, lastIsLine: lastIsLine, isLine: isLine, radius: radius,
      precision: precision)
    // The outer side of a turn is the one it turns away from.
    if before.cross(after) > 0 {
      corner.add(join, miterLimit: style.miterLimit, outside: &left, inside: &right)
    } else {
      corner.mirrored.add(join, miterLimit: style.miterLimit, outside: &right, inside: &left)
    }
  }

  // MARK: Contours

  private mutating func emitClosed() {
    guard let first = left.start, let last = right.end else { return }
    path.move(to: first)
    left.append(to: &path)
    path.close()
    path.move(to: last)
    right.appendReversed(to: &path)
    path.close()
    emitCusps()
  }

  private mutating func emitOpen() {
    guard let first = left.start, let start else { return }
    path.move(to: first)
    left.append(to: &path)
    addCap(at: pen, lastNormal)
    path.line(to: pen - lastNormal * radius)
    right.appendReversed(to: &path)
    addCap(at: start, -firstNormal)
    path.close()
    emitCusps()
  }

  /// Adds the cap of an open contour, from the end of one side to just before the other.
  private mutating func addCap(at pivot: Point, _ normal: Point) {
    let spoke = normal * radius
    switch style.cap {
    case .butt: break
    case .square:
      path.line(to: pivot + spoke + spoke.perpendicular)
      path.line(to: pivot - spoke + spoke.perpendicular)
    case .round:
      StrokeArc(center: pivot, tolerance: precision.arc).addHalf(from: spoke, to: &path)
    }
  }

  private mutating func emitCusps() {
    for cusp in cusps {
      let arc = StrokeArc(center: cusp, tolerance: precision.arc)
      let spoke = Point(x: radius, y: 0)
      path.move(to: cusp + spoke)
      arc.addHalf(from: spoke, to: &path)
      arc.addHalf(from: -spoke, to: &path)
      path.close()
    }
  }

  // MARK: Bounds

  private mutating func reach(_ point: Point) {
    low = Point(x: min(low.x, point.x), y: min(low.y, point.y))
    high = Point(x: max(high.x, point.x), y: max(high.y, point.y))
  }

  private var isVisible: Bool {
    guard let visible else { return true }
    return low.x <= visible.maxX && high.x >= visible.minX && low.y <= visible.maxY && high.y >= visible.minY
  }
}
