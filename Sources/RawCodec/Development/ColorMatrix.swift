// Matrices of three rows and columns, which convert colours.

/// A matrix that is applied to column vectors.
struct ColorMatrix: Hashable {
  /// The elements, row by row.
  var elements: [Double]

  init(_ elements: [Double]) {
    precondition(elements.count == 9, "a colour matrix has nine elements")
    self.elements = elements
  }

  static let identity = ColorMatrix([1, 0, 0, 0, 1, 0, 0, 0, 1])

  static func diagonal(_ values: [Double]) -> ColorMatrix {
    ColorMatrix([values[0], 0, 0, 0, values[1], 0, 0, 0, values[2]])
  }

  static func * (left: ColorMatrix, right: ColorMatrix) -> ColorMatrix {
    var elements = [Double](repeating: 0, count: 9)
    for row in 0..<3 {
      for column in 0..<3 {
        for index in 0..<3 {
          elements[row * 3 + column] += left.elements[row * 3 + index] * right.elements[index * 3 + column]
        }
      }
    }
    return ColorMatrix(elements)
  }

  static func * (matrix: ColorMatrix, vector: [Double]) -> [Double] {
    (0..<3).map { row in (0..<3).reduce(0) { $0 + matrix.elements[row * 3 + $1] * vector[$1] } }
  }

  /// Returns `self · weight + other · (1 − weight)`.
  func interpolated(with other: ColorMatrix, weight: Double) -> ColorMatrix {
    ColorMatrix(zip(elements, other.elements).map { $0 * weight + $1 * (1 - weight) })
  }

  /// The inverse; `nil` if the matrix is singular.
  var inverse: ColorMatrix? {
    let m = elements
    let cofactors = [
      m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
      m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
      m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
    ]
    let determinant = m[0] * cofactors[0] + m[1] * cofactors[3] + m[2] * cofactors[6]
    guard abs(determinant) > 1e-9, determinant.isFinite else { return nil }
    return ColorMatrix(cofactors.map { $0 / determinant })
  }
}
