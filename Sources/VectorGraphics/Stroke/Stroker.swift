// The outline of a stroked path: measure and dash, then outline.

package import ImageCore

extension Path {
  /// The area that a stroke covers, as closed contours to be filled by the non-zero rule.
  ///
  /// - Parameters:
  ///   - precision: how far the contours may stray from the exact outline.
  ///   - visible: what is away from this rectangle, in the units of the path, may be left out.
  ///   - budget: the points are taken from it.
  /// - Throws: ``DecodeError/Kind/limitExceeded``.
  package func stroked(
    _ style: StrokeStyle, precision: StrokePrecision, visible: Rect? = nil, budget: inout RasterBudget
  ) throws(DecodeError) -> Path {
    guard style.width > 0, style.width.isFinite, precision.curve > 0 else { return Path() }
    guard points.count <= min(budget.segmentCount, Path.maximumStrokedPointCount) else {
      throw DecodeError(.limitExceeded, "too many path segments to stroke")
    }
    let finest = precision.bounded(by: style.width * 1e-9)
    // Miters and square caps reach farther than half of the width.
    let visible = visible?.expanded(by: style.width / 2 * max(1.5, style.miterLimit))
    var outline = StrokeOutline(
      style: style, precision: finest, visible: visible,
      maximumPointCount: min(StrokeOutline.maximumPointCount, budget.segmentCount))
    let isDashed = DashPattern(style).map { addDashes($0, finest, to: &outline) } ?? false
    if !isDashed {
      outline.removeAll()
      add(to: &outline)
    }
    if outline.isFull { throw DecodeError(.limitExceeded, "the outline of a stroke has too many points") }
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

  /// Adds the dashes of all subpaths; `false` when there would be too many.
  private func addDashes<Sink: SegmentSink>(
    _ pattern: DashPattern, _ precision: StrokePrecision, to outline: inout Sink
  ) -> Bool {
    var contour = ContourMeasure(tolerance: precision.measure)
    var dashCount = 0
    var chordCount = 0
    func finish(_ outline: inout Sink) -> Bool {
      let count = pattern.dashCount(contour.length)
      dashCount = dashCount &+ min(count, StrokeStyle.maximumDashCount &+ 1)
      chordCount += contour.chordCount
      guard dashCount <= StrokeStyle.maximumDashCount, chordCount <= Path.maximumStrokedPointCount, !outline.isFull
      else { return false }
      pattern.dash(contour, into: &outline)
      return true
    }
    for segment in segments {
      if case .move = segment {
        guard finish(&outline) else { return false }
        contour.begin(at: nil)
      } else if contour.isClosed {
        guard finish(&outline) else { return false }
        contour.begin(at: contour.start)
      }
      contour.add(segment)
      if contour.chordCount > Path.maximumStrokedPointCount { return false }
    }
    return finish(&outline) && !outline.isFull
  }

  /// The dashes as subpaths; the path itself when there are none, or too many.
  func dashed(_ style: StrokeStyle, precision: StrokePrecision) -> Path {
    guard let pattern = DashPattern(style) else { return self }
    var result = Path()
    return addDashes(pattern, precision, to: &result) ? result : self
  }

  /// The most points of a path that is stroked, and of the chords that its length is measured along.
  private static let maximumStrokedPointCount = 4_000_000

  /// The area that a stroke covers, fine enough to be drawn after a transform.
  ///
  /// - Parameters:
  ///   - region: the pixels that will be drawn; what is away from them may be left out.
  ///   - isSampled: whether coverage will be sampled four by four, as Skia samples it, and outlines are to be its.
  package func stroked(
    _ style: StrokeStyle, transform: AffineTransform, region: PixelRect? = nil, isSampled: Bool = false,
    budget: inout RasterBudget
  ) throws(DecodeError) -> Path {
    let scale = transform.maximumScale
    guard scale > 0, scale.isFinite else { return Path() }
    let visible = transform.inverted.flatMap { inverse in region.map { inverse.apply($0.rect.expanded(by: 1)) } }
    let precision: StrokePrecision = isSampled ? .sampled(scale: transform.axisScale) : .fine(scale: scale)
    return try stroked(style, precision: precision, visible: visible, budget: &budget)
  }
}
