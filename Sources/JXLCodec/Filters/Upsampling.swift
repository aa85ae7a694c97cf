// Enlargement of planes by 2, 4 or 8 (ISO/IEC 18181-1, J.4).

internal import ImageCoding

/// Enlarges planes with kernels of 5 × 5 samples, one for each position of an output sample within an input sample.
struct Upsampling {
  private let factor: Int
  /// 25 weights for each of the positions, row by row.
  private let kernels: [Float]

  init(_ factor: Int, _ transform: CustomTransform) {
    self.factor = factor
    let weights: [Float]
    switch factor {
    case 2: weights = transform.upsampling2 ?? UpsamplingWeights.by2
    case 4: weights = transform.upsampling4 ?? UpsamplingWeights.by4
    default: weights = transform.upsampling8 ?? UpsamplingWeights.by8
    }
    // The weights are the upper triangle of a symmetric matrix.
    let size = 5 * factor / 2
    func weight(_ row: Int, _ column: Int) -> Float {
      let (low, high) = (min(row, column), max(row, column))
      return weights[low * size - low * (low - 1) / 2 + high - low]
    }
    var kernels: [Float] = []
    for y in 0..<factor {
      for x in 0..<factor {
        for ky in 0..<5 {
          for kx in 0..<5 {
            // The second half of the positions mirrors the first one.
            let row = y < factor / 2 ? y * 5 + ky : (factor - 1 - y) * 5 + 4 - ky
            let column = x < factor / 2 ? x * 5 + kx : (factor - 1 - x) * 5 + 4 - kx
            kernels.append(weight(row, column))
          }
        }
      }
    }
    self.kernels = kernels
  }

  /// Returns a plane enlarged and cut to a size. The memory of the new plane is charged.
  func enlarge(
    _ plane: [Float], _ size: PixelSize, to target: PixelSize, budget: inout ResourceBudget
  ) throws(CodecError) -> [Float] {
    let (count, overflow) = target.width.multipliedReportingOverflow(by: target.height)
    try budget.allocate(count: overflow ? .max : count, bytesEach: 4)
    var output = [Float](repeating: 0, count: count)
    var window = [Float](repeating: 0, count: 25)
    for y in 0..<size.height {
      try budget.chargeWork(count: size.width * factor, unitsEach: 30 * factor)
      for x in 0..<size.width {
        var (low, high) = (Float.infinity, -Float.infinity)
        for ky in 0..<5 {
          let row = mirrored(y + ky - 2, size.height) * size.width
          for kx in 0..<5 {
            let sample = plane[row + mirrored(x + kx - 2, size.width)]
            window[ky * 5 + kx] = sample
            (low, high) = (min(low, sample), max(high, sample))
          }
        }
        for dy in 0..<min(factor, target.height - y * factor) {
          for dx in 0..<min(factor, target.width - x * factor) {
            var sum: Float = 0
            let kernel = (dy * factor + dx) * 25
            for index in 0..<25 { sum += window[index] * kernels[kernel + index] }
            output[(y * factor + dy) * target.width + x * factor + dx] = min(max(sum, low), high)
          }
        }
      }
    }
    return output
  }
}
