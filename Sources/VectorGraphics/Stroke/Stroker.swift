// Strokes paths: measures and dashes them, then builds the outline.

package import ImageCore

extension Path {
  /// Returns the area covered by a stroke, as closed contours to be filled by the nonzero rule.
  ///
  /// - Parameters:
  ///   - precision: the maximum deviation of the contours from the exact outline.
  ///   - visible: anything outside this rectangle, in the units of the path, can be omitted.
  ///   - budget: charged with the points.
  /// - Throws: ``CodecError/Kind/limitExceeded``.
  package func stroked(
    _ style: StrokeStyle, precision: StrokePrecision, visible: Rect? = nil, budget: inout RasterBudget
  ) throws(CodecError) -> Path {
    guard style.width > 0, style.width.isFinite, precision.curve > 0 else { return Path() }
    guard points.count <= min(budget.segmentCount, Path.maximumStrokedPointCount) else {
      throw CodecError(.limitExceeded, "the path to be stroked has too many segments")
    }
    // Before anything is done: a path may have millions of segments, and what does not show leaves no points.
    try budget.resources.chargeWork(strokeWork)
    let finest = precision.bounded(by: style.width * 1e-9)
    // Miters and square caps extend farther than half of the width.
    let visible = visible?.expanded(by: style.width / 2 * max(1.5, style.miterLimit))
    var outline = StrokeOutline(
      style: style, precision: finest, visible: visible,
      maximumPointCount: min(StrokeOutline.maximumPointCount, budget.segmentCount))
    var isDashed = false
    if let pattern = DashPattern(style) { isDashed = try addDashes(pattern, finest, to: &outline, &budget) }
    if !isDashed {
      outline.removeAll()
      add(to: &outline)
    }
    if outline.isFull { throw CodecError(.limitExceeded, "the outline of a stroke has too many points") }
    try budget.spendSegments(outline.path.points.count)
    return outline.path
  }

  private func add(to outline: inout StrokeOutline) {
    for segment in segments {
      if outline.isFull { return }
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
    _ pattern: DashPattern, _ precision: StrokePrecision, to outline: inout StrokeOutline,
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
      try budget.resources.chargeWork(count: count, unitsEach: Self.workPerDash)
      pattern.dash(contour, into: &outline)
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
      contour.add(segment)
      if contour.chordCount > Path.maximumStrokedPointCount { return false }
    }
    return try finish(&outline, &budget) && !outline.isFull
  }

  /// The work of reading all segments: offset curves are found by subdivision.
  private var strokeWork: Int {
    var work = 0
    for verb in verbs {
      switch verb {
      case .move, .line, .close: work &+= 100
      case .quad: work &+= 700
      case .cubic: work &+= 1_200
      }
    }
    return work
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
