// Noise that replaces the grain that coding removes (ISO/IEC 18181-1, K.5).

internal import ImageCoding

/// Adds noise to the colours of a frame in XYB.
struct NoiseStage: RowStage {
  private let parameters: NoiseParameters
  /// Three planes of filtered random numbers.
  private let noise: RenderedFrame
  /// The correlation of X and of B with Y.
  private let correlations: (x: Float, b: Float)

  /// Generates the noise of a frame, whose memory is charged.
  ///
  /// - Parameters:
  ///   - groupSize: the size of the groups, each of which has its own generators.
  ///   - frame: the numbers of shown frames so far and of frames since the last one.
  init(
    _ parameters: NoiseParameters, size: PixelSize, groupSize: Int, frame: (visible: UInt32, invisible: UInt32),
    correlations: (x: Float, b: Float), budget: inout ResourceBudget
  ) throws(CodecError) {
    (self.parameters, self.correlations) = (parameters, correlations)
    var noise = try RenderedFrame(size, planeCount: 3, budget: &budget)
    for y in stride(from: 0, to: size.height, by: groupSize) {
      for x in stride(from: 0, to: size.width, by: groupSize) {
        try Self.fillGroup(&noise, x, y, groupSize, frame, &budget)
      }
    }
    try budget.allocate(count: size.width * size.height, bytesEach: 4)
    for plane in 0..<3 { noise.planes[plane] = try Self.filtered(noise.planes[plane], size, &budget) }
    budget.release(size.width * size.height * 4)
    self.noise = noise
  }

  var byteCount: Int { noise.byteCount }

  private static func fillGroup(
    _ noise: inout RenderedFrame, _ x: Int, _ y: Int, _ groupSize: Int, _ frame: (visible: UInt32, invisible: UInt32),
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    var generator = NoiseGenerator(frame: frame, x: x, y: y)
    let columns = x..<min(x + groupSize, noise.width)
    for plane in 0..<3 {
      for row in y..<min(y + groupSize, noise.height) {
        try budget.chargeWork(count: columns.count, unitsEach: 4)
        noise.withRow(plane, row) { samples in
          var part = samples._mutatingExtracting(columns)
          generator.fill(&part)
        }
      }
    }
  }

  /// Subtracts the average of 5 × 5 numbers, times four.
  private static func filtered(
    _ plane: [Float], _ size: PixelSize, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [Float] {
    var output = [Float](repeating: 0, count: plane.count)
    for y in 0..<size.height {
      try budget.chargeWork(count: size.width, unitsEach: 30)
      for x in 0..<size.width {
        var sum: Float = 0
        for dy in -2...2 {
          let row = mirrored(y + dy, size.height) * size.width
          for dx in -2...2 where dx != 0 || dy != 0 { sum += plane[row + mirrored(x + dx, size.width)] }
        }
        output[y * size.width + x] = sum * 0.16 + plane[y * size.width + x] * (0.16 - 4)
      }
    }
    return output
  }

  let unitsPerSample = 10

  func process(row y: Int, of frame: inout RenderedFrame) {
    let start = y * frame.width
    for index in start..<start + frame.width {
      let (x, y) = (frame.planes[0][index], frame.planes[1][index])
      let common = noise.planes[2][index] * (127.0 / 128)
      let red = 0.22 * parameters.strength((y + x) / 2) * (noise.planes[0][index] / 128 + common)
      let green = 0.22 * parameters.strength((y - x) / 2) * (noise.planes[1][index] / 128 + common)
      frame.planes[0][index] = x + red - green + correlations.x * (red + green)
      frame.planes[1][index] = y + red + green
      frame.planes[2][index] += correlations.b * (red + green)
    }
  }
}
