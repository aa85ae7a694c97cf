// Paths as edges for sampling: curves cut where they stop rising or falling, and at the borders of the surface when the
// path leaves it. What is left or right of the surface becomes a line on its border.

/// Adds lines and curves to a builder.
struct SampledClipper {
  private(set) var builder: SampledEdgeBuilder
  /// The surface, or `nil` when nothing leaves it.
  private let clip: Rect?

  init(clip: Rect?, sampleShift: Int) {
    self.clip = clip
    builder = SampledEdgeBuilder(sampleShift: sampleShift)
  }

  mutating func addLine(_ a: Point, _ b: Point) {
    guard let clip else {
      builder.addLine(a, b)
      return
    }
    let isFalling = a.y < b.y
    var (high, low) = isFalling ? (a, b) : (b, a)
    guard low.y > clip.minY, high.y < clip.maxY else { return }
    func x(at y: Double) -> Double { a.x + (y - a.y) * (b.x - a.x) / (b.y - a.y) }
    if high.y < clip.minY { high = Point(x: x(at: clip.minY), y: clip.minY) }
    if low.y > clip.maxY { low = Point(x: x(at: clip.maxY), y: clip.maxY) }
    func y(at x: Double) -> Double {
      let y = high.y + (x - high.x) * (low.y - high.y) / (low.x - high.x)
      return min(max(y, high.y), low.y)
    }
    var points = [high]
    let borders = high.x < low.x ? [clip.minX, clip.maxX] : [clip.maxX, clip.minX]
    for border in borders where (high.x < border) != (low.x < border) {
      points.append(Point(x: border, y: y(at: border)))
    }
    points.append(low)
    for index in points.indices { points[index].x = min(max(points[index].x, clip.minX), clip.maxX) }
    for (from, to) in zip(points, points.dropFirst()) {
      if isFalling { builder.addLine(from.single, to.single) } else { builder.addLine(to.single, from.single) }
    }
  }

  mutating func addQuad(_ curve: QuadCurve) {
    if let clip,
      max(curve.p0.y, curve.p1.y, curve.p2.y) <= clip.minY
        || min(curve.p0.y, curve.p1.y, curve.p2.y) >= clip.maxY
    {
      return
    }
    for piece in curve.monotone(\.y) {
      guard clip != nil else {
        builder.addQuad(piece)
        continue
      }
      for part in piece.monotone(\.x) { addClipped(part) { $0.builder.addQuad($1) } }
    }
  }

  mutating func addCubic(_ curve: CubicCurve) {
    if let clip,
      max(max(curve.p0.y, curve.p1.y), max(curve.p2.y, curve.p3.y)) <= clip.minY
        || min(min(curve.p0.y, curve.p1.y), min(curve.p2.y, curve.p3.y)) >= clip.maxY
    {
      return
    }
    for piece in curve.monotone(\.y) {
      guard clip != nil else {
        builder.addCubic(piece)
        continue
      }
      for part in piece.monotone(\.x) { addClipped(part) { $0.builder.addCubic($1) } }
    }
  }

  /// Adds what of a curve that rises or falls in both coordinates is within the surface.
  private mutating func addClipped<Curve: MonotoneCurve>(
    _ curve: Curve, _ add: (inout SampledClipper, Curve) -> Void
  ) {
    guard let clip else { return }
    var isReversed = curve.start.y > curve.end.y
    var curve = isReversed ? curve.reversed : curve
    guard curve.end.y > clip.minY, curve.start.y < clip.maxY else { return }
    if curve.start.y < clip.minY { curve = curve.cut(\.y, at: clip.minY).1 }
    if curve.end.y > clip.maxY { curve = curve.cut(\.y, at: clip.maxY).0 }
    if curve.start.x > curve.end.x {
      curve = curve.reversed
      isReversed.toggle()
    }
    func border(_ x: Double, _ from: Point, _ to: Point) {
      let (first, last) = isReversed ? (to, from) : (from, to)
      builder.addLine(Point(x: x, y: first.y).single, Point(x: x, y: last.y).single)
    }
    if curve.end.x <= clip.minX { return border(clip.minX, curve.start, curve.end) }
    if curve.start.x >= clip.maxX { return border(clip.maxX, curve.start, curve.end) }
    if curve.start.x < clip.minX {
      let (head, tail) = curve.cut(\.x, at: clip.minX)
      border(clip.minX, head.start, head.end)
      curve = tail
    }
    if curve.end.x > clip.maxX {
      let (head, tail) = curve.cut(\.x, at: clip.maxX)
      border(clip.maxX, tail.start, tail.end)
      curve = head
    }
    curve = curve.mapped(\.single)
    add(&self, isReversed ? curve.reversed : curve)
  }
}

extension Point {
  /// The nearest point of single precision.
  var single: Point { Point(x: Double(Float(x)), y: Double(Float(y))) }
}

/// A curve that rises or falls in each coordinate.
private protocol MonotoneCurve {
  var start: Point { get set }
  var end: Point { get set }
  var firstControl: Point { get set }
  var lastControl: Point { get set }
  var reversed: Self { get }
  func point(at t: Double) -> Point
  func split(at t: Double) -> (Self, Self)
  func mapped(_ body: (Point) -> Point) -> Self
  /// How near to the border a curve is cut.
  static var cutTolerance: Double { get }
}

extension MonotoneCurve {
  /// The parts before and after the place where a rising coordinate has a value.
  fileprivate func cut(_ coordinate: WritableKeyPath<Point, Double>, at value: Double) -> (Self, Self) {
    var (t, step) = (0.5, 0.25)
    var (nearest, result) = (Double.infinity, 0.5)
    repeat {
      let place = point(at: t)[keyPath: coordinate]
      if abs(place - value) < nearest { (nearest, result) = (abs(place - value), t) }
      t += place < value ? step : -step
      step /= 2
    } while nearest > Self.cutTolerance && step > 0x1p-50
    var (head, tail) = split(at: result)
    head.end[keyPath: coordinate] = value
    head.lastControl[keyPath: coordinate] = min(head.lastControl[keyPath: coordinate], value)
    tail.start[keyPath: coordinate] = value
    tail.firstControl[keyPath: coordinate] = max(tail.firstControl[keyPath: coordinate], value)
    return (head, tail)
  }
}

extension QuadCurve: MonotoneCurve {
  fileprivate static var cutTolerance: Double { 0 }
  var start: Point {
    get { p0 }
    set { p0 = newValue }
  }
  var end: Point {
    get { p2 }
    set { p2 = newValue }
  }
  fileprivate var firstControl: Point {
    get { p1 }
    set { p1 = newValue }
  }
  fileprivate var lastControl: Point {
    get { p1 }
    set { p1 = newValue }
  }
  fileprivate var reversed: QuadCurve { QuadCurve(p2, p1, p0) }
  fileprivate func mapped(_ body: (Point) -> Point) -> QuadCurve { QuadCurve(body(p0), body(p1), body(p2)) }

  /// The pieces that rise or fall in a coordinate.
  fileprivate func monotone(_ coordinate: WritableKeyPath<Point, Double>) -> [QuadCurve] {
    let (a, b, c) = (p0[keyPath: coordinate], p1[keyPath: coordinate], p2[keyPath: coordinate])
    if (a < b && b <= c) || (a > b && b >= c) { return [self] }
    let cut = (a - b) / (a - b - b + c)
    guard cut > 0, cut < 1 else {
      var result = self
      result.p1[keyPath: coordinate] = abs(a - b) < abs(b - c) ? a : c
      return [result]
    }
    var (head, tail) = split(at: cut)
    head = head.mapped(\.single)
    tail = tail.mapped(\.single)
    head.p1[keyPath: coordinate] = head.p2[keyPath: coordinate]
    tail.p1[keyPath: coordinate] = head.p2[keyPath: coordinate]
    return [head, tail]
  }
}

extension CubicCurve: MonotoneCurve {
  /// resvg's rasteriser is content with a quarter of a pixel; the point is then put on the border.
  fileprivate static var cutTolerance: Double { 0.25 }
  var start: Point {
    get { p0 }
    set { p0 = newValue }
  }
  var end: Point {
    get { p3 }
    set { p3 = newValue }
  }
  fileprivate var firstControl: Point {
    get { p1 }
    set { p1 = newValue }
  }
  fileprivate var lastControl: Point {
    get { p2 }
    set { p2 = newValue }
  }
  fileprivate var reversed: CubicCurve { CubicCurve(p3, p2, p1, p0) }
  fileprivate func mapped(_ body: (Point) -> Point) -> CubicCurve {
    CubicCurve(body(p0), body(p1), body(p2), body(p3))
  }

  /// The pieces that rise or fall in a coordinate.
  fileprivate func monotone(_ coordinate: WritableKeyPath<Point, Double>) -> [CubicCurve] {
    let (a, b) = (p0[keyPath: coordinate], p1[keyPath: coordinate])
    let (c, d) = (p2[keyPath: coordinate], p3[keyPath: coordinate])
    let cuts = CurvePlaces.roots(d - a + 3 * (b - c), 2 * (a - b - b + c), b - a)
    var pieces: [CubicCurve] = []
    var rest = self
    var from = 0.0
    for index in 0..<cuts.count {
      var (head, tail) = rest.split(at: (cuts[index] - from) / (1 - from))
      head = head.mapped(\.single)
      tail = tail.mapped(\.single)
      head.p2[keyPath: coordinate] = head.p3[keyPath: coordinate]
      tail.p1[keyPath: coordinate] = head.p3[keyPath: coordinate]
      pieces.append(head)
      rest = tail
      from = cuts[index]
    }
    pieces.append(rest)
    return pieces
  }
}
