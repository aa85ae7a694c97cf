// Gradients as defined in SVG 2 chapter 14 and CSS Images.

/// The colours of a gradient as a function of its parameter.
package struct GradientRamp: Hashable, Sendable {
  /// A gradient stop.
  package struct Stop: Hashable, Sendable {
    /// The position of the stop, 0…1.
    package var offset: Double
    /// The colour at the stop.
    package var color: Color

    /// Creates a stop from its position and colour.
    package init(offset: Double, color: Color) {
      self.offset = offset
      self.color = color
    }
  }

  /// The extension of the gradient outside 0…1.
  package enum Spread: Hashable, Sendable {
    /// The first and the last colour are extended.
    case pad
    /// The colours are mirrored alternately.
    case reflect
    /// The colours repeat.
    case `repeat`
  }

  /// At least one stop; offsets are in 0…1 and non-decreasing.
  package let stops: [Stop]
  /// The extension of the gradient outside 0…1.
  package var spread: Spread
  /// Whether colours are interpolated in linear light instead of sRGB.
  package let isLinearLight: Bool

  /// Creates a ramp. As SVG requires, offsets are clamped to 0…1 and to at least that of the previous stop. NaN is
  /// treated as 0. Without stops the ramp is transparent.
  package init(_ stops: [Stop], spread: Spread = .pad, isLinearLight: Bool = false) {
    self.isLinearLight = isLinearLight
    var last = 0.0
    self.stops =
      stops.isEmpty
      ? [Stop(offset: 0, color: .transparent)]
      : stops.map { stop in
        last = max(last, min(max(0, stop.offset), 1))
        return Stop(offset: last, color: stop.color)
      }
    self.spread = spread
  }
}

/// A linear gradient.
package struct LinearGradient: Hashable, Sendable {
  package var ramp: GradientRamp
  /// The point at which the parameter is 0.
  package var start: Point
  /// The point at which the parameter is 1. If it equals the start, the last stop's colour fills everything.
  package var end: Point
  /// The transform from the gradient's space to the path's.
  package var transform: AffineTransform

  package init(_ ramp: GradientRamp, start: Point, end: Point, transform: AffineTransform = .identity) {
    self.ramp = ramp
    self.start = start
    self.end = end
    self.transform = transform
  }
}

/// A radial gradient between two circles.
package struct RadialGradient: Hashable, Sendable {
  package var ramp: GradientRamp
  /// The centre of the circle at which the parameter is 1 (`cx`, `cy`).
  package var center: Point
  /// The radius of that circle (`r`). If it is not positive, the last stop's colour fills everything.
  package var radius: Double
  /// The centre of the circle at which the parameter is 0 (`fx`, `fy`).
  package var focus: Point
  /// The radius of that circle (`fr`).
  package var focusRadius: Double
  /// The transform from the gradient's space to the path's.
  package var transform: AffineTransform

  /// Creates a gradient. Points that no circle of the family passes through are transparent.
  package init(
    _ ramp: GradientRamp, center: Point, radius: Double, focus: Point? = nil, focusRadius: Double = 0,
    transform: AffineTransform = .identity
  ) {
    self.ramp = ramp
    self.center = center
    self.radius = radius
    self.focus = focus ?? center
    self.focusRadius = focusRadius
    self.transform = transform
  }
}

/// A sweep (conic) gradient, counter-clockwise from the positive x axis with y upwards.
package struct SweepGradient: Hashable, Sendable {
  /// The colours of the gradient.
  package var ramp: GradientRamp
  /// The centre of the sweep.
  package var center: Point
  /// The angle at offset 0, in radians.
  package var startAngle: Double
  /// The angle at offset 1, in radians.
  package var endAngle: Double
  /// The transform from the gradient's space to the path's.
  package var transform: AffineTransform

  package init(
    ramp: GradientRamp, center: Point, startAngle: Double, endAngle: Double, transform: AffineTransform = .identity
  ) {
    self.ramp = ramp
    self.center = center
    self.startAngle = startAngle
    self.endAngle = endAngle
    self.transform = transform
  }
}
