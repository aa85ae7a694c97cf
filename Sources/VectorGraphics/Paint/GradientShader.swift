// Evaluates gradients along rows of pixels, at pixel centres.

/// A linear gradient prepared for drawing.
struct LinearShader: Sendable {
  let table: RampTable
  /// At a pixel's top left corner the parameter is x · stepX + y · stepY + base.
  private let stepX: Double
  private let stepY: Double
  private let base: Double

  /// Returns `nil` if the transform is not invertible.
  init?(_ gradient: LinearGradient, transform: AffineTransform, opacity: Double) {
    guard let inverse = (transform * gradient.transform).inverted else { return nil }
    table = RampTable(gradient.ramp, opacity: opacity)
    let direction = gradient.end - gradient.start
    let squared = direction.dot(direction)
    guard squared > 0, squared.isFinite else { return nil }
    let axis = direction * (1 / squared)
    stepX = Point(x: inverse.a, y: inverse.b).dot(axis)
    stepY = Point(x: inverse.c, y: inverse.d).dot(axis)
    base = (Point(x: inverse.e, y: inverse.f) - gradient.start).dot(axis)
  }

  func shade(x: Int, y: Int, into row: inout MutableSpan<UInt32>) {
    let entries = table.entries
    let words = entries.span
    let start = (Double(x) + 0.5) * stepX + (Double(y) + 0.5) * stepY + base
    for index in row.indices { row[index] = table.word(start + Double(index) * stepX, words) }
  }
}

/// A radial gradient prepared for drawing.
struct RadialShader: Sendable {
  let table: RampTable
  private let inverse: AffineTransform
  private let focus: Point
  private let focusRadius: Double
  /// The vector from the focus to the centre, and the difference of the radii.
  private let axis: Point
  private let growth: Double
  private let isConcentric: Bool

  /// Returns `nil` if the transform is not invertible.
  init?(_ gradient: RadialGradient, transform: AffineTransform, opacity: Double) {
    guard let inverse = (transform * gradient.transform).inverted else { return nil }
    self.inverse = inverse
    table = RampTable(gradient.ramp, opacity: opacity)
    focus = gradient.focus
    focusRadius = max(0, gradient.focusRadius)
    axis = gradient.center - gradient.focus
    growth = gradient.radius - focusRadius
    // If the radius does not grow, the parameter is infinite: the first colour inside, the last one outside.
    isConcentric = axis == .zero && growth >= 0
  }

  func shade(x: Int, y: Int, into row: inout MutableSpan<UInt32>) {
    let entries = table.entries
    let words = entries.span
    let start = inverse.apply(Point(x: Double(x) + 0.5, y: Double(y) + 0.5)) - focus
    if isConcentric {
      let inverseGrowth = 1 / growth
      for index in row.indices {
        let px = start.x + inverse.a * Double(index)
        let py = start.y + inverse.b * Double(index)
        row[index] = table.word(((px * px + py * py).squareRoot() - focusRadius) * inverseGrowth, words)
      }
      return
    }
    for index in row.indices {
      let place = Point(x: start.x + inverse.a * Double(index), y: start.y + inverse.b * Double(index))
      if let parameter = parameter(at: place) {
        row[index] = table.word(parameter, words)
      } else {
        row[index] = 0
      }
    }
  }

  /// The largest t for which the circle around t · axis with the non-negative radius fr + t · growth passes through a
  /// point: a·t² - 2b·t + c = 0.
  @inline(__always)
  private func parameter(at place: Point) -> Double? {
    let a = axis.dot(axis) - growth * growth
    let b = place.dot(axis) + focusRadius * growth
    let c = place.dot(place) - focusRadius * focusRadius
    func isValid(_ t: Double) -> Bool { focusRadius + t * growth >= 0 }
    // The circles touch in one point: a is zero except for rounding.
    if abs(a) <= 1e-12 * growth * growth {
      let t = c / (2 * b)
      return t.isFinite && isValid(t) ? t : nil
    }
    let discriminant = b * b - a * c
    guard discriminant >= 0 else { return nil }
    let root = discriminant.squareRoot()
    let first = (b + root) / a
    let second = (b - root) / a
    if isValid(max(first, second)) { return max(first, second) }
    return isValid(min(first, second)) ? min(first, second) : nil
  }
}
