// The horizontal extent of an outline between two heights, as needed to interrupt lines at the outline.

extension Path {
  /// Returns the smallest and the largest x of the transformed outline within a band of y; `nil` if the outline does not
  /// reach it. Curves are approximated by eight lines.
  package func horizontalExtent(
    in band: ClosedRange<Double>, _ transform: AffineTransform
  ) -> ClosedRange<Double>? {
    var low = Double.infinity
    var high = -Double.infinity
    func add(_ from: Point, _ to: Point) {
      guard max(from.y, to.y) >= band.lowerBound, min(from.y, to.y) <= band.upperBound else { return }
      let slope = from.y == to.y ? 0 : (to.x - from.x) / (to.y - from.y)
      for point in [from, to] {
        let y = min(max(point.y, band.lowerBound), band.upperBound)
        let x = point.x + (y - point.y) * slope
        low = min(low, x)
        high = max(high, x)
      }
    }
    func add(_ curve: CubicCurve) {
      var last = curve.p0
      for step in 1...8 {
        let next = curve.point(at: Double(step) / 8)
        add(last, next)
        last = next
      }
    }
    for segment in transformed(by: transform).segments {
      switch segment {
      case .move: break
      case .line(let from, let to), .close(let from, let to): add(from, to)
      case .quad(let from, let control, let to):
        add(
          CubicCurve(
            from, from.interpolated(to: control, at: 2.0 / 3), to.interpolated(to: control, at: 2.0 / 3), to))
      case .cubic(let from, let control1, let control2, let to): add(CubicCurve(from, control1, control2, to))
      }
    }
    return low <= high ? low...high : nil
  }
}
