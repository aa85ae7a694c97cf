// Residuals of samples of 13 to 16 bits, which do not fit 16 bits. No camera writes such pictures: the arithmetic is that of
// the specification, without vectors.

/// Residuals of 32 bits.
package struct WideResiduals {
  /// The residuals of the current block, in raster order.
  package var residuals: [Int32]
  /// Those of luma, for cross-component prediction.
  private var luma: [Int32]
  /// The result of the first stage.
  private var middle: [Int32]
  /// The matrix of the cosine transform of 32 samples, a row for each frequency.
  private let matrix: [Int32]

  /// What pictures of fewer bits have.
  static let none = WideResiduals(count: 0)

  /// Residuals of blocks of up to 32 × 32.
  package init() {
    self.init(count: 1024)
  }

  private init(count: Int) {
    residuals = [Int32](repeating: 0, count: count)
    luma = residuals
    middle = residuals
    matrix = (0..<count).map { Self.factor(row: $0 / 32, column: $0 % 32, size: 32) }
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

  /// `transMatrix` of the sine transform (equation 8-308).
  private static let sine: [Int32] = [29, 55, 74, 84, 74, 74, 0, -74, 84, -29, -74, 55, 55, -84, 74, -29]

  /// Inverts the transform of a block (section 8.6.4.2).
  package mutating func invertTransform(_ coefficients: [Int16], log2Size: Int, isSine: Bool, bitDepth: Int) {
    let size = 1 << log2Size
    let shift = Int64(20 - bitDepth)
    let rowDistance = isSine ? 4 : 32 << (5 - log2Size)
    let factors = isSine ? Self.sine : matrix
    for y in 0..<size {
      for x in 0..<size {
        var sum: Int64 = 64
        for row in 0..<size {
          sum += Int64(factors[row * rowDistance + y]) * Int64(coefficients[row * size + x])
        }
        middle[y * size + x] = Int32(min(max(sum >> 7, -32768), 32767))
      }
    }
    for y in 0..<size {
      for x in 0..<size {
        var sum: Int64 = 1 << (shift - 1)
        for column in 0..<size {
          sum += Int64(factors[column * rowDistance + x]) * Int64(middle[y * size + column])
        }
        residuals[y * size + x] = Int32(clamping: sum >> shift)
      }
    }
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
    let size = 1 << place.log2Size
    let maximum = Int64(1) << Int64(bitDepth) - 1
    for y in 0..<size {
      for x in 0..<size {
        let index = place.index + y * place.stride + x
        let value = Int64(samples[index]) + Int64(residuals[y * size + x])
        samples[index] = UInt16(min(max(value, 0), maximum))
      }
    }
  }
}
