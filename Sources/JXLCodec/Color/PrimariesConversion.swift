// Matrices between the primaries of linear RGB spaces.

internal import ImageCoding

/// Matrices of three rows of three coefficients.
enum PrimariesConversion {
  /// Returns the matrix from linear sRGB to the linear light of an encoding; its rows are equal for grey.
  static func fromLinearSRGB(to encoding: ColorEncoding) -> [Double] {
    let identity: [Double] = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    let source = toXYZ(Chromaticities.Point.jxlSRGB, white: .jxlD65)
    guard encoding.model != .gray else {
      let luminance = Array(source[3..<6])
      return luminance + luminance + luminance
    }
    guard let white = encoding.white, encoding.primaries.count == 3, encoding.primariesCodePoint != 1 else {
      return identity
    }
    let adapted = product(adaptation(from: .jxlD65, to: white), source)
    return product(inverse(toXYZ(encoding.primaries, white: white)), adapted)
  }

  static func product(_ a: [Double], _ b: [Double]) -> [Double] {
    var result = [Double](repeating: 0, count: 9)
    for row in 0..<3 {
      for column in 0..<3 {
        var sum = 0.0
        for index in 0..<3 { sum += a[3 * row + index] * b[3 * index + column] }
        result[3 * row + column] = sum
      }
    }
    return result
  }

  static func inverse(_ m: [Double]) -> [Double] {
    func minor(_ a: Int, _ b: Int, _ c: Int, _ d: Int) -> Double { m[a] * m[b] - m[c] * m[d] }
    let cofactors: [Double] = [
      minor(4, 8, 5, 7), minor(2, 7, 1, 8), minor(1, 5, 2, 4), minor(5, 6, 3, 8), minor(0, 8, 2, 6), minor(2, 3, 0, 5),
      minor(3, 7, 4, 6), minor(1, 6, 0, 7), minor(0, 4, 1, 3),
    ]
    let determinant = m[0] * cofactors[0] + m[1] * cofactors[3] + m[2] * cofactors[6]
    return cofactors.map { $0 / determinant }
  }

  private static func xyz(_ point: Chromaticities.Point) -> [Double] {
    [point.x / point.y, 1, (1 - point.x - point.y) / point.y]
  }

  private static func apply(_ m: [Double], _ v: [Double]) -> [Double] {
    (0..<3).map { row -> Double in
      let start = 3 * row
      return m[start] * v[0] + m[start + 1] * v[1] + m[start + 2] * v[2]
    }
  }

  /// The matrix from linear RGB to XYZ.
  static func toXYZ(_ primaries: [Chromaticities.Point], white: Chromaticities.Point) -> [Double] {
    let columns = primaries.map { [$0.x, $0.y, 1 - $0.x - $0.y] }
    let matrix = (0..<9).map { columns[$0 % 3][$0 / 3] }
    let scales = apply(inverse(matrix), xyz(white))
    return (0..<9).map { matrix[$0] * scales[$0 % 3] }
  }

  /// The Bradford adaptation from one white point to another.
  private static func adaptation(from source: Chromaticities.Point, to target: Chromaticities.Point) -> [Double] {
    let bradford: [Double] = [0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296]
    let (from, to) = (apply(bradford, xyz(source)), apply(bradford, xyz(target)))
    let scale: [Double] = [to[0] / from[0], 0, 0, 0, to[1] / from[1], 0, 0, 0, to[2] / from[2]]
    return product(inverse(bradford), product(scale, bradford))
  }
}
