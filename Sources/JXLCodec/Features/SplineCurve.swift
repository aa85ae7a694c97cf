// The samples of a spline along its curve (ISO/IEC 18181-1, K.4.3).

internal import ImageCoding

/// A spline in samples and colours.
struct SplineCurve {
  /// A place on the curve, at a distance of 1 from the next one.
  struct Place {
    var position: SIMD2<Float>
    /// The part of the distance to the next place that the place represents; 1 except for the last one.
    var length: Float
  }

  private let points: [SIMD2<Float>]
  /// The cosine coefficients of X, Y, B and of the width.
  private let coefficients: [[Float]]

  private static let weights: [Float] = [0.0042, 0.075, 0.07, 0.3333]
  private static let stepsPerSegment = 16

  init(_ spline: SplineDictionary.Spline, adjustment: Int32, _ correlation: ColorCorrelation) {
    points = spline.points.map { SIMD2(Float($0.x), Float($0.y)) }
    let adjusted = Float(adjustment)
    let inverse = adjusted >= 0 ? 1 / (1 + adjusted / 8) : 1 - adjusted / 8
    var curves = zip(spline.coefficients, Self.weights).map { curve, weight in
      curve.map { Float($0) * weight * inverse }
    }
    for index in 0..<32 {
      curves[0][index] += correlation.baseX * curves[1][index]
      curves[2][index] += correlation.baseB * curves[1][index]
    }
    coefficients = curves
  }

  /// The greatest length that the curve can have, a bound of the polygon of its points.
  var lengthBound: Float {
    zip(points, points.dropFirst()).reduce(1) { $0 + 2 * Self.distance($1.0, $1.1) }
  }

  /// Whether two consecutive points are equal, for which the curve is not defined.
  var hasRepeatedPoints: Bool { zip(points, points.dropFirst()).contains { $0 == $1 } }

  /// Returns X, Y, B and the width at a fraction of the curve, in 31sts.
  func values(at position: Float) -> SIMD4<Float> {
    var result = SIMD4<Float>()
    for index in 0..<4 {
      var sum: Double = 0
      for frequency in 1..<32 {
        let angle = Double.pi / 32 * Double(frequency) * (Double(position) + 0.5)
        sum += Double(coefficients[index][frequency]) * ElementaryFunctions.cosine(angle)
      }
      result[index] = coefficients[index][0] + Float(2.0.squareRoot() * sum)
    }
    return result
  }

  /// Returns places on the curve at equal distances.
  func places() -> [Place] {
    let line = Self.interpolated(points)
    var result = [Place(position: line[0], length: 1)]
    var current = line[0]
    var next = 0
    while next < line.count {
      var previous = current
      var distance: Float = 0
      while true {
        guard next < line.count else {
          result.append(Place(position: previous, length: distance))
          return result
        }
        let step = Self.distance(line[next], previous)
        if distance + step >= 1 {
          current = previous + (line[next] - previous) * ((1 - distance) / step)
          result.append(Place(position: current, length: 1))
          break
        }
        distance += step
        previous = line[next]
        next += 1
      }
    }
    return result
  }

  private static func distance(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Float {
    let difference = b - a
    return (difference.x * difference.x + difference.y * difference.y).squareRoot()
  }

  /// Returns points of a centripetal Catmull–Rom spline.
  private static func interpolated(_ points: [SIMD2<Float>]) -> [SIMD2<Float>] {
    guard points.count > 1 else { return points }
    let last = points.count - 1
    var extended = [points[0] + (points[0] - points[1])]
    extended += points
    extended.append(points[last] + (points[last] - points[last - 1]))
    var result: [SIMD2<Float>] = []
    for start in 0..<extended.count - 3 {
      let p = Array(extended[start..<start + 4])
      result.append(p[1])
      var times: [Float] = [0]
      for index in 0..<3 { times.append(times[index] + distance(p[index], p[index + 1]).squareRoot()) }
      func mix(_ a: SIMD2<Float>, _ b: SIMD2<Float>, _ from: Float, _ to: Float, _ time: Float) -> SIMD2<Float> {
        a + (b - a) * ((time - from) / (to - from))
      }
      for step in 1..<stepsPerSegment {
        let time = times[1] + Float(step) / Float(stepsPerSegment) * (times[2] - times[1])
        let a = mix(p[0], p[1], times[0], times[1], time)
        let b = mix(p[1], p[2], times[1], times[2], time)
        let c = mix(p[2], p[3], times[2], times[3], time)
        let d = mix(a, b, times[0], times[2], time)
        let e = mix(b, c, times[1], times[3], time)
        result.append(mix(d, e, times[1], times[2], time))
      }
    }
    result.append(points[last])
    return result
  }
}
