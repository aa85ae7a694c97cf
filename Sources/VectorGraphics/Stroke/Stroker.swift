// The outline of a stroked path: flatten, dash, outline.

package import ImageCore

extension Path {
  /// The area that a stroke covers, as closed polygons to be filled by the non-zero rule.
  ///
  /// - Parameters:
  ///   - tolerance: how far the polygons may stray from the exact outline, in the units of the path.
  ///   - budget: the lines are taken from it.
  /// - Throws: ``DecodeError/Kind/limitExceeded``.
  package func stroked(
    _ style: StrokeStyle, tolerance: Double, budget: inout RasterBudget
  ) throws(DecodeError) -> Path {
    guard style.width > 0, style.width.isFinite, tolerance > 0 else { return Path() }
    let finest = max(tolerance, style.width * 1e-9)
    var builder = StrokeContourBuilder(tolerance: finest, radius: style.width / 2)
    builder.add(self, maximumPointCount: budget.segmentCount)
    try budget.spendSegments(builder.pointCount)
    var outline = StrokeOutline(style: style, tolerance: finest)
    if let pattern = DashPattern(style), pattern.dashCount(builder.contours) <= StrokeStyle.maximumDashCount {
      for contour in builder.contours { pattern.dash(contour) { outline.add($0) } }
    } else {
      for contour in builder.contours { outline.add(contour) }
    }
    return outline.path
  }

  /// The area that a stroke covers, fine enough to be drawn after a transform.
  package func stroked(
    _ style: StrokeStyle, transform: AffineTransform, budget: inout RasterBudget
  ) throws(DecodeError) -> Path {
    let scale = transform.maximumScale
    guard scale > 0, scale.isFinite else { return Path() }
    return try stroked(style, tolerance: Flattener.defaultTolerance / scale, budget: &budget)
  }
}
