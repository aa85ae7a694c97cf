// The geometry of CSS gradients in the box that they fill (CSS Images 4, section 3).

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics

extension CSSGradient {
  /// Returns the gradient as paint in user space; `nil` if the box is empty.
  ///
  /// - Parameters:
  ///   - colors: the colours of the stops; hints have none.
  ///   - rect: the box.
  func paint(_ colors: [Color?], in rect: Rect, _ lengths: LengthContext) -> Paint? {
    guard rect.width > 0, rect.height > 0, rect.isFinite else { return nil }
    let toUser = AffineTransform.translation(x: rect.x, y: rect.y)
    switch shape {
    case .linear(let direction): return linear(direction, colors, rect, lengths, toUser)
    case .radial(let isCircle, let extent, let position):
      let center = position.point(in: rect, lengths)
      return radial(radii(isCircle, extent, center, rect, lengths), center, colors, lengths, toUser)
    case .conic(let angle, let position):
      return conic(angle, position.point(in: rect, lengths), colors, lengths, toUser)
    }
  }

  private func line(_ colors: [Color?], _ lengths: LengthContext, length: Double) -> GradientLine {
    var lengths = lengths
    lengths.viewportWidth = length
    let positions = stops.map { $0.position.map { lengths.resolve($0, .horizontal) } }
    return GradientLine(self, zip(colors, positions).map { ($0, $1) }, length: length)
  }

  private func linear(
    _ direction: Direction, _ colors: [Color?], _ rect: Rect, _ lengths: LengthContext, _ toUser: AffineTransform
  ) -> Paint {
    var vector: Point
    switch direction {
    case .angle(let degrees):
      let radians = degrees * .pi / 180
      vector = Point(x: ElementaryFunctions.sine(radians), y: -ElementaryFunctions.cosine(radians))
    case .toward(let x, let y):
      // The line of the middle colour joins the two corners next to the one that the gradient points to.
      vector = x != 0 && y != 0 ? Point(x: x * rect.height, y: y * rect.width) : Point(x: x, y: y)
      vector = vector * (1 / vector.dot(vector).squareRoot())
    }
    let length = abs(rect.width * vector.x) + abs(rect.height * vector.y)
    let line = line(colors, lengths, length: length)
    let first = Point(x: rect.width / 2, y: rect.height / 2) - vector * (length / 2)
    return .linearGradient(
      LinearGradient(
        line.ramp, start: first + vector * line.start, end: first + vector * line.end, transform: toUser))
  }

  // MARK: Circles and ellipses

  private func radii(
    _ isCircle: Bool, _ extent: Extent, _ center: Point, _ rect: Rect, _ lengths: LengthContext
  ) -> Point {
    let left = abs(center.x)
    let right = abs(rect.width - center.x)
    let top = abs(center.y)
    let bottom = abs(rect.height - center.y)
    func corner(_ x: Double, _ y: Double, sides: Point) -> Point {
      if isCircle {
        let radius = (x * x + y * y).squareRoot()
        return Point(x: radius, y: radius)
      }
      // The ellipse through the corner has the proportions of the one that touches the sides.
      guard sides.x > 0, sides.y > 0 else { return .zero }
      let factor = (x * x / (sides.x * sides.x) + y * y / (sides.y * sides.y)).squareRoot()
      return sides * factor
    }
    func sides(_ x: Double, _ y: Double, _ pick: (Double, Double) -> Double) -> Point {
      isCircle ? Point(x: pick(x, y), y: pick(x, y)) : Point(x: x, y: y)
    }
    switch extent {
    case .closestSide: return sides(min(left, right), min(top, bottom), min)
    case .farthestSide: return sides(max(left, right), max(top, bottom), max)
    case .closestCorner:
      let (x, y) = (min(left, right), min(top, bottom))
      return corner(x, y, sides: Point(x: x, y: y))
    case .farthestCorner:
      let (x, y) = (max(left, right), max(top, bottom))
      return corner(x, y, sides: Point(x: x, y: y))
    case .radii(let x, let y):
      var lengths = lengths
      lengths.viewportWidth = rect.width
      lengths.viewportHeight = rect.height
      return Point(x: lengths.resolve(x, .horizontal), y: lengths.resolve(y, isCircle ? .horizontal : .vertical))
    }
  }

  private func radial(
    _ radii: Point, _ center: Point, _ colors: [Color?], _ lengths: LengthContext, _ toUser: AffineTransform
  ) -> Paint {
    guard radii.x > 0, radii.y > 0, radii.isFinite else {
      return .color(colors.last.flatMap { $0 } ?? .transparent)
    }
    var line = line(colors, lengths, length: radii.x)
    if repeats {
      // A repetition may begin at any ring with a positive radius.
      let period = line.end - line.start
      if line.start < 0 {
        let shift = (-line.start / period).rounded(.up) * period
        line.start += shift
        line.end += shift
      }
    } else {
      line.cut(before: 0)
    }
    let transform =
      toUser * .translation(x: center.x, y: center.y) * .scale(x: 1, y: radii.y / radii.x)
    return .radialGradient(
      RadialGradient(
        line.ramp, center: .zero, radius: line.end, focus: .zero, focusRadius: max(0, line.start),
        transform: transform))
  }

  // MARK: Sweeps

  private func conic(
    _ degrees: Double, _ center: Point, _ colors: [Color?], _ lengths: LengthContext, _ toUser: AffineTransform
  ) -> Paint {
    let turn = 2 * Double.pi
    var line = line(colors, lengths, length: turn)
    if !repeats { line.cut(before: 0) }
    // The gradient begins upwards, the sweep to the right.
    let transform =
      toUser * .translation(x: center.x, y: center.y) * .rotation((degrees - 90) * .pi / 180)
    return .sweepGradient(
      SweepGradient(
        ramp: line.ramp, center: .zero, startAngle: line.start, endAngle: line.end, transform: transform))
  }
}

extension ImagePosition {
  /// Returns the position of a point, relative to the corner of a box.
  fileprivate func point(in box: Rect, _ lengths: LengthContext) -> Point {
    var lengths = lengths
    lengths.viewportWidth = box.width
    lengths.viewportHeight = box.height
    let x = lengths.resolve(self.x.length, .horizontal)
    let y = lengths.resolve(self.y.length, .vertical)
    return Point(x: self.x.isFromEnd ? box.width - x : x, y: self.y.isFromEnd ? box.height - y : y)
  }
}
