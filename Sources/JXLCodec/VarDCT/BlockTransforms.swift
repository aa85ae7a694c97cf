// Inverse cosine transforms of varblocks (ISO/IEC 18181-1, I.9.3).

internal import ImageCoding

/// The two-dimensional transforms of 8 × 8 to 256 × 256 samples, and the memory that they use.
package struct BlockTransforms {
  private typealias Rows = CosineTransform.Eight<FloatVector>

  /// The samples between both dimensions.
  private var halfway: [Float]
  private var vectors = [FloatVector](repeating: FloatVector(), count: 256)
  private var scratchVectors = [FloatVector](repeating: FloatVector(), count: 256)

  /// - Parameter area: the greatest number of samples of a varblock.
  package init(area: Int) {
    halfway = [Float](repeating: 0, count: area)
  }

  /// Transforms coefficients to samples.
  ///
  /// - Parameters:
  ///   - values: the coefficients as they are stored: if there are fewer rows than columns, the rows of vertical
  ///     frequencies one after the other, otherwise the columns.
  ///   - start: the index of the first sample; rows are `stride` apart.
  package mutating func inverse(
    _ values: Span<Float>, rows: Int, columns: Int, into samples: inout MutableSpan<Float>, at start: Int, stride: Int
  ) {
    if rows == 8, columns == 8 {
      let transformed = CosineTransform.inverse(Self.load(values, at: 0, stride: 8))
      let result = CosineTransform.inverse(Self.transposed(transformed))
      return Self.store(result, into: &samples, at: start, stride: stride)
    }
    let isWide = rows < columns
    let (width, length) = isWide ? (columns, rows) : (rows, columns)
    // Moved out while in use, so that nothing is copied.
    var other = halfway
    halfway = []
    defer { halfway = other }
    var target = other.mutableSpan
    transformColumns(values, width: width, length: length, transposes: true, into: &target, at: 0, stride: length)
    transformColumns(
      other.span, width: length, length: width, transposes: isWide, into: &samples, at: start, stride: stride)
  }

  /// Transforms each column of a matrix, which becomes a row on request.
  private mutating func transformColumns(
    _ matrix: Span<Float>, width: Int, length: Int, transposes: Bool, into target: inout MutableSpan<Float>,
    at start: Int, stride: Int
  ) {
    @inline(__always)
    func store(_ rows: Rows, x: Int, y: Int, _ target: inout MutableSpan<Float>) {
      if transposes {
        Self.store(Self.transposed(rows), into: &target, at: start &+ x &* stride &+ y, stride: stride)
      } else {
        Self.store(rows, into: &target, at: start &+ y &* stride &+ x, stride: stride)
      }
    }
    if length == 8 {
      for x in Swift.stride(from: 0, to: width, by: 8) {
        store(CosineTransform.inverse(Self.load(matrix, at: x, stride: width)), x: x, y: 0, &target)
      }
      return
    }
    if length == 16 {
      for x in Swift.stride(from: 0, to: width, by: 8) {
        let result = CosineTransform.inverse(
          even: Self.load(matrix, at: x, stride: 2 &* width),
          odd: Self.load(matrix, at: x &+ width, stride: 2 &* width))
        store(result.first, x: x, y: 0, &target)
        let last = result.reversed
        store(
          Rows(a: last.h, b: last.g, c: last.f, d: last.e, e: last.d, f: last.c, g: last.b, h: last.a), x: x, y: 8,
          &target)
      }
      return
    }
    let table = CosineTransform.oddFactors
    let factors = table.span
    var (firstVectors, secondVectors) = (vectors, scratchVectors)
    (vectors, scratchVectors) = ([], [])
    defer { (vectors, scratchVectors) = (firstVectors, secondVectors) }
    var line = firstVectors.mutableSpan
    var scratch = secondVectors.mutableSpan
    for x in Swift.stride(from: 0, to: width, by: 8) {
      for y in 0..<length { line[y] = loadVector(matrix, at: y &* width &+ x) }
      CosineTransform.inverse(&line, &scratch, at: 0, length: length, factors)
      for y in Swift.stride(from: 0, to: length, by: 8) {
        store(
          Rows(
            a: line[y], b: line[y &+ 1], c: line[y &+ 2], d: line[y &+ 3], e: line[y &+ 4], f: line[y &+ 5],
            g: line[y &+ 6], h: line[y &+ 7]), x: x, y: y, &target)
      }
    }
  }

  @inline(__always)
  private static func load(_ matrix: Span<Float>, at start: Int, stride: Int) -> Rows {
    Rows(
      a: loadVector(matrix, at: start), b: loadVector(matrix, at: start &+ stride),
      c: loadVector(matrix, at: start &+ 2 &* stride), d: loadVector(matrix, at: start &+ 3 &* stride),
      e: loadVector(matrix, at: start &+ 4 &* stride), f: loadVector(matrix, at: start &+ 5 &* stride),
      g: loadVector(matrix, at: start &+ 6 &* stride), h: loadVector(matrix, at: start &+ 7 &* stride))
  }

  @inline(__always)
  private static func store(_ vectors: Rows, into matrix: inout MutableSpan<Float>, at start: Int, stride: Int) {
    storeVector(vectors.a, into: &matrix, at: start)
    storeVector(vectors.b, into: &matrix, at: start &+ stride)
    storeVector(vectors.c, into: &matrix, at: start &+ 2 &* stride)
    storeVector(vectors.d, into: &matrix, at: start &+ 3 &* stride)
    storeVector(vectors.e, into: &matrix, at: start &+ 4 &* stride)
    storeVector(vectors.f, into: &matrix, at: start &+ 5 &* stride)
    storeVector(vectors.g, into: &matrix, at: start &+ 6 &* stride)
    storeVector(vectors.h, into: &matrix, at: start &+ 7 &* stride)
  }

  /// Transposes a matrix of 8 × 8 samples.
  @inline(__always)
  private static func transposed(_ rows: Rows) -> Rows {
    let left = transposeFour(rows.a.lowHalf, rows.b.lowHalf, rows.c.lowHalf, rows.d.lowHalf)
    let leftBelow = transposeFour(rows.e.lowHalf, rows.f.lowHalf, rows.g.lowHalf, rows.h.lowHalf)
    let right = transposeFour(rows.a.highHalf, rows.b.highHalf, rows.c.highHalf, rows.d.highHalf)
    let rightBelow = transposeFour(rows.e.highHalf, rows.f.highHalf, rows.g.highHalf, rows.h.highHalf)
    return Rows(
      a: FloatVector(lowHalf: left.a, highHalf: leftBelow.a), b: FloatVector(lowHalf: left.b, highHalf: leftBelow.b),
      c: FloatVector(lowHalf: left.c, highHalf: leftBelow.c), d: FloatVector(lowHalf: left.d, highHalf: leftBelow.d),
      e: FloatVector(lowHalf: right.a, highHalf: rightBelow.a),
      f: FloatVector(lowHalf: right.b, highHalf: rightBelow.b),
      g: FloatVector(lowHalf: right.c, highHalf: rightBelow.c),
      h: FloatVector(lowHalf: right.d, highHalf: rightBelow.d))
  }

  private typealias Quarter = CosineTransform.Four<SIMD4<Float>>

  @inline(__always)
  private static func transposeFour(
    _ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>
  ) -> Quarter {
    let (low0, low1) = (SIMD4(a[0], b[0], a[1], b[1]), SIMD4(c[0], d[0], c[1], d[1]))
    let (high0, high1) = (SIMD4(a[2], b[2], a[3], b[3]), SIMD4(c[2], d[2], c[3], d[3]))
    return Quarter(
      a: SIMD4(low0[0], low0[1], low1[0], low1[1]), b: SIMD4(low0[2], low0[3], low1[2], low1[3]),
      c: SIMD4(high0[0], high0[1], high1[0], high1[1]), d: SIMD4(high0[2], high0[3], high1[2], high1[3]))
  }
}
