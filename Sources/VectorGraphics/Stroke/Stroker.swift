// The outline of a stroked path: flatten, dash, outline.

package import ImageCore

extension Path {
  /// The area that a stroke covers, as closed polygons to be filled by the non-zero rule.
  ///
  /// - Parameters:
  ///   - tolerance: how far the polygons may stray from the exact outline, in the units of the path.
  ///   - visible: what is away from this rectangle, in the units of the path, may be left out.
  ///   - budget: the lines are taken from it.
  /// - Throws: ``DecodeError/Kind/limitExceeded``.
  package func stroked(
    _ style: StrokeStyle, tolerance: Double, visible: Rect? = nil, budget: inout RasterBudget
  ) throws(DecodeError) -> Path {
    guard style.width > 0, style.width.isFinite, tolerance > 0 else { return Path() }
    let finest = max(tolerance, style.width * 1e-9)
    // Miters and square caps reach farther than half of the width.
    let visible = visible?.expanded(by: style.width / 2 * max(1.5, style.miterLimit))
    let pattern = DashPattern(style)
    // Where dashes fall depends on the length of what cannot be seen, too.
    var builder = StrokeContourBuilder(
      tolerance: finest, radius: style.width / 2, visible: pattern == nil ? visible : nil)
    let maximumCount = min(budget.segmentCount, Path.maximumStrokedPointCount)
    builder.add(self, maximumPointCount: maximumCount)
    guard builder.pointCount <= maximumCount else {
      throw DecodeError(.limitExceeded, "too many path segments to stroke")
    }
    try budget.spendSegments(builder.pointCount)
    let contours = builder.contours
    var outline = StrokeOutline(
      style: style, tolerance: finest, visible: visible, maximumPointCount: Path.maximumOutlinePointCount)
    if let pattern, pattern.dashCount(contours) <= StrokeStyle.maximumDashCount {
      for contour in contours { pattern.dash(contour) { outline.add($0) } }
      if !outline.isFull { return outline.path }
      outline.removeAll()
    }
    for contour in contours { outline.add(contour) }
    if outline.isFull { throw DecodeError(.limitExceeded, "the outline of a stroke has too many points") }
    return outline.path
  }

  /// The most points of a path's curves and lines when it is stroked.
  private static let maximumStrokedPointCount = 4_000_000

  /// Dashes that would need more points are not drawn as dashes, other strokes that would are an error.
  private static let maximumOutlinePointCount = 6_000_000

  /// The area that a stroke covers, fine enough to be drawn after a transform.
  ///
  /// - Parameter region: the pixels that will be drawn; what is away from them may be left out.
  package func stroked(
    _ style: StrokeStyle, transform: AffineTransform, region: PixelRect? = nil, budget: inout RasterBudget
  ) throws(DecodeError) -> Path {
    let scale = transform.maximumScale
    guard scale > 0, scale.isFinite else { return Path() }
    let visible = transform.inverted.flatMap { inverse in region.map { inverse.apply($0.rect.expanded(by: 1)) } }
    return try stroked(
      style, tolerance: Flattener.defaultTolerance / scale, visible: visible, budget: &budget)
  }
}
