// Converts a font's colour lines to gradient ramps with stops in 0…1, adjusting the gradient's geometry so that the
// stops stay in place.

internal import ImageCore
internal import VectorGraphics

/// The stops of a gradient.
struct ColorLine {
  private let ramp: GradientRamp
  /// The positions of the first and last stop on the font's colour line.
  private let first: Double
  private let last: Double

  /// Creates a colour line from the stops in a table; `nil` if there are none or the line cannot repeat.
  init?(_ stops: [GradientRamp.Stop], spread: GradientRamp.Spread) {
    let stops = stops.sorted { $0.offset < $1.offset }
    guard let first = stops.first?.offset, let last = stops.last?.offset else { return nil }
    let length = last - first
    if length == 0, spread != .pad { return nil }
    self.first = first
    self.last = length == 0 ? first + 1 : last
    ramp = GradientRamp(
      stops.map {
        GradientRamp.Stop(offset: length == 0 ? 0 : ($0.offset - first) / length, color: $0.color)
      }, spread: spread)
  }

  /// A gradient from `start` to `end` whose lines of equal colour are parallel to the line from `start` to `turn`.
  func linear(_ start: Point, _ end: Point, _ turn: Point, _ transform: AffineTransform) -> GlyphPaint? {
    let across = turn - start
    let along = across.perpendicular
    let length = along.dot(along)
    guard length > 0, across.cross(end - start) != 0 else { return nil }
    let target = start + along * ((end - start).dot(along) / length)
    return .linear(
      LinearGradient(
        ramp, start: start.interpolated(to: target, at: first), end: start.interpolated(to: target, at: last),
        transform: transform))
  }

  /// A radial gradient between two circles.
  func radial(
    _ start: (center: Point, radius: Double), _ end: (center: Point, radius: Double), _ transform: AffineTransform
  ) -> GlyphPaint? {
    func radius(_ place: Double) -> Double { max(0, start.radius + (end.radius - start.radius) * place) }
    return .radial(
      RadialGradient(
        ramp, center: start.center.interpolated(to: end.center, at: last), radius: radius(last),
        focus: start.center.interpolated(to: end.center, at: first), focusRadius: radius(first),
        transform: transform))
  }

  /// A sweep gradient around a point.
  func sweep(_ center: Point, _ start: Double, _ end: Double, _ transform: AffineTransform) -> GlyphPaint? {
    let angle = end - start
    return .sweep(
      SweepGradient(
        ramp: ramp, center: center, startAngle: start + angle * first, endAngle: start + angle * last,
        transform: transform))
  }
}
