// Circular arcs as quadratic curves: each quarter is divided into a power of two of equal pieces.

/// The centre of arcs and their precision.
struct StrokeArc {
  let center: Point
  /// The maximum deviation of the curves from the circle, by Floater's estimate for conic sections.
  let tolerance: Double

  /// Adds a semicircle starting at a spoke, turning from the x axis towards the y axis.
  func addHalf(from spoke: Point, to path: inout Path) {
    addQuadrants(2, from: spoke, turn: 1) { control, end in path.quad(to: end, control: control) }
  }

  /// Adds the shorter arc between two spokes of equal length.
  ///
  /// - Parameter turn: 1 for a turn from the x axis towards the y axis, -1 for the opposite direction.
  func addArc(from first: Point, to last: Point, turn: Double, to side: inout StrokeSide) {
    var spoke = first
    let squared = first.squared
    // At most a semicircle.
    if first.dot(last) <= 0 {
      addQuadrants(1, from: spoke, turn: turn) { control, end in side.quad(to: end, control: control) }
      spoke = first.perpendicular * turn
    }
    let cosine = spoke.dot(last) / squared
    if cosine > 1 - 1e-9 { return }
    addPieces(from: spoke, to: last, halvings: halvings(cosine: cosine, radius: squared.squareRoot())) { control, end in
      side.quad(to: end, control: control)
    }
  }

  private func addQuadrants(_ count: Int, from first: Point, turn: Double, _ body: (Point, Point) -> Void) {
    let halvings = halvings(cosine: 0, radius: first.length)
    var spoke = first
    for _ in 0..<count {
      let next = spoke.perpendicular * turn
      addPieces(from: spoke, to: next, halvings: halvings, body)
      spoke = next
    }
  }

  /// The number of times to halve an arc of up to a quarter circle; at least one.
  private func halvings(cosine: Double, radius: Double) -> Int {
    let half = ((1 + cosine) / 2).squareRoot()
    var error = radius * (1 - half) * (1 - half) / (2 * half)
    var count = 0
    while error > tolerance, count < 5 {
      error /= 4
      count += 1
    }
    return max(1, count)
  }

  private func addPieces(from first: Point, to last: Point, halvings: Int, _ body: (Point, Point) -> Void) {
    let squared = first.squared
    let sum = first + last
    if halvings == 0 {
      // The intersection of the tangents at both spokes.
      body(center + sum * (squared / (squared + first.dot(last))), center + last)
      return
    }
    let middle = sum * (squared / sum.squared).squareRoot()
    addPieces(from: first, to: middle, halvings: halvings - 1, body)
    addPieces(from: middle, to: last, halvings: halvings - 1, body)
  }
}
