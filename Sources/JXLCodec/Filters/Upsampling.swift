// Enlargement of planes by 2, 4 or 8 (ISO/IEC 18181-1, J.4).

internal import ImageCoding

/// Enlarges planes with kernels of 5 × 5 samples, one for each position of an output sample within an input sample.
struct Upsampling: Sendable {
  let factor: Int
  /// 25 weights for each of the positions, row by row.
  private let kernels: [Float]

  /// The number of samples on each side that a kernel reads.
  static let reach = 2

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

  /// The work for an input sample.
  var unitsPerSample: Int { 30 * factor * factor / 4 }

  /// Returns a plane enlarged and cut to a size. The memory of the new plane is charged.
  func enlarge(
    _ plane: [Float], _ size: PixelSize, to target: PixelSize, budget: inout ResourceBudget
  ) throws(CodecError) -> [Float] {
    let (count, overflow) = target.width.multipliedReportingOverflow(by: target.height)
    try budget.allocate(count: overflow ? .max : count, bytesEach: 4)
    let byteCount = UpsamplingRows.byteCount(width: size.width)
    try budget.allocate(byteCount)
    defer { budget.release(byteCount) }
    var output = [Float](repeating: 0, count: count)
    let part = PlanePart(region: PixelRegion(x: 0, y: 0, width: size.width, height: size.height), frame: size)
    var rows = UpsamplingRows(columns: 0..<size.width)
    for y in 0..<size.height {
      try budget.chargeWork(count: size.width, unitsEach: unitsPerSample)
      rows.load(y, plane.span, part)
      for dy in 0..<min(factor, target.height - y * factor) {
        let start = (y * factor + dy) * target.width
        var all = output.mutableSpan
        var row = all._mutatingExtracting(start..<start + target.width)
        enlarge(rows, position: dy, into: &row)
      }
    }
    return output
  }

  /// Calculates an output row.
  ///
  /// - Parameters:
  ///   - dy: the number of the row among those that an input row becomes.
  ///   - output: samples of all columns; those that exceed it are cut off.
  func enlarge(_ rows: UpsamplingRows, position dy: Int, into output: inout MutableSpan<Float>) {
    let samples = rows.samples.span
    let weights = kernels.span
    let stride = rows.stride
    var x = 0
    while x < rows.width, x &* factor < output.count {
      var (low, high) = (loadVector(samples, at: x), loadVector(samples, at: x))
      for ky in 0..<5 {
        for kx in 0..<5 {
          let sample = loadVector(samples, at: ky &* stride &+ x &+ kx)
          low.replace(with: sample, where: sample .< low)
          high.replace(with: sample, where: sample .> high)
        }
      }
      for dx in 0..<factor {
        var sum = FloatVector()
        let kernel = (dy &* factor &+ dx) &* 25
        for ky in 0..<5 {
          for kx in 0..<5 {
            sum += loadVector(samples, at: ky &* stride &+ x &+ kx) * weights[kernel &+ ky &* 5 &+ kx]
          }
        }
        sum.replace(with: low, where: sum .< low)
        sum.replace(with: high, where: sum .> high)
        for lane in 0..<8 {
          let place = (x &+ lane) &* factor &+ dx
          if x &+ lane < rows.width, place < output.count { output[place] = sum[lane] }
        }
      }
      x &+= 8
    }
  }
}

/// The place of a rectangle of samples in its frame.
struct PlanePart: Sendable {
  let region: PixelRegion
  let frame: PixelSize
}

/// Five rows of a tile, with two samples on both sides, which are mirrored at the edges of the frame.
struct UpsamplingRows: Sendable {
  private let left: Int
  let width: Int
  let stride: Int
  private(set) var samples: [Float]

  init(columns: Range<Int>) {
    (left, width, stride) = (columns.lowerBound, columns.count, Self.stride(columns.count))
    samples = [Float](repeating: 0, count: 5 * stride)
  }

  private static func stride(_ width: Int) -> Int { (width + 7) & ~7 + 8 }
  static func byteCount(width: Int) -> Int { 20 * stride(width) }

  /// Copies the rows around a row of the frame.
  ///
  /// - Parameter part: the samples that are given, which are all in reach that are in the frame.
  mutating func load(_ y: Int, _ plane: Span<Float>, _ part: PlanePart) {
    let (frame, region) = (part.frame, part.region)
    let (left, width, stride) = (left, width, stride)
    var output = samples.mutableSpan
    let columns = max(0, left - Upsampling.reach)..<min(frame.width, left + width + Upsampling.reach)
    for index in 0..<5 {
      let row = (mirrored(y + index - Upsampling.reach, frame.height) - region.y) * region.width
      let start = index * stride + Upsampling.reach
      copySamples(
        plane, from: row + columns.lowerBound - region.x, to: &output, at: start + columns.lowerBound - left,
        count: columns.count)
      for x in left - Upsampling.reach..<columns.lowerBound {
        output[start + x - left] = plane[row + mirrored(x, frame.width) - region.x]
      }
      for x in columns.upperBound..<left + width + Upsampling.reach {
        output[start + x - left] = plane[row + mirrored(x, frame.width) - region.x]
      }
    }
  }
}
