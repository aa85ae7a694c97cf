// Arc length of subpaths, for dashing: extracts the part between two distances as lines and curves.
//
// A curve is measured along chords, obtained by repeatedly halving its parameter range until the control points are
// close to the chords. Within a chord the parameter is interpolated linearly by length, as in Skia's contour measure.

/// A subpath and the lengths of its segments.
struct ContourMeasure {
  /// One chord.
  private struct Chord {
    /// The length from the start of the subpath to the end of the chord.
    var distance: Double
    var segment: Int
    /// The segment's parameter at the end of the chord.
    var parameter: Double
  }

  private(set) var isClosed = false
  private var segments: [PathSegment] = []
  private var chords: [Chord] = []
  private let tolerance: Double
  /// The start of the subpath; `nil` before its `move`.
  private(set) var start: Point?

  /// The length of all segments.
  var length: Double { chords.last?.distance ?? 0 }
  /// Whether there are any segments, even if all have zero length.
  private(set) var hasSegments = false
  var chordCount: Int { chords.count }

  /// - Parameter tolerance: the maximum distance of control points from their positions on a straight line.
  init(tolerance: Double) {
    self.tolerance = tolerance
  }

  /// Resets the measure for the next subpath.
  mutating func begin(at point: Point?) {
    segments.removeAll(keepingCapacity: true)
    chords.removeAll(keepingCapacity: true)
    isClosed = false
    hasSegments = false
    start = point
  }

  mutating func add(_ segment: PathSegment) {
    switch segment {
    case .move(let to): start = to
    case .line(let from, let to): addLine(from, to)
    case .close(let from, let to):
      addLine(from, to)
      isClosed = true
    case .quad(let from, let control, let to):
      guard from.isFinite, control.isFinite, to.isFinite else { return }
      hasSegments = true
      let count = chords.count
      measure(QuadCurve(from, control, to), 0, 1)
      if chords.count > count { segments.append(segment) }
    case .cubic(let from, let control1, let control2, let to):
      guard from.isFinite, control1.isFinite, control2.isFinite, to.isFinite else { return }
      hasSegments = true
      let count = chords.count
      measure(CubicCurve(from, control1, control2, to), 0, 1)
      if chords.count > count { segments.append(segment) }
    }
  }

  private mutating func addLine(_ from: Point, _ to: Point) {
    guard from.isFinite, to.isFinite else { return }
    hasSegments = true
    let count = chords.count
    addChord((to - from).length, parameter: 1)
    if chords.count > count { segments.append(.line(from: from, to: to)) }
  }

  private mutating func addChord(_ step: Double, parameter: Double) {
    let distance = length + step
    // A step too small to change the length is omitted.
    guard distance > length, distance.isFinite else { return }
    chords.append(Chord(distance: distance, segment: segments.count, parameter: parameter))
  }

  private static let smallestSpan = 0x1p-14

  private mutating func measure(_ curve: QuadCurve, _ from: Double, _ to: Double) {
    let bend = (curve.p1 - (curve.p0 + curve.p2) * 0.5) * 0.5
    guard to - from > Self.smallestSpan, max(abs(bend.x), abs(bend.y)) > tolerance else {
      addChord((curve.p2 - curve.p0).length, parameter: to)
      return
    }
    let middle = (from + to) / 2
    let (first, second) = curve.split(at: 0.5)
    measure(first, from, middle)
    measure(second, middle, to)
  }

  private mutating func measure(_ curve: CubicCurve, _ from: Double, _ to: Double) {
    let first = curve.p1 - curve.p0.interpolated(to: curve.p3, at: 1.0 / 3)
    let second = curve.p2 - curve.p0.interpolated(to: curve.p3, at: 2.0 / 3)
    guard to - from > Self.smallestSpan,
      max(abs(first.x), abs(first.y), abs(second.x), abs(second.y)) > tolerance
    else {
      addChord((curve.p3 - curve.p0).length, parameter: to)
      return
    }
    let middle = (from + to) / 2
    let (head, tail) = curve.split(at: 0.5)
    measure(head, from, middle)
    measure(tail, middle, to)
  }

  /// Draws the part between two distances.
  ///
  /// - Parameter moves: whether the part starts a subpath; otherwise it continues from the end of the previous one.
  func draw(_ from: Double, _ to: Double, moves: Bool, into outline: inout StrokeOutline) {
    guard !chords.isEmpty else { return }
    let first = place(at: max(0, from))
    let last = place(at: min(to, length))
    if moves { outline.move(to: point(of: segments[first.segment], at: first.parameter)) }
    var index = first.segment
    var parameter = first.parameter
    while index < last.segment {
      draw(segments[index], parameter, 1, into: &outline)
      index += 1
      parameter = 0
    }
    draw(segments[index], parameter, last.parameter, into: &outline)
  }

  private func place(at distance: Double) -> (segment: Int, parameter: Double) {
    var low = 0
    var high = chords.count - 1
    while low < high {
      let middle = (low + high) / 2
      if chords[middle].distance < distance { low = middle + 1 } else { high = middle }
    }
    let chord = chords[low]
    var (start, parameter) = (0.0, 0.0)
    if low > 0 {
      start = chords[low - 1].distance
      if chords[low - 1].segment == chord.segment { parameter = chords[low - 1].parameter }
    }
    let fraction = min(max(0, (distance - start) / (chord.distance - start)), 1)
    return (chord.segment, parameter + (chord.parameter - parameter) * fraction)
  }

  private func point(of segment: PathSegment, at parameter: Double) -> Point {
    switch segment {
    case .line(let from, let to), .close(let from, let to): from.interpolated(to: to, at: parameter)
    case .quad(let from, let control, let to): QuadCurve(from, control, to).point(at: parameter)
    case .cubic(let from, let control1, let control2, let to):
      CubicCurve(from, control1, control2, to).point(at: parameter)
    case .move(let to): to
    }
  }

  private func draw(
    _ segment: PathSegment, _ from: Double, _ to: Double, into outline: inout StrokeOutline
  ) {
    switch segment {
    case .line(let start, let end), .close(let start, let end):
      outline.line(to: to < 1 ? start.interpolated(to: end, at: to) : end)
    case .quad(let start, let control, let end):
      guard from < to else { return outline.line(to: point(of: segment, at: from)) }
      let part = QuadCurve(start, control, end).part(from, to)
      outline.quad(to: part.p2, control: part.p1)
    case .cubic(let start, let control1, let control2, let end):
      guard from < to else { return outline.line(to: point(of: segment, at: from)) }
      let part = CubicCurve(start, control1, control2, end).part(from, to)
      outline.cubic(to: part.p3, control1: part.p1, control2: part.p2)
    case .move: break
    }
  }
}
