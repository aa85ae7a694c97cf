// Inverse transforms of single blocks other than DCT8 (ISO/IEC 18181-1, I.9.4–I.9.8).

/// Transforms the 64 coefficients of a block, stored in rows, to its samples.
package enum SmallTransforms {
  private typealias Quarter = CosineTransform.Four<SIMD4<Float>>

  /// Transforms a block in place.
  package static func inverse(_ kind: TransformKind, _ block: inout [Float]) {
    let coefficients = Array(block[..<64])
    switch kind {
    case .dct2: inverseDCT2(&block)
    case .hornuss: inverseHornuss(coefficients, &block)
    case .dct4: inverseDCT4(coefficients, &block)
    case .dct4x8: inverseDCT4x8(coefficients, &block, isTransposed: false)
    case .dct8x4: inverseDCT4x8(coefficients, &block, isTransposed: true)
    case .corner0: inverseCorner(coefficients, &block, flipsX: false, flipsY: false)
    case .corner1: inverseCorner(coefficients, &block, flipsX: true, flipsY: false)
    case .corner2: inverseCorner(coefficients, &block, flipsX: false, flipsY: true)
    case .corner3: inverseCorner(coefficients, &block, flipsX: true, flipsY: true)
    default: break
    }
  }

  // MARK: Sums and differences

  /// Combines the coefficients of the corner of `size` × `size` by sums and differences.
  private static func combine(_ block: inout [Float], size: Int) {
    let half = size / 2
    let source = block
    for y in 0..<half {
      for x in 0..<half {
        let (a, b) = (source[8 * y + x], source[8 * y + x + half])
        let (c, d) = (source[8 * (y + half) + x], source[8 * (y + half) + x + half])
        block[16 * y + 2 * x] = a + b + c + d
        block[16 * y + 2 * x + 1] = a + b - c - d
        block[16 * y + 8 + 2 * x] = a - b + c - d
        block[16 * y + 8 + 2 * x + 1] = a - b - c + d
      }
    }
  }

  private static func inverseDCT2(_ block: inout [Float]) {
    combine(&block, size: 2)
    combine(&block, size: 4)
    combine(&block, size: 8)
  }

  private static func inverseHornuss(_ coefficients: [Float], _ block: inout [Float]) {
    var means = coefficients
    combine(&means, size: 2)
    for qy in 0..<2 {
      for qx in 0..<2 {
        func coefficient(_ x: Int, _ y: Int) -> Float { coefficients[8 * (qy + 2 * y) + qx + 2 * x] }
        var sum: Float = 0
        for y in 0..<4 { for x in 0..<4 where x > 0 || y > 0 { sum += coefficient(x, y) } }
        let base = means[8 * qy + qx] - sum / 16
        let start = 32 * qy + 4 * qx
        for y in 0..<4 { for x in 0..<4 { block[start + 8 * y + x] = coefficient(x, y) + base } }
        block[start + 9] = base
        block[start] = coefficient(1, 1) + base
      }
    }
  }

  // MARK: Cosine transforms of parts

  /// The transform of 4 × 4 coefficients, in rows of horizontal frequencies.
  private static func inverse4x4(_ rows: Quarter) -> Quarter {
    transposed(CosineTransform.inverse(transposed(CosineTransform.inverse(rows))))
  }

  private static func transposed(_ x: Quarter) -> Quarter {
    Quarter(
      a: SIMD4(x.a[0], x.b[0], x.c[0], x.d[0]), b: SIMD4(x.a[1], x.b[1], x.c[1], x.d[1]),
      c: SIMD4(x.a[2], x.b[2], x.c[2], x.d[2]), d: SIMD4(x.a[3], x.b[3], x.c[3], x.d[3]))
  }

  private static func store(_ part: Quarter, _ block: inout [Float], at start: Int) {
    for x in 0..<4 {
      block[start + x] = part.a[x]
      block[start + 8 + x] = part.b[x]
      block[start + 16 + x] = part.c[x]
      block[start + 24 + x] = part.d[x]
    }
  }

  /// Four coefficients from a place on, with a distance between them.
  private static func vector(_ values: [Float], _ start: Int, step: Int) -> SIMD4<Float> {
    SIMD4(values[start], values[start + step], values[start + 2 * step], values[start + 3 * step])
  }

  private static func inverseDCT4(_ coefficients: [Float], _ block: inout [Float]) {
    var means = coefficients
    combine(&means, size: 2)
    for qy in 0..<2 {
      for qx in 0..<2 {
        // The coefficients are stored in columns.
        let start = 8 * qy + qx
        var columns = Quarter(
          a: vector(coefficients, start, step: 2), b: vector(coefficients, start + 16, step: 2),
          c: vector(coefficients, start + 32, step: 2), d: vector(coefficients, start + 48, step: 2))
        columns.a[0] = means[8 * qy + qx]
        store(inverse4x4(transposed(columns)), &block, at: 32 * qy + 4 * qx)
      }
    }
  }

  /// The transform of 8 × 4 coefficients, in four rows of horizontal frequencies.
  private static func inverse8x4(_ rows: CosineTransform.Four<FloatVector>) -> CosineTransform.Eight<SIMD4<Float>> {
    let x = CosineTransform.inverse(rows)
    func column(_ lane: Int) -> SIMD4<Float> { SIMD4(x.a[lane], x.b[lane], x.c[lane], x.d[lane]) }
    return CosineTransform.inverse(
      CosineTransform.Eight(
        a: column(0), b: column(1), c: column(2), d: column(3), e: column(4), f: column(5), g: column(6), h: column(7)))
  }

  /// Stores columns of four samples.
  private static func store(
    _ part: CosineTransform.Eight<SIMD4<Float>>, _ block: inout [Float], at start: Int, isTransposed: Bool
  ) {
    for (x, column) in [part.a, part.b, part.c, part.d, part.e, part.f, part.g, part.h].enumerated() {
      for y in 0..<4 { block[start + (isTransposed ? 8 * x + y : 8 * y + x)] = column[y] }
    }
  }

  private static func row(_ values: [Float], _ y: Int) -> FloatVector { loadVector(values.span, at: 8 * y) }

  private static func inverseDCT4x8(_ coefficients: [Float], _ block: inout [Float], isTransposed: Bool) {
    let (sum, difference) = (coefficients[0] + coefficients[8], coefficients[0] - coefficients[8])
    for half in 0..<2 {
      var rows = CosineTransform.Four<FloatVector>(
        a: row(coefficients, half), b: row(coefficients, half + 2), c: row(coefficients, half + 4),
        d: row(coefficients, half + 6))
      rows.a[0] = half == 0 ? sum : difference
      store(inverse8x4(rows), &block, at: half * (isTransposed ? 4 : 32), isTransposed: isTransposed)
    }
  }

  // MARK: Corners

  /// The transform of a corner of 4 × 4 samples with its own basis, and cosine transforms of the rest.
  private static func inverseCorner(_ coefficients: [Float], _ block: inout [Float], flipsX: Bool, flipsY: Bool) {
    let (left, top) = (flipsX ? 4 : 0, flipsY ? 4 : 0)
    var samples = [Float](repeating: 0, count: 16)
    for index in 0..<16 {
      let coefficient =
        index == 0
        ? (coefficients[0] + coefficients[1] + coefficients[8]) * 4
        : coefficients[index / 4 * 16 + index % 4 * 2]
      for sample in 0..<16 { samples[sample] += coefficient * CornerBasis.samples[16 * index + sample] }
    }
    for y in 0..<4 {
      for x in 0..<4 {
        block[8 * (top + y) + left + x] = samples[4 * (flipsY ? 3 - y : y) + (flipsX ? 3 - x : x)]
      }
    }
    // The coefficients of the other square of these rows are stored in columns.
    var columns = Quarter(
      a: vector(coefficients, 1, step: 2), b: vector(coefficients, 17, step: 2),
      c: vector(coefficients, 33, step: 2), d: vector(coefficients, 49, step: 2))
    columns.a[0] = coefficients[0] - coefficients[1] + coefficients[8]
    store(inverse4x4(transposed(columns)), &block, at: 8 * top + 4 - left)
    var rows = CosineTransform.Four<FloatVector>(
      a: row(coefficients, 1), b: row(coefficients, 3), c: row(coefficients, 5), d: row(coefficients, 7))
    rows.a[0] = coefficients[0] - coefficients[8]
    store(inverse8x4(rows), &block, at: 8 * (4 - top), isTransposed: false)
  }
}
