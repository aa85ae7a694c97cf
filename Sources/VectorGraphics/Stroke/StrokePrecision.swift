// The accuracy of a stroke's outline.

/// The permitted errors of an outline, in the units of the path.
package struct StrokePrecision: Hashable, Sendable {
  /// The maximum deviation of offset curves.
  var curve: Double
  /// The maximum deviation of arcs in joins and caps, by an estimate that is about five times too high.
  var arc: Double
  /// The maximum gap in a side at a turn too small for a join.
  var jump: Double
  /// The maximum deviation between the halves of a curve before they are measured separately, for dashes.
  var measure: Double

  /// Errors that are invisible after a transform that scales lengths by at most `scale`.
  package static func fine(scale: Double) -> StrokePrecision {
    StrokePrecision(curve: 0.04 / scale, arc: 0.1 / scale, jump: 0.025 / scale, measure: 0.02 / scale)
  }

  /// Raises each error to at least a bound, so that extreme widths do not need excessively many points.
  func bounded(by least: Double) -> StrokePrecision {
    var result = self
    result.curve = max(curve, least)
    result.arc = max(arc, least)
    result.measure = max(measure, least)
    return result
  }
}
