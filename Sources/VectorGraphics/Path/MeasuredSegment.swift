// Arc lengths of single segments. Those of curves are Gauss-Legendre quadratures, and locations are found by the ITP
// method (Oliveira and Takahashi, 2020), which needs few steps, each of which costs a quadrature.

/// A line or a curve with a length.
enum MeasuredSegment: Sendable {
  case line(Point, Point)
  case curve(CubicCurve)

  /// The arc length.
  var length: Double {
    switch self {
    case .line(let from, let to): (to - from).length
    case .curve(let curve): curve.arcLength(to: 1)
    }
  }

  /// Returns the location at a distance from the start.
  ///
  /// - Parameter length: the length of the segment.
  func location(at distance: Double, of length: Double) -> PathMeasure.Location {
    switch self {
    case .line(let from, let to):
      let tangent = (to - from) * (1 / length)
      return PathMeasure.Location(point: to - tangent * (length - distance), tangent: tangent)
    case .curve(let curve):
      let time = curve.parameter(atLength: distance, of: length)
      return PathMeasure.Location(point: curve.point(at: time), tangent: curve.direction(at: time) ?? Point(x: 1, y: 0))
    }
  }
}

extension CubicCurve {
  /// Returns the arc length up to a parameter. Intervals are halved until the sum of both halves agrees with the whole.
  fileprivate func arcLength(to end: Double) -> Double {
    var pending = [(from: 0.0, to: end, whole: quadrature(0, end))]
    var total = 0.0
    var steps = 0
    while let part = pending.popLast() {
      let middle = (part.from + part.to) / 2
      let first = quadrature(part.from, middle)
      let second = quadrature(middle, part.to)
      steps += 1
      if abs(first + second - part.whole) <= 1e-9 * part.whole || steps > 32 {
        total += first + second
      } else {
        pending.append((part.from, middle, first))
        pending.append((middle, part.to, second))
      }
    }
    return total
  }

  private func quadrature(_ from: Double, _ to: Double) -> Double {
    let half = (to - from) / 2
    let middle = (to + from) / 2
    var sum = 0.0
    for (node, weight) in Self.nodes {
      sum += weight * (velocity(at: middle + half * node).length + velocity(at: middle - half * node).length)
    }
    // The velocity is a third of the derivative.
    return sum * half * 3
  }

  /// Returns the parameter at which the curve has a length, to within 10⁻⁷.
  fileprivate func parameter(atLength target: Double, of length: Double) -> Double {
    guard target > 0 else { return 0 }
    guard target < length else { return 1 }
    var (a, b) = (0.0, 1.0)
    var (low, high) = (-target, length - target)
    let precision = 1e-7
    // The limit of bisection plus one step: n½ + n₀ with n₀ = 1; κ₁ = 0.2, κ₂ = 2.
    var steps = 1.0
    var width = 2 * precision
    while width < 1 {
      width *= 2
      steps += 1
    }
    var radius = precision
    for _ in 0..<Int(steps) { radius *= 2 }
    while b - a > 2 * precision {
      let middle = (a + b) / 2
      let reach = radius - (b - a) / 2
      let secant = (high * a - low * b) / (high - low)
      let sign: Double = middle >= secant ? 1 : -1
      let nudge = 0.2 * (b - a) * (b - a)
      let truncated = nudge <= abs(middle - secant) ? secant + sign * nudge : middle
      let guess = abs(truncated - middle) <= reach ? truncated : middle - sign * reach
      let value = arcLength(to: guess) - target
      if value > 0 {
        (b, high) = (guess, value)
      } else if value < 0 {
        (a, low) = (guess, value)
      } else {
        return guess
      }
      radius /= 2
    }
    return (a + b) / 2
  }

  /// Abscissas and weights of the 8-point Gauss-Legendre rule, for one side.
  private static let nodes: [(Double, Double)] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362_0), (0.525_532_409_916_329_0, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_5), (0.960_289_856_497_536_2, 0.101_228_536_290_376_3),
  ]
}
