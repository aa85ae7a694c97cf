// Gradients as SVG 2 chapter 14 and CSS Images define them.

/// Colours along a parameter.
package struct GradientRamp: Hashable, Sendable {
  /// A colour at a place.
  package struct Stop: Hashable, Sendable {
    /// The place, 0…1.
    package var offset: Double
    /// The colour there.
    package var color: Color

    /// Creates a stop.
    package init(offset: Double, color: Color) {
      self.offset = offset
      self.color = color
    }
  }

  /// What happens outside of 0…1.
  package enum Spread: Hashable, Sendable {
    /// The first and the last colour go on.
    case pad
    /// The colours run back and forth.
    case reflect
    /// The colours start anew.
    case `repeat`
  }

  /// At least one stop, offsets within 0…1 and not falling.
  package let stops: [Stop]
  /// What happens outside of 0…1.
  package var spread: Spread

  /// Creates a ramp. Offsets are put within 0…1 and each at least at its predecessor's, as SVG says; NaN counts as 0.
  /// Without any stop the ramp is transparent.
  package init(_ stops: [Stop], spread: Spread = .pad) {
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

/// A gradient along a line.
package struct LinearGradient: Hashable, Sendable {
  package var ramp: GradientRamp
  /// Where the parameter is 0.
  package var start: Point
  /// Where the parameter is 1. With the same start the last stop's colour fills everything.
  package var end: Point
  /// From the gradient's space to the path's.
  package var transform: AffineTransform

  package init(_ ramp: GradientRamp, start: Point, end: Point, transform: AffineTransform = .identity) {
    self.ramp = ramp
    self.start = start
    self.end = end
    self.transform = transform
  }
}

/// A gradient between two circles.
package struct RadialGradient: Hashable, Sendable {
  package var ramp: GradientRamp
  /// The centre of the circle where the parameter is 1 (`cx`, `cy`).
  package var center: Point
  /// Its radius (`r`). Zero or less: the last stop's colour fills everything.
  package var radius: Double
  /// The centre of the circle where the parameter is 0 (`fx`, `fy`).
  package var focus: Point
  /// Its radius (`fr`).
  package var focusRadius: Double
  /// From the gradient's space to the path's.
  package var transform: AffineTransform

  /// Creates a gradient. A point that no circle of the family reaches stays transparent.
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
