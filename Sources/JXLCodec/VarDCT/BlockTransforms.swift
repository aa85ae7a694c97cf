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
  private static func transformEight(_ matrix: inout MutableSpan<Float>, at x: Int, width: Int) {
    let result = CosineTransform.inverse(
      CosineTransform.Eight(
        a: loadVector(matrix, at: x), b: loadVector(matrix, at: x &+ width), c: loadVector(matrix, at: x &+ 2 &* width),
        d: loadVector(matrix, at: x &+ 3 &* width), e: loadVector(matrix, at: x &+ 4 &* width),
        f: loadVector(matrix, at: x &+ 5 &* width), g: loadVector(matrix, at: x &+ 6 &* width),
        h: loadVector(matrix, at: x &+ 7 &* width)))
    storeVector(result.a, into: &matrix, at: x)
    storeVector(result.b, into: &matrix, at: x &+ width)
    storeVector(result.c, into: &matrix, at: x &+ 2 &* width)
    storeVector(result.d, into: &matrix, at: x &+ 3 &* width)
    storeVector(result.e, into: &matrix, at: x &+ 4 &* width)
    storeVector(result.f, into: &matrix, at: x &+ 5 &* width)
    storeVector(result.g, into: &matrix, at: x &+ 6 &* width)
    storeVector(result.h, into: &matrix, at: x &+ 7 &* width)
  }

  /// Transposes a matrix whose sides are multiples of 8.
  private static func transpose(_ source: Span<Float>, width: Int, height: Int, into target: inout [Float]) {
    var output = target.mutableSpan
    for y in stride(from: 0, to: height, by: 8) {
      for x in stride(from: 0, to: width, by: 8) {
        let start = y &* width &+ x
        let (a, b) = (loadVector(source, at: start), loadVector(source, at: start &+ width))
        let (c, d) = (
          loadVector(source, at: start &+ 2 &* width), loadVector(source, at: start &+ 3 &* width)
        )
        let (e, f) = (
          loadVector(source, at: start &+ 4 &* width), loadVector(source, at: start &+ 5 &* width)
        )
        let (g, h) = (
          loadVector(source, at: start &+ 6 &* width), loadVector(source, at: start &+ 7 &* width)
        )
        for lane in 0..<8 {
          storeVector(
            FloatVector(a[lane], b[lane], c[lane], d[lane], e[lane], f[lane], g[lane], h[lane]), into: &output,
            at: (x &+ lane) &* height &+ y)
        }
      }
    }
  }
}
