// Strokes paths: measures and dashes them, then builds the outline.

package import ImageCore

extension Path {
  /// Returns the area covered by a stroke, as closed contours to be filled by the nonzero rule.
  ///
  /// - Parameters:
  ///   - precision: the maximum deviation of the contours from the exact outline.
  ///   - visible: anything outside this rectangle, in the units of the path, can be omitted.
  ///   - budget: charged with the points.
  /// - Throws: `CodecError.Kind.limitExceeded`.
  package func stroked(
    _ style: StrokeStyle, precision: StrokePrecision, visible: Rect? = nil, budget: inout RasterBudget
  ) throws(CodecError) -> Path {
    guard style.width > 0, style.width.isFinite, precision.curve > 0 else { return Path() }
    guard points.count <= min(budget.segmentCount, Path.maximumStrokedPointCount) else {
      throw CodecError(.limitExceeded, "the path to be stroked has too many segments")
    }
    // Charged in addition to the points: a path may have millions of segments, and what does not show leaves none.
    var work = StrokeWork(self)
    try budget.resources.requireWork(count: work.rest, unitsEach: 1)
    let finest = precision.bounded(by: style.width * 1e-9)
    // Miters and square caps extend farther than half of the width.
    let visible = visible?.expanded(by: style.width / 2 * max(1.5, style.miterLimit))
    var outline = StrokeOutline(
      style: style, precision: finest, visible: visible,
      maximumPointCount: min(StrokeOutline.maximumPointCount, budget.segmentCount))
    var isDashed = false
    if let pattern = DashPattern(style) { isDashed = try addDashes(pattern, finest, to: &outline, &work, &budget) }
    if !isDashed {
      outline.removeAll()
      try add(to: &outline, &work, &budget)
    }
    if outline.isFull { throw CodecError(.limitExceeded, "the outline of a stroke has too many points") }
    try budget.spendSegments(outline.path.points.count)
    return outline.path
  }

  private func add(
    to outline: inout StrokeOutline, _ work: inout StrokeWork, _ budget: inout RasterBudget
  ) throws(CodecError) {
    for segment in segments {
      if outline.isFull { return }
      try work.charge(segment, &budget.resources)
      switch segment {
      case .move(let to): outline.move(to: to)
      case .line(_, let to): outline.line(to: to)
      case .quad(_, let control, let to): outline.quad(to: to, control: control)
      case .cubic(_, let control1, let control2, let to):
        outline.cubic(to: to, control1: control1, control2: control2)
      case .close: outline.close()
      }
    }
    outline.finish()
  }

  /// The work of finding a dash and its two ends.
  private static var workPerDash: Int { 300 }

  /// Adds the dashes of all subpaths. Returns `false` if there would be too many.
  private func addDashes(
    _ pattern: DashPattern, _ precision: StrokePrecision, to outline: inout StrokeOutline, _ work: inout StrokeWork,
    _ budget: inout RasterBudget
  ) throws(CodecError) -> Bool {
    var contour = ContourMeasure(tolerance: precision.measure)
    var dashCount = 0
    var chordCount = 0
    func finish(_ outline: inout StrokeOutline, _ budget: inout RasterBudget) throws(CodecError) -> Bool {
      let count = pattern.dashCount(contour.length)
      dashCount = dashCount &+ min(count, StrokeStyle.maximumDashCount &+ 1)
      chordCount += contour.chordCount
      guard dashCount <= StrokeStyle.maximumDashCount, chordCount <= Path.maximumStrokedPointCount, !outline.isFull
      else { return false }
      // Dashes that are not visible are not part of the outline, but are found too.
      try budget.resources.requireWork(count: count, unitsEach: Self.workPerDash)
      var rest = count
      try pattern.dash(contour, into: &outline) { () throws(CodecError) in
        rest -= 1
        if rest >= 0 { try budget.resources.chargeWork(Self.workPerDash) }
      }
      // Those that do not fit into the outline, and the difference to the estimate.
      try budget.resources.chargeWorkInParts(count: max(0, rest), unitsEach: Self.workPerDash)
      return true
    }
    for segment in segments {
      if case .move = segment {
        guard try finish(&outline, &budget) else { return false }
        contour.begin(at: nil)
      } else if contour.isClosed {
        guard try finish(&outline, &budget) else { return false }
        contour.begin(at: contour.start)
      }
      try work.charge(segment, &budget.resources)
      contour.add(segment)
      if contour.chordCount > Path.maximumStrokedPointCount { return false }
    }
    return try finish(&outline, &budget) && !outline.isFull
  }

  /// The maximum number of points in a path to be stroked, and of chords used to measure its length.
  private static let maximumStrokedPointCount = 4_000_000

  /// Returns the area covered by a stroke, with enough precision for drawing after a transform.
  ///
  /// - Parameter region: the pixels to be drawn; anything outside them can be omitted.
  package func stroked(
    _ style: StrokeStyle, transform: AffineTransform, region: PixelRect? = nil, budget: inout RasterBudget
  ) throws(CodecError) -> Path {
    let scale = transform.maximumScale
    guard scale > 0, scale.isFinite else { return Path() }
    let visible = transform.inverted.flatMap { inverse in region.map { inverse.apply($0.rect.expanded(by: 1)) } }
    return try stroked(style, precision: .fine(scale: scale), visible: visible, budget: &budget)
  }
}

/// The work of reading the segments of a path, of which offset curves are found by subdivision. Each is charged once, when it
/// is first read.
private struct StrokeWork {
  private static let segmentsBetweenChecks = 4096

  /// The units that have not been charged.
  private(set) var rest = 0
  private var checkedCount = 0

  init(_ path: Path) {
    for verb in path.verbs { rest &+= Self.work(curveOrder: verb == .cubic ? 3 : verb == .quad ? 2 : 1) }
  }

  private static func work(_ segment: PathSegment) -> Int {
    switch segment {
    case .move, .line, .close: work(curveOrder: 1)
    case .quad: work(curveOrder: 2)
    case .cubic: work(curveOrder: 3)
    }
  }

  private static func work(curveOrder: Int) -> Int { curveOrder == 3 ? 1_200 : curveOrder == 2 ? 700 : 100 }

  /// Charges a segment that is about to be read. If all have been, because dashes turned out to be too many, this only checks
  /// for cancellation and the deadline.
  mutating func charge(_ segment: PathSegment, _ budget: inout ResourceBudget) throws(CodecError) {
    guard rest > 0 else {
      checkedCount &+= 1
      if checkedCount % Self.segmentsBetweenChecks == 0 { try budget.checkpoint() }
      return
    }
    let units = min(rest, Self.work(segment))
    rest -= units
    try budget.chargeWork(units)
  }
}
