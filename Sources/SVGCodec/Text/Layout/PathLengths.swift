// Positions along a path by arc length, for each curve: lengths by Gauss-Legendre quadrature, positions by the ITP
// method (Oliveira and Takahashi, 2020), which needs few steps, each of which costs a quadrature.

internal import VectorGraphics

/// The lengths of a path's curves.
struct PathLengths: Sendable {
  fileprivate struct Curve: Sendable {
    var p0: Point
    var p1: Point
    var p2: Point
    var p3: Point
    /// The length of the preceding curves, and the length of this one.
    var start: Double
    var length: Double
  }

  /// A position on a path.
  struct Location {
    var point: Point
    /// The unit tangent in the direction of travel.
    var tangent: Point
  }

  private var curves: [Curve] = []
  /// The total length of all lines and curves, without moves.
  private(set) var length = 0.0

  init(_ path: Path) {
    for segment in path.segments {
      switch segment {
      case .move: break
      case .line(let from, let to), .close(let from, let to):
        append(from, from.interpolated(to: to, at: 1.0 / 3), from.interpolated(to: to, at: 2.0 / 3), to)
      case .quad(let from, let control, let to):
        append(
          from, from.interpolated(to: control, at: 2.0 / 3), to.interpolated(to: control, at: 2.0 / 3), to)
      case .cubic(let from, let control1, let control2, let to): append(from, control1, control2, to)
      }
    }
  }

  private mutating func append(_ p0: Point, _ p1: Point, _ p2: Point, _ p3: Point) {
    var curve = Curve(p0: p0, p1: p1, p2: p2, p3: p3, start: length, length: 0)
    curve.length = curve.length(to: 1)
    guard curve.length > 0, curve.length.isFinite else { return }
    length += curve.length
    curves.append(curve)
  }

  /// Returns the position at a distance from the start; `nil` before the start and after the end.
  func location(at distance: Double) -> Location? {
    guard distance >= 0, distance <= length, !curves.isEmpty else { return nil }
    var low = 0
    var high = curves.count - 1
    while low < high {
      let middle = (low + high) / 2
      if curves[middle].start + curves[middle].length < distance { low = middle + 1 } else { high = middle }
    }
    let curve = curves[low]
    let time = curve.time(at: distance - curve.start)
    return Location(point: curve.point(time), tangent: curve.tangent(time))
  }
}

extension PathLengths.Curve {
  func point(_ t: Double) -> Point {
    let s = 1 - t
    return p0 * (s * s * s) + p1 * (3 * s * s * t) + p2 * (3 * s * t * t) + p3 * (t * t * t)
  }

  private func derivative(_ t: Double) -> Point {
    let s = 1 - t
    return (p1 - p0) * (3 * s * s) + (p2 - p1) * (6 * s * t) + (p3 - p2) * (3 * t * t)
  }

  func tangent(_ t: Double) -> Point {
    derivative(t).normalized ?? (derivative(t < 0.5 ? t + 1e-4 : t - 1e-4)).normalized ?? (p3 - p0).normalized
      ?? Point(x: 1, y: 0)
  }

  /// Returns the length up to a parameter. Intervals are halved until the sum of both halves agrees with the whole.
  func length(to end: Double) -> Double {
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
      sum += weight * (derivative(middle + half * node).length + derivative(middle - half * node).length)
    }
    return sum * half
  }

  /// Returns the parameter at which the curve has a length, to within 10⁻⁷.
  func time(at target: Double) -> Double {
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
      let value = length(to: guess) - target
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
