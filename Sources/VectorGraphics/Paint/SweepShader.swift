// Evaluates sweep gradients along rows of pixels, at pixel centres.

private import ImageCore

/// A sweep gradient prepared for drawing.
struct SweepShader: Sendable {
  let table: RampTable
  private let inverse: AffineTransform
  private let center: Point
  private let startAngle: Double
  /// The parameter per radian; `nil` if both angles are equal.
  private let growth: Double?

  /// Returns `nil` if nothing is drawn: the transform is not invertible, or a repeated gradient has no extent.
  init?(_ gradient: SweepGradient, transform: AffineTransform, opacity: Double) {
    guard let inverse = (transform * gradient.transform).inverted, gradient.startAngle.isFinite,
      gradient.endAngle.isFinite
    else { return nil }
    self.inverse = inverse
    center = gradient.center
    startAngle = gradient.startAngle
    let extent = gradient.endAngle - gradient.startAngle
    growth = extent == 0 ? nil : 1 / extent
    guard extent != 0 || gradient.ramp.spread == .pad else { return nil }
    table = RampTable(gradient.ramp, opacity: opacity)
  }

  func shade(x: Int, y: Int, into row: inout MutableSpan<UInt32>) {
    let entries = table.entries
    let words = entries.span
    let start = inverse.apply(Point(x: Double(x) + 0.5, y: Double(y) + 0.5)) - center
    for index in row.indices {
      let place = Point(x: start.x + inverse.a * Double(index), y: start.y + inverse.b * Double(index))
      // 0…2π.
      let angle = ElementaryFunctions.angle(x: place.x, y: place.y)
      let distance = (angle < 0 ? angle + 2 * .pi : angle) - startAngle
      row[index] = table.word(growth.map { distance * $0 } ?? (distance < 0 ? -1 : 2), words)
    }
  }
}
