// Residuals of samples of 13 to 16 bits, which do not fit 16 bits. No camera writes such pictures.

/// Residuals of 32 bits.
package struct WideResiduals {
  /// The residuals of the current block, in raster order.
  package var residuals: [Int32]
  /// Those of luma, for cross-component prediction.
  private var luma: [Int32]
  /// The factors of the cosine transforms of 8, 16 and 32 samples, two of them in each number.
  private let factorPairs: [[Int32]]

  /// No memory, for pictures of fewer bits.
  static let none = WideResiduals(count: 0)

  /// Residuals of blocks of up to 32 × 32.
  package init() {
    self.init(count: 1024)
  }

  private init(count: Int) {
    residuals = [Int32](repeating: 0, count: count)
    luma = [Int32](repeating: 0, count: count)
    factorPairs = count == 0 ? [] : Self.allFactorPairs
  }

  private static let allFactorPairs: [[Int32]] = [8, 16, 32].map { size in
    (0..<size * size / 2).map { index in
      let (column, row) = (index / (size / 2), index % (size / 2) * 2)
      let second = factor(row: row + 1, column: column, size: size)
      return factor(row: row, column: column, size: size) & 0xFFFF | second << 16
    }
  }

  /// An element of the matrix of a size: the even rows are those of half the size, the left half mirrored.
  private static func factor(row: Int, column: Int, size: Int) -> Int32 {
    var (row, column, size, sign) = (row, column, size, Int32(1))
    while row > 0 {
      let isMirrored = column >= size / 2
      if isMirrored { column = size - 1 - column }
      if row % 2 == 1 {
        if isMirrored { sign = -1 }
        // A transform of two has the factors 64 and −64.
        if size == 2 { return sign * 64 }
        let table = size == 4 ? 0 : size == 8 ? 8 : size == 16 ? 16 : 48
        let pair = oddTransformPairs[table + column * (size / 4) + row / 4]
        return sign * (row % 4 == 1 ? Int32(Int16(truncatingIfNeeded: pair)) : pair >> 16)
      }
      row /= 2
      size /= 2
    }
    return 64
  }

  /// `transMatrix` of the sine transform (equation 8-308), and that of the cosine transform of four samples.
  private static let sine: [Int32] = [29, 55, 74, 84, 74, 74, 0, -74, 84, -29, -74, 55, 55, -84, 74, -29]
  private static let cosine: [Int32] = [64, 64, 64, 64, 83, 36, -36, -83, 64, -64, -64, 64, 36, -83, 83, -36]

  /// Inverts the transform of a block (section 8.6.4.2).
  ///
  /// - Parameters:
  ///   - scratch: working memory of ``transformScratchCount`` samples.
  ///   - columnCount, rowCount: multiples of 4; outside of these all coefficients are zero.
  package mutating func invertTransform(
    _ coefficients: [Int16], _ scratch: inout [Int16], log2Size: Int, columnCount: Int, rowCount: Int, isSine: Bool,
    bitDepth: Int
  ) {
    guard log2Size > 2 else {
      return invertSmallTransform(coefficients, isSine ? Self.sine : Self.cosine, bitDepth: bitDepth)
    }
    let pairs = factorPairs[log2Size - 3]
    var target = residuals.mutableSpan
    var scratch = scratch.mutableSpan
    invertWideTransform(
      coefficients.span, &scratch, into: &target, factorPairs: pairs.span, log2Size: log2Size,
      columnCount: columnCount, rowCount: rowCount, bitDepth: bitDepth)
  }

  private mutating func invertSmallTransform(_ coefficients: [Int16], _ factors: [Int32], bitDepth: Int) {
    let (source, factors) = (coefficients.span, factors.span)
    var target = residuals.mutableSpan
    var middle = InlineArray<16, Int32>(repeating: 0)
    for y in 0..<4 {
      for x in 0..<4 {
        var sum: Int32 = 64
        for row in 0..<4 { sum &+= factors[row &* 4 &+ y] &* Int32(source[row &* 4 &+ x]) }
        middle[y &* 4 &+ x] = min(max(sum &>> 7, -32768), 32767)
      }
    }
    let shift = Int32(truncatingIfNeeded: 20 - bitDepth)
    for y in 0..<4 {
      for x in 0..<4 {
        var sum: Int32 = 1 &<< (shift &- 1)
        for column in 0..<4 { sum &+= factors[column &* 4 &+ x] &* middle[y &* 4 &+ column] }
        target[y &* 4 &+ x] = sum &>> shift
      }
    }
  }

  /// Sets all residuals of a block that has its first coefficient only.
  mutating func setConstant(_ coefficient: Int16, log2Size: Int, bitDepth: Int) {
    let middle = (Int32(coefficient) &* 64 &+ 64) &>> 7
    let shift = Int32(truncatingIfNeeded: 20 - bitDepth)
    let value = (middle &* 64 &+ 1 &<< (shift &- 1)) &>> shift
    var target = residuals.mutableSpan
    for index in 0..<1 &<< (2 &* log2Size) { target[index] = value }
  }

  mutating func clear(log2Size: Int) {
    for index in 0..<1 << (2 * log2Size) { residuals[index] = 0 }
  }

  mutating func keepLuma(log2Size: Int) {
    for index in 0..<1 << (2 * log2Size) { luma[index] = residuals[index] }
  }

  /// Adds eighths of luma's residuals (section 8.6.6).
  mutating func addLuma(scale: Int, log2Size: Int) {
    for index in 0..<1 << (2 * log2Size) {
      residuals[index] = Int32(clamping: Int64(residuals[index]) + (Int64(scale) * Int64(luma[index])) >> 3)
    }
  }

  /// Adds the residuals to the prediction of a block.
  func add(to samples: inout [UInt16], _ place: SamplePlace, bitDepth: Int) {
    let size = 1 &<< place.log2Size
    let maximum = 1 &<< Int32(truncatingIfNeeded: bitDepth) &- 1 as Int32
    let source = residuals.span
    var target = samples.mutableSpan
    for y in 0..<size {
      let line = source.extracting(y &* size..<(y &+ 1) &* size)
      let start = place.index + y * place.stride
      var row = target._mutatingExtracting(start..<start + size)
      for x in line.indices {
        row[x] = UInt16(truncatingIfNeeded: min(max(Int32(row[x]) &+ line[x], 0), maximum))
      }
    }
  }
}
