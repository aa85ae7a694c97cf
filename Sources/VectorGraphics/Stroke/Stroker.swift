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
    var builder = StrokeContourBuilder(tolerance: finest, radius: style.width / 2)
    builder.add(self, maximumPointCount: budget.segmentCount)
    try budget.spendSegments(builder.pointCount)
    var outline = StrokeOutline(style: style, tolerance: finest)
    // Miters and square caps reach farther than half of the width.
    let reach = visible?.expanded(by: style.width / 2 * max(1.5, style.miterLimit))
    func add(_ contour: StrokeContour) {
      if let reach, reach.isFinite, !contour.touches(reach) { return }
      outline.add(contour)
    }
    if let pattern = DashPattern(style), pattern.dashCount(builder.contours) <= StrokeStyle.maximumDashCount {
      for contour in builder.contours { pattern.dash(contour) { add($0) } }
    } else {
      for contour in builder.contours { add(contour) }
    }
    return outline.path
  }

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
