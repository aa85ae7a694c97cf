// One side of a stroke's outline, which can be traversed in either direction.

/// A sequence of lines and quadratic curves.
struct StrokeSide {
  /// The start point, then one point per line and two per curve.
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

  /// Extends the last line to a point beyond its end.
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

  /// Appends the lines and curves to a path whose current point is the start.
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

  /// Appends the lines and curves in reverse to a path whose current point is the end.
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
