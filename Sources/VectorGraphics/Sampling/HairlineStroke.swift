// Strokes thinner than a pixel as Skia draws them beside sampled shapes: lines one pixel wide, faded by the width. Each
// line is drawn by itself; where two meet, both are blended.

internal import ImageCore

extension StrokeStyle {
  /// How much of a pixel the stroke covers after a transform; `nil` when it is wider than one.
  func hairlineCoverage(_ transform: AffineTransform) -> Double? {
    /// At most an eighth more than the length.
    func length(_ x: Double, _ y: Double) -> Double { max(abs(x), abs(y)) + min(abs(x), abs(y)) / 2 }
    let first = length(transform.a * width, transform.b * width)
    let second = length(transform.c * width, transform.d * width)
    return first <= 1 && second <= 1 ? (first + second) / 2 : nil
  }
}

/// Draws a path as lines of one pixel's width.
struct HairlineStroke {
  private let cap: StrokeStyle.Cap
  private let surface: PixelRect
  /// The surface and the pixel around it that smooth lines may touch.
  private let reach: Rect
  private let map: SinglePrecisionMap

  init(cap: StrokeStyle.Cap, transform: AffineTransform, surface: PixelRect) {
    self.cap = cap
    self.surface = surface
    reach = Rect(x: 0, y: 0, width: Double(surface.width), height: Double(surface.height)).expanded(by: 1)
    map = SinglePrecisionMap(transform, origin: surface)
  }

  /// Draws all subpaths. Returns how many pixels that took.
  func draw<Sink: CoverageSink & ~Copyable>(
    _ path: Path, region: PixelRect, budget: inout RasterBudget, into sink: inout Sink
  ) throws(DecodeError) -> Int {
    var pen = HairlinePen(surface: surface, region: region)
    var lineCount = 0
    var index = 0
    var previous = Path.Verb.move
    var (start, place) = (Point.zero, Point.zero)
    for (order, verb) in path.verbs.enumerated() {
      var points = [place] + path.points[index..<index + verb.pointCount].map { map.apply($0) }
      index += verb.pointCount
      if verb == .move {
        (start, place) = (points[1], points[1])
        previous = verb
        continue
      }
      if verb == .close { points.append(start) }
      let end = points[points.count - 1]
      let next = order + 1 < path.verbs.count ? path.verbs[order + 1] : .move
      if cap != .butt, verb != .close || previous == .move {
        extend(&points, isFirst: previous == .move, isLast: next == .move || next == .close)
        if previous == .move { start = points[0] }
      }
      for line in Self.lines(points) {
        guard let clipped = clip(line.0, line.1) else { continue }
        pen.draw(clipped.0, clipped.1, into: &sink)
      }
      lineCount += 1
      if lineCount > budget.segmentCount { break }
      place = end
      previous = verb
    }
    try budget.spendSegments(lineCount)
    return pen.pixelCount
  }

  /// Moves ends outwards by what a cap covers of a line.
  private func extend(_ points: inout [Point], isFirst: Bool, isLast: Bool) {
    let reach = cap == .square ? 0.5 : Double.pi / 8
    func extendStart(_ points: inout [Point], _ fallback: Double) {
      let first = points[0]
      let tangent = points.lazy.map { first - $0 }.first { $0 != .zero }.flatMap(\.normalized)
      let step = (tangent ?? Point(x: fallback, y: 0)) * reach
      // Control points in the same place move along, but never the other end.
      for index in 0..<points.count - 1 {
        guard points[index] == first || index == 0 else { break }
        points[index] = first + step
      }
    }
    if isFirst { extendStart(&points, 1) }
    if isLast {
      points.reverse()
      extendStart(&points, -1)
      points.reverse()
    }
  }

  /// The lines of a line, a quadratic or a cubic curve.
  private static func lines(_ points: [Point]) -> [(Point, Point)] {
    guard points.allSatisfy(\.isFinite) else { return [] }
    switch points.count {
    case 3: return lines(QuadCurve(points[0], points[1], points[2]))
    case 4: return lines(CubicCurve(points[0], points[1], points[2], points[3]))
    default: return [(points[0], points[1])]
    }
  }

  private static func lines(_ curve: QuadCurve) -> [(Point, Point)] {
    let bend = (curve.p0 + curve.p2) * 0.5 - curve.p1
    let x = min(abs(bend.x).rounded(.up), 0x1p30)
    let y = min(abs(bend.y).rounded(.up), 0x1p30)
    let distance = Int32(max(x, y)) &+ Int32(min(x, y)) >> 1
    let count = 1 << min((33 - distance.leadingZeroBitCount) / 2, 5)
    return lines(count, to: curve.p2) { curve.point(at: $0) }
  }

  private static func lines(_ curve: CubicCurve) -> [(Point, Point)] {
    func isAcute(_ a: Point, _ pivot: Point, _ b: Point) -> Bool { (a - pivot).dot(b - pivot) >= 0 }
    let isNice =
      isAcute(curve.p1, curve.p0, curve.p3) && isAcute(curve.p2, curve.p0, curve.p3)
      && isAcute(curve.p1, curve.p3, curve.p0) && isAcute(curve.p2, curve.p3, curve.p0)
    let cuts = isNice ? CurvePlaces() : curve.sharpestTurns
    var result: [(Point, Point)] = []
    var from = 0.0
    for index in 0...cuts.count {
      let to = index < cuts.count ? cuts[index] : 1
      let part = curve.part(from, to)
      let first = part.p1 - part.p0.interpolated(to: part.p3, at: 1.0 / 3)
      let second = part.p2 - part.p0.interpolated(to: part.p3, at: 2.0 / 3)
      let bend = max(max(abs(first.x), abs(second.x)), max(abs(first.y), abs(second.y)))
      var (count, tolerance) = (1, 0.125)
      while bend >= tolerance, count < 512 {
        count *= 2
        tolerance *= 4
      }
      result += lines(count, to: part.p3) { part.point(at: $0) }
      from = to
    }
    return result
  }

  private static func lines(_ count: Int, to end: Point, _ point: (Double) -> Point) -> [(Point, Point)] {
    var result: [(Point, Point)] = []
    var from = point(0)
    for index in 1...count {
      let to = index == count ? end : point(Double(index) / Double(count))
      result.append((from, to))
      from = to
    }
    return result
  }

  /// What of a line may touch the surface.
  private func clip(_ a: Point, _ b: Point) -> (Point, Point)? {
    guard a.isFinite, b.isFinite else { return nil }
    var (first, last) = (0.0, 1.0)
    let line = b - a
    for (step, distance) in [
      (-line.x, a.x - reach.minX), (line.x, reach.maxX - a.x), (-line.y, a.y - reach.minY), (line.y, reach.maxY - a.y),
    ] {
      if step == 0 {
        if distance < 0 { return nil }
      } else if step < 0 {
        first = max(first, distance / step)
      } else {
        last = min(last, distance / step)
      }
    }
    guard first <= last else { return nil }
    // From very far away a cut is only about right.
    func bounded(_ point: Point) -> Point {
      Point(x: min(max(point.x, reach.minX), reach.maxX), y: min(max(point.y, reach.minY), reach.maxY))
    }
    return (
      first > 0 ? bounded(a.interpolated(to: b, at: first)) : a, last < 1 ? bounded(a.interpolated(to: b, at: last)) : b
    )
  }
}

/// Draws lines pixel by pixel, along the axis that they are nearer to: each step lights two pixels across.
private struct HairlinePen {
  private let surface: PixelRect
  private let region: PixelRect
  private var runs: [CoverageRun]
  private let coverage: [UInt8]
  private(set) var pixelCount = 0

  init(surface: PixelRect, region: PixelRect) {
    self.surface = surface
    self.region = region
    runs = [CoverageRun(x: 0, count: 1, solid: 0)]
    coverage = [UInt8](repeating: 0, count: region.width)
  }

  /// - Parameters: places in pixels from the surface's corner, within a pixel of it.
  mutating func draw<Sink: CoverageSink & ~Copyable>(_ a: Point, _ b: Point, into sink: inout Sink) {
    // 6 bits after the point, towards zero.
    func fixed(_ value: Double) -> Int { Int(Float(value) * 64) }
    draw(fixed(a.x), fixed(a.y), fixed(b.x), fixed(b.y), into: &sink)
  }

  private mutating func draw<Sink: CoverageSink & ~Copyable>(
    _ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int, into sink: inout Sink
  ) {
    // Long lines are drawn by halves, as theirs are who have 16 bits before the point.
    if max(abs(x1 - x0), abs(y1 - y0)) > 511 << 6 {
      let (x, y) = (x0 >> 1 + x1 >> 1, y0 >> 1 + y1 >> 1)
      draw(x0, y0, x, y, into: &sink)
      draw(x, y, x1, y1, into: &sink)
      return
    }
    let isFlat = abs(x1 - x0) > abs(y1 - y0)
    var (from, to) = isFlat ? (x0, x1) : (y0, y1)
    var (start, end) = isFlat ? (y0, y1) : (x0, x1)
    if from > to { (from, to, start, end) = (to, from, end, start) }
    guard from < to else { return }
    var across = start << 10
    var slope = 0
    if start != end {
      slope = ((end - start) << 16) / (to - from)
      across += (slope * (32 - from & 63) + 32) >> 6
    }
    let first = from >> 6
    let last = (to + 63) >> 6 - 1
    across += 0x8000
    for step in first...last {
      // The share of the pixel along the line.
      let share = first == last ? to - from : step == first ? 64 - from & 63 : step == last ? (to - 1) & 63 + 1 : 64
      let amount = (across >> 8) & 255
      light(isFlat, step, across >> 16 - 1, ((255 - amount) * share) >> 6, into: &sink)
      light(isFlat, step, across >> 16, (amount * share) >> 6, into: &sink)
      across += slope
    }
  }

  private mutating func light<Sink: CoverageSink & ~Copyable>(
    _ isFlat: Bool, _ along: Int, _ across: Int, _ amount: Int, into sink: inout Sink
  ) {
    let x = surface.minX - region.minX + (isFlat ? along : across)
    let y = surface.minY - region.minY + (isFlat ? across : along)
    pixelCount += 1
    guard amount > 0, x >= 0, y >= 0, x < region.width, y < region.height else { return }
    runs[0].x = Int32(truncatingIfNeeded: x)
    runs[0].solid = Int32(truncatingIfNeeded: amount)
    sink.consume(y: y, runs: runs.span, coverage: coverage.span)
  }
}
