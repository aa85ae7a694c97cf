// Curves as the few lines that scan converters of Skia's kind make of them: pieces that rise or fall, each cut at evenly
// spaced parameters into a power of two of lines, by the distance of the curve from its chord.
//
// Coordinates are on the rasteriser's grid of 1/256 pixel, which is 1/64 of the steps of a quarter pixel that the count
// of lines is reckoned in.

/// Turns curves into lines for coverage that is sampled four by four.
enum SampledFlattener {
  private static let maximumShift = 6

  static func flatten(_ p0: Point, _ p1: Point, _ p2: Point, _ body: (Point) -> Void) {
    let cut = (p0.y - p1.y) / (p0.y - p1.y - p1.y + p2.y)
    guard cut > 0, cut < 1 else {
      flattenMonotone(p0, p1, p2, body)
      return
    }
    let a = p0.interpolated(to: p1, at: cut)
    let b = p1.interpolated(to: p2, at: cut)
    let middle = a.interpolated(to: b, at: cut)
    flattenMonotone(p0, a, middle, body)
    flattenMonotone(middle, b, p2, body)
  }

  private static func flattenMonotone(_ p0: Point, _ p1: Point, _ p2: Point, _ body: (Point) -> Void) {
    let bend = (p1 + p1 - p0 - p2) * 0.25
    let count = 1 << max(1, min(shift(bend.x, bend.y), maximumShift))
    for index in 1..<count {
      let t = Double(index) / Double(count)
      body(p0.interpolated(to: p1, at: t).interpolated(to: p1.interpolated(to: p2, at: t), at: t))
    }
    body(p2)
  }

  static func flatten(_ p0: Point, _ p1: Point, _ p2: Point, _ p3: Point, _ body: (Point) -> Void) {
    // The derivative is 3(a t² + 2 b t + c).
    let a = p3.y - p0.y + 3 * (p1.y - p2.y)
    let b = p0.y - p1.y - p1.y + p2.y
    let c = p1.y - p0.y
    var cuts: [Double] = []
    let discriminant = b * b - a * c
    if abs(a) > 1e-9 {
      if discriminant > 0 {
        let root = discriminant.squareRoot()
        cuts = [(-b - root) / a, (-b + root) / a]
      }
    } else if b != 0 {
      cuts = [-c / (2 * b)]
    }
    var from = 0.0
    var rest = (p0, p1, p2, p3)
    for cut in cuts.filter({ $0 > 0 && $0 < 1 }).sorted() where cut > from {
      let (head, tail) = split(rest, at: (cut - from) / (1 - from))
      flattenMonotone(head, body)
      rest = tail
      from = cut
    }
    flattenMonotone(rest, body)
  }

  private typealias Cubic = (Point, Point, Point, Point)

  private static func split(_ curve: Cubic, at t: Double) -> (Cubic, Cubic) {
    let a = curve.0.interpolated(to: curve.1, at: t)
    let b = curve.1.interpolated(to: curve.2, at: t)
    let c = curve.2.interpolated(to: curve.3, at: t)
    let d = a.interpolated(to: b, at: t)
    let e = b.interpolated(to: c, at: t)
    let middle = d.interpolated(to: e, at: t)
    return ((curve.0, a, d, middle), (middle, e, c, curve.3))
  }

  private static func flattenMonotone(_ curve: Cubic, _ body: (Point) -> Void) {
    func bend(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
      // Distances from the chord at a third and at two thirds.
      max(abs((a * 8 - b * 15 + c * 6 + d) * 19 / 512), abs((a + b * 6 - c * 15 + d * 8) * 19 / 512))
    }
    let dx = bend(curve.0.x, curve.1.x, curve.2.x, curve.3.x)
    let dy = bend(curve.0.y, curve.1.y, curve.2.y, curve.3.y)
    let count = 1 << min(shift(dx, dy) + 1, maximumShift)
    let first = (curve.1 - curve.0) * 3
    let second = (curve.0 - curve.1 - curve.1 + curve.2) * 3
    let third = curve.3 - curve.0 + (curve.1 - curve.2) * 3
    for index in 1..<count {
      let t = Double(index) / Double(count)
      body(curve.0 + (first + (second + third * t) * t) * t)
    }
    body(curve.3)
  }

  /// Half the number of binary digits of the distance in half steps.
  private static func shift(_ dx: Double, _ dy: Double) -> Int {
    let x = abs(dx)
    let y = abs(dy)
    let distance = max(x, y) + min(x, y) / 2
    guard distance < 0x1p40 else { return maximumShift }
    let steps = (Int(distance) + 16) >> 5
    return (Int.bitWidth - steps.leadingZeroBitCount) / 2
  }
}
