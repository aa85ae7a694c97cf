// Special points of curves that matter for offsetting: inflections, cusps, and curves that are actually straight.

/// Up to three parameters, in ascending order.
struct CurvePlaces {
  private(set) var count = 0
  private var storage = SIMD4<Double>(repeating: 0)

  subscript(index: Int) -> Double { storage[index] }

  /// Inserts a parameter strictly inside 0…1 unless it is already present. There is room for three.
  mutating func insert(_ place: Double) {
    guard place > 0, place < 1, count < 3 else { return }
    var index = count
    while index > 0, storage[index - 1] > place {
      storage[index] = storage[index - 1]
      index -= 1
    }
    if index > 0, storage[index - 1] == place {
      for later in index..<count { storage[later] = storage[later + 1] }
      return
    }
    storage[index] = place
    count += 1
  }

  /// The roots of a·t² + b·t + c.
  static func roots(_ a: Double, _ b: Double, _ c: Double) -> CurvePlaces {
    var places = CurvePlaces()
    guard a != 0 else {
      if b != 0 { places.insert(-c / b) }
      return places
    }
    let discriminant = b * b - 4 * a * c
    guard discriminant >= 0 else { return places }
    // Avoids subtracting nearly equal numbers.
    let q = -(b + (b < 0 ? -1 : 1) * discriminant.squareRoot()) / 2
    places.insert(q / a)
    if q != 0 { places.insert(c / q) }
    return places
  }

  /// The roots of a·t³ + b·t² + c·t + d, found by bisection between the extrema.
  static func roots(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> CurvePlaces {
    func value(_ t: Double) -> Double { ((a * t + b) * t + c) * t + d }
    let extrema = roots(3 * a, 2 * b, c)
    var places = CurvePlaces()
    var low = 0.0
    for index in 0...extrema.count {
      let high = index < extrema.count ? extrema[index] : 1
      let (first, last) = (value(low), value(high))
      if first == 0 { places.insert(low) }
      if last == 0 { places.insert(high) }
      if (first < 0 && last > 0) || (first > 0 && last < 0) {
        var (from, to) = (low, high)
        for _ in 0..<48 {
          let middle = (from + to) / 2
          if (value(middle) < 0) == (first < 0) { from = middle } else { to = middle }
        }
        places.insert((from + to) / 2)
      }
      low = high
    }
    return places
  }
}

extension CubicCurve {
  /// The parameters at which the curvature changes sign: velocity and acceleration are parallel.
  var inflections: CurvePlaces {
    let a = p1 - p0
    let b = p2 - p1 - p1 + p0
    let c = p3 - p0 + (p1 - p2) * 3
    return CurvePlaces.roots(b.cross(c), a.cross(c), a.cross(b))
  }

  /// The parameters of minimal or maximal speed, at which the curve thus turns most: velocity and acceleration are
  /// perpendicular.
  var sharpestTurns: CurvePlaces {
    let a = p1 - p0
    let b = p2 - p1 - p1 + p0
    let c = p3 - p0 + (p1 - p2) * 3
    return CurvePlaces.roots(c.dot(c), 3 * b.dot(c), 2 * b.dot(b) + c.dot(a), a.dot(b))
  }

  /// The parameter of the cusp inside the curve, if there is one.
  var cusp: Double? {
    // If a control point coincides with its end point, the velocity is zero there and nowhere else.
    if p0 == p1 || p2 == p3 { return nil }
    // A cusp requires that both arms of the control polygon cross.
    let first = p1 - p0
    let last = p3 - p2
    if first.cross(p2 - p0) * first.cross(p3 - p0) >= 0 || last.cross(p0 - p2) * last.cross(p1 - p2) >= 0 { return nil }
    let turns = sharpestTurns
    let size = (p1 - p0).squared + (p2 - p1).squared + (p3 - p2).squared
    for index in 0..<turns.count where velocity(at: turns[index]).squared < size * 1e-8 { return turns[index] }
    return nil
  }

  /// Whether all control points are on one line, within a small fraction of the curve's size.
  var isStraight: Bool {
    let points = [p0, p1, p2, p3]
    var widest = -1.0
    var ends = (p0, p3)
    for (index, a) in points.enumerated() {
      for b in points[(index + 1)...] {
        let reach = max(abs(b.x - a.x), abs(b.y - a.y))
        if reach > widest { (widest, ends) = (reach, (a, b)) }
      }
    }
    let slack = widest * widest * 1e-5
    return points.allSatisfy { $0.squaredDistance(fromLine: ends.0, ends.1) <= slack }
  }
}

extension QuadCurve {
  /// The parameter at which the curve turns most.
  var sharpestTurn: Double? {
    let a = p1 - p0
    let b = p0 - p1 - p1 + p2
    let t = -a.dot(b) / b.dot(b)
    return t > 0 && t < 1 ? t : nil
  }

  /// Whether the control point is on a line with both ends, within a small fraction of the curve's size.
  var isStraight: Bool {
    func reach(_ v: Point) -> Double { max(abs(v.x), abs(v.y)) }
    let (a, b, c) = (reach(p1 - p0), reach(p2 - p0), reach(p2 - p1))
    let slack = max(a, b, c) * max(a, b, c) * 5e-6
    if b >= a, b >= c { return p1.squaredDistance(fromLine: p0, p2) <= slack }
    if a >= c { return p2.squaredDistance(fromLine: p0, p1) <= slack }
    return p0.squaredDistance(fromLine: p1, p2) <= slack
  }
}

extension Point {
  /// The squared length.
  @inline(__always)
  var squared: Double { dot(self) }

  /// The squared distance from a line segment; beyond the ends of the segment, from its start.
  func squaredDistance(fromLine start: Point, _ end: Point) -> Double {
    let line = end - start
    let t = line.dot(self - start) / line.squared
    return t >= 0 && t <= 1 ? (self - start.interpolated(to: end, at: t)).squared : (self - start).squared
  }
}
