// How near the outline of a stroke comes to the exact one.

/// The errors that an outline may have, in the units of the path.
package struct StrokePrecision: Hashable, Sendable {
  /// How far parallels of curves may stray.
  var curve: Double
  /// How far arcs of joins and caps may stray, by an estimate some five times too high.
  var arc: Double
  /// How far a side may jump at a turn so small that it gets no join.
  var jump: Double
  /// How far the halves of a curve may stray from each other before they are measured apart, for dashes.
  var measure: Double

  /// Errors that nobody sees after a transform that enlarges lengths by up to `scale`.
  package static func fine(scale: Double) -> StrokePrecision {
    StrokePrecision(curve: 0.04 / scale, arc: 0.1 / scale, jump: 0.025 / scale, measure: 0.02 / scale)
  }

  /// The errors that Skia's stroker allows itself: a quarter of a pixel, arcs in the units of the path.
  package static func sampled(scale: Double) -> StrokePrecision {
    StrokePrecision(curve: 0.25 / scale, arc: 0.25, jump: .infinity, measure: 0.5 / scale)
  }

  /// No error is smaller than a bound, so that extreme widths do not need endless points.
  func bounded(by least: Double) -> StrokePrecision {
    var result = self
    result.curve = max(curve, least)
    result.arc = max(arc, least)
    result.measure = max(measure, least)
    return result
  }
}
