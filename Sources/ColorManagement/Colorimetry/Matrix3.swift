// Three-by-three matrices of double-precision numbers.

/// A 3 × 3 matrix, by rows.
struct Matrix3: Hashable, Sendable {
  var rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  init(_ first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
    rows = (first, second, third)
  }

  /// The matrix whose columns are these vectors.
  init(columns first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
    self.init(
      SIMD3(first.x, second.x, third.x), SIMD3(first.y, second.y, third.y), SIMD3(first.z, second.z, third.z))
  }

  init(diagonal: SIMD3<Double>) {
    self.init(SIMD3(diagonal.x, 0, 0), SIMD3(0, diagonal.y, 0), SIMD3(0, 0, diagonal.z))
  }

  static let identity = Matrix3(diagonal: SIMD3(repeating: 1))

  static func == (left: Matrix3, right: Matrix3) -> Bool { left.rows == right.rows }

  func hash(into hasher: inout Hasher) {
    hasher.combine(rows.0)
    hasher.combine(rows.1)
    hasher.combine(rows.2)
  }

  static func * (matrix: Matrix3, vector: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3((matrix.rows.0 * vector).sum(), (matrix.rows.1 * vector).sum(), (matrix.rows.2 * vector).sum())
  }

  static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
    let columns = right.transposed.rows
    return Matrix3(columns: left * columns.0, left * columns.1, left * columns.2)
  }

  var transposed: Matrix3 { Matrix3(columns: rows.0, rows.1, rows.2) }

  /// The inverse; `nil` if the determinant is too close to 0 for a meaningful one.
  var inverse: Matrix3? {
    let (a, b, c) = rows
    let cofactors = Matrix3(columns: Self.cross(b, c), Self.cross(c, a), Self.cross(a, b))
    let determinant = (a * Self.cross(b, c)).sum()
    guard abs(determinant) > 1e-9, determinant.isFinite else { return nil }
    let scale = 1 / determinant
    return Matrix3(cofactors.rows.0 * scale, cofactors.rows.1 * scale, cofactors.rows.2 * scale)
  }

  /// The elements by rows.
  var elements: [Double] { [rows.0, rows.1, rows.2].flatMap { [$0.x, $0.y, $0.z] } }

  /// The largest difference of two corresponding elements.
  func distance(to other: Matrix3) -> Double {
    zip(elements, other.elements).map { abs($0 - $1) }.max() ?? 0
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
