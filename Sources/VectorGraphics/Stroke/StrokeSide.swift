// One side of a stroke's outline, which can be gone along in either direction.

/// Lines and quadratic curves one after the other.
struct StrokeSide {
  /// The start, then one point for each line and two for each curve.
  private(set) var points: [Point] = []
  private var isCurve: [Bool] = []

  var isEmpty: Bool { points.isEmpty }
  var start: Point? { points.first }
  var end: Point? { points.last }

  mutating func begin(at point: Point) {
    points.removeAll(keepingCapacity: true)
    isCurve.removeAll(keepingCapacity: true)
    points.append(point)
  }

  mutating func removeAll() {
    points.removeAll(keepingCapacity: true)
    isCurve.removeAll(keepingCapacity: true)
  }

  mutating func line(to point: Point) {
    points.append(point)
    isCurve.append(false)
  }

  /// Makes the last line go on to a point beyond its end.
  mutating func extendLine(to point: Point) {
    if isCurve.last == false {
      points[points.count - 1] = point
    } else {
      line(to: point)
    }
  }

  mutating func quad(to point: Point, control: Point) {
    points.append(control)
    points.append(point)
    isCurve.append(true)
  }

  /// Adds the lines and curves to a path whose current point is the start.
  func append(to path: inout Path) {
    var index = 1
    for isCurve in isCurve {
      if isCurve {
        path.quad(to: points[index + 1], control: points[index])
        index += 2
      } else {
        path.line(to: points[index])
        index += 1
      }
    }
  }

  /// Adds the lines and curves backwards to a path whose current point is the end.
  func appendReversed(to path: inout Path) {
    var index = points.count - 1
    for isCurve in isCurve.reversed() {
      if isCurve {
        path.quad(to: points[index - 2], control: points[index - 1])
        index -= 2
      } else {
        path.line(to: points[index - 1])
        index -= 1
      }
    }
  }
}
