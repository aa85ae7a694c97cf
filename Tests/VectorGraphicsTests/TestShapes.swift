// Random shapes and the slow, obvious computations that drawing is held against.

import TestSupport
import VectorGraphics

extension TestRandom {
  mutating func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &self) }
  mutating func point(_ range: ClosedRange<Double>) -> Point { Point(x: number(range), y: number(range)) }
}

/// Closed polygons, for which area and winding are computed directly.
struct Polygons {
  var contours: [[Point]]

  var path: Path {
    var path = Path()
    for contour in contours {
      for (index, point) in contour.enumerated() {
        if index == 0 { path.move(to: point) } else { path.line(to: point) }
      }
      path.close()
    }
    return path
  }

  func winding(at place: Point) -> Int {
    var winding = 0
    for contour in contours {
      for (index, a) in contour.enumerated() {
        let b = contour[(index + 1) % contour.count]
        if (a.y <= place.y) == (b.y <= place.y) { continue }
        let x = a.x + (place.y - a.y) * (b.x - a.x) / (b.y - a.y)
        if x < place.x { winding += a.y < b.y ? 1 : -1 }
      }
    }
    return winding
  }

  /// The signed area of the polygons within a pixel: each one is cut at the pixel's four borders.
  func signedArea(inPixel x: Int, _ y: Int) -> Double {
    contours.reduce(0) { sum, contour in
      var points = contour
      points = cut(points) { $0.x - Double(x) }
      points = cut(points) { Double(x + 1) - $0.x }
      points = cut(points) { $0.y - Double(y) }
      points = cut(points) { Double(y + 1) - $0.y }
      var area = 0.0
      for (index, a) in points.enumerated() { area += a.cross(points[(index + 1) % points.count]) / 2 }
      return sum + area
    }
  }

  /// Sutherland and Hodgman: the part of a polygon where `distance` is not negative.
  private func cut(_ points: [Point], _ distance: (Point) -> Double) -> [Point] {
    var result: [Point] = []
    for (index, a) in points.enumerated() {
      let b = points[(index + 1) % points.count]
      let (da, db) = (distance(a), distance(b))
      if da >= 0 { result.append(a) }
      if (da >= 0) != (db >= 0) { result.append(a.interpolated(to: b, at: da / (da - db))) }
    }
    return result
  }
}

/// The share of a pixel's sample points that are inside.
func supersampled(_ x: Int, _ y: Int, count: Int = 16, _ isInside: (Point) -> Bool) -> Double {
  var inside = 0
  for row in 0..<count {
    for column in 0..<count {
      let place = Point(
        x: Double(x) + (Double(column) + 0.5) / Double(count), y: Double(y) + (Double(row) + 0.5) / Double(count))
      if isInside(place) { inside += 1 }
    }
  }
  return Double(inside) / Double(count * count)
}

/// The distance of a place from a line between two points.
func distance(_ place: Point, _ a: Point, _ b: Point) -> Double {
  let line = b - a
  let squared = line.dot(line)
  let t = squared > 0 ? min(max((place - a).dot(line) / squared, 0), 1) : 0
  return (place - a.interpolated(to: b, at: t)).length
}

/// The coverage of a path, drawn into a mask of these bounds.
func coverage(
  _ path: Path, transform: AffineTransform = .identity, fill: Fill = Fill(), _ bounds: PixelRect
) throws -> Mask {
  var canvas = try Canvas(bounds: .empty)
  return try canvas.makeMask(path, transform: transform, fill: fill, bounds: bounds)
}
