// The outline of a stroked path.

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
    Path()
  }
}
