// Inverse cosine transforms of varblocks (ISO/IEC 18181-1, I.9.3).

internal import ImageCoding

/// The two-dimensional transforms of 8 × 8 to 256 × 256 samples, and the memory that they use.
package struct BlockTransforms {
  /// The coefficients or samples between both dimensions.
  private var transposed: [Float]
  private var vectors = [FloatVector](repeating: FloatVector(), count: 256)
  private var scratchVectors = [FloatVector](repeating: FloatVector(), count: 256)

  /// - Parameter area: the greatest number of samples of a varblock.
  package init(area: Int) {
    transposed = [Float](repeating: 0, count: area)
  }

  /// Transforms coefficients to samples in place.
  ///
  /// - Parameter values: the coefficients as they are stored: if there are fewer rows than columns, the rows of vertical
  ///   frequencies one after the other, otherwise the columns. The samples are stored row by row.
  package mutating func inverse(_ values: inout [Float], rows: Int, columns: Int) {
    // Moved out while in use, so that nothing is copied.
    var other = transposed
    transposed = []
    if rows < columns {
      transformColumns(&values, width: columns, length: rows)
      Self.transpose(values.span, width: columns, height: rows, into: &other)
      transformColumns(&other, width: rows, length: columns)
      Self.transpose(other.span, width: rows, height: columns, into: &values)
    } else {
      transformColumns(&values, width: rows, length: columns)
      Self.transpose(values.span, width: rows, height: columns, into: &other)
      transformColumns(&other, width: columns, length: rows)
      swap(&values, &other)
    }
    transposed = other
  }

  /// Transforms each column of a matrix.
  private mutating func transformColumns(_ values: inout [Float], width: Int, length: Int) {
    var matrix = values.mutableSpan
    if length == 8 {
      for x in stride(from: 0, to: width, by: 8) { Self.transformEight(&matrix, at: x, width: width) }
      return
    }
    if length == 16 {
      for x in stride(from: 0, to: width, by: 8) { Self.transformSixteen(&matrix, at: x, width: width) }
      return
    }
    let table = CosineTransform.oddFactors
    let factors = table.span
    var (firstVectors, secondVectors) = (vectors, scratchVectors)
    (vectors, scratchVectors) = ([], [])
    defer { (vectors, scratchVectors) = (firstVectors, secondVectors) }
    var line = firstVectors.mutableSpan
    var scratch = secondVectors.mutableSpan
    for x in stride(from: 0, to: width, by: 8) {
      for y in 0..<length { line[y] = loadVector(matrix, at: y &* width &+ x) }
      CosineTransform.inverse(&line, &scratch, at: 0, length: length, factors)
      for y in 0..<length { storeVector(line[y], into: &matrix, at: y &* width &+ x) }
    }
  }

  @inline(__always)
  private static func transformSixteen(_ matrix: inout MutableSpan<Float>, at x: Int, width: Int) {
    let result = CosineTransform.inverse(
      even: loadEight(matrix, at: x, stride: 2 &* width), odd: loadEight(matrix, at: x &+ width, stride: 2 &* width))
    storeEight(result.first, into: &matrix, at: x, stride: width)
    // The second half is stored from its end on.
    storeEight(result.reversed, into: &matrix, at: x &+ 15 &* width, stride: 0 &- width)
  }

  @inline(__always)
  private static func loadEight(
    _ matrix: borrowing MutableSpan<Float>, at start: Int, stride: Int
  ) -> CosineTransform.Eight<FloatVector> {
    CosineTransform.Eight(
      a: loadVector(matrix, at: start), b: loadVector(matrix, at: start &+ stride),
      c: loadVector(matrix, at: start &+ 2 &* stride), d: loadVector(matrix, at: start &+ 3 &* stride),
      e: loadVector(matrix, at: start &+ 4 &* stride), f: loadVector(matrix, at: start &+ 5 &* stride),
      g: loadVector(matrix, at: start &+ 6 &* stride), h: loadVector(matrix, at: start &+ 7 &* stride))
  }

  @inline(__always)
  private static func storeEight(
    _ vectors: CosineTransform.Eight<FloatVector>, into matrix: inout MutableSpan<Float>, at start: Int, stride: Int
  ) {
    storeVector(vectors.a, into: &matrix, at: start)
    storeVector(vectors.b, into: &matrix, at: start &+ stride)
    storeVector(vectors.c, into: &matrix, at: start &+ 2 &* stride)
    storeVector(vectors.d, into: &matrix, at: start &+ 3 &* stride)
    storeVector(vectors.e, into: &matrix, at: start &+ 4 &* stride)
    storeVector(vectors.f, into: &matrix, at: start &+ 5 &* stride)
    storeVector(vectors.g, into: &matrix, at: start &+ 6 &* stride)
    storeVector(vectors.h, into: &matrix, at: start &+ 7 &* stride)
  }

  @inline(__always)
  private static func transformEight(_ matrix: inout MutableSpan<Float>, at x: Int, width: Int) {
    let result = CosineTransform.inverse(loadEight(matrix, at: x, stride: width))
    storeEight(result, into: &matrix, at: x, stride: width)
  }

  /// Transposes a matrix whose sides are multiples of 8.
  private static func transpose(_ source: Span<Float>, width: Int, height: Int, into target: inout [Float]) {
    var output = target.mutableSpan
    for y in stride(from: 0, to: height, by: 8) {
      for x in stride(from: 0, to: width, by: 8) {
        let start = y &* width &+ x
        let rows = CosineTransform.Eight(
          a: loadVector(source, at: start), b: loadVector(source, at: start &+ width),
          c: loadVector(source, at: start &+ 2 &* width), d: loadVector(source, at: start &+ 3 &* width),
          e: loadVector(source, at: start &+ 4 &* width), f: loadVector(source, at: start &+ 5 &* width),
          g: loadVector(source, at: start &+ 6 &* width), h: loadVector(source, at: start &+ 7 &* width))
        let place = x &* height &+ y
        let left = Self.transposeFour(rows.a.lowHalf, rows.b.lowHalf, rows.c.lowHalf, rows.d.lowHalf)
        let leftBelow = Self.transposeFour(rows.e.lowHalf, rows.f.lowHalf, rows.g.lowHalf, rows.h.lowHalf)
        Self.store(left, leftBelow, into: &output, at: place, height)
        let right = Self.transposeFour(rows.a.highHalf, rows.b.highHalf, rows.c.highHalf, rows.d.highHalf)
        let rightBelow = Self.transposeFour(rows.e.highHalf, rows.f.highHalf, rows.g.highHalf, rows.h.highHalf)
        Self.store(right, rightBelow, into: &output, at: place &+ 4 &* height, height)
      }
    }
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

  /// Stores four rows, each of two halves.
  @inline(__always)
  private static func store(
    _ low: Quarter, _ high: Quarter, into output: inout MutableSpan<Float>, at start: Int, _ stride: Int
  ) {
    storeVector(FloatVector(lowHalf: low.a, highHalf: high.a), into: &output, at: start)
    storeVector(FloatVector(lowHalf: low.b, highHalf: high.b), into: &output, at: start &+ stride)
    storeVector(FloatVector(lowHalf: low.c, highHalf: high.c), into: &output, at: start &+ 2 &* stride)
    storeVector(FloatVector(lowHalf: low.d, highHalf: high.d), into: &output, at: start &+ 3 &* stride)
  }
}
