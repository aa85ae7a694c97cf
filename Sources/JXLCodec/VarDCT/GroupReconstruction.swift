// From the coefficients of a group to samples (ISO/IEC 18181-1, I.8.5–I.9).

internal import ImageCoding

/// The dequantisation and the transforms of the varblocks of a group.
struct GroupReconstruction {
  private let frame: VarDCTFrame
  private let region: PixelRegion
  /// The coefficients of a varblock, then its samples: X, Y and B.
  private var values: [[Float]]
  private var transforms: BlockTransforms
  private var lowestFrequencies = LowestFrequencies()

  /// - Parameter region: the blocks of the group.
  init(_ frame: VarDCTFrame, _ region: PixelRegion, budget: inout ResourceBudget) throws(CodecError) {
    (self.frame, self.region) = (frame, region)
    let area = 64 * frame.maximumBlockCount
    try budget.allocate(count: area, bytesEach: 16)
    values = (0..<3).map { _ in [Float](repeating: 0, count: area) }
    transforms = BlockTransforms(area: area)
  }

  /// Returns the samples of the group: planes of whole blocks.
  ///
  /// - Parameters:
  ///   - coefficients: the coefficients, which become zeros.
  ///   - spare: planes whose memory is used if possible.
  mutating func samples(
    of coefficients: inout GroupCoefficients, into spare: consuming [SamplePlane], budget: inout ResourceBudget
  ) throws(CodecError) -> [SamplePlane] {
    let (grid, columns) = (frame.grid, frame.grid.columns)
    var planes = try allocatePlanes(reusing: spare, &budget)
    let blocks = frame.blocks.transforms
    let transforms = blocks.span
    var starts = [0, 0, 0]
    for y in 0..<region.height {
      // The work of a row of blocks, also of those of varblocks that start in it.
      try budget.chargeWork(count: region.width * 64 * 3, unitsEach: 4)
      for x in 0..<region.width {
        let index = (region.y + y) * columns + region.x + x
        guard let kind = TransformKind(rawValue: transforms[index]) else { continue }
        let shape = kind.shape
        for channel in 0..<3 where grid.hasBlock(channel, x: x, y: y) {
          dequantize(&coefficients.values[channel], channel, shape, block: index, start: starts[channel])
          starts[channel] += 64 * shape.blockCount
        }
        if !grid.isReduced { correlate(64 * shape.blockCount, x: region.x + x, y: region.y + y) }
        for channel in 0..<3 where grid.hasBlock(channel, x: x, y: y) {
          transform(channel, kind, x: x, y: y, into: &planes[channel])
        }
      }
    }
    return planes
  }

  /// Returns planes for the samples: zeros, or arbitrary samples if all will be replaced.
  private func allocatePlanes(
    reusing spare: consuming [SamplePlane], _ budget: inout ResourceBudget
  ) throws(CodecError) -> [SamplePlane] {
    let sizes = (0..<3).map { channel in
      PixelSize(
        width: 8 * region.width >> frame.grid.horizontalShifts[channel],
        height: 8 * region.height >> frame.grid.verticalShifts[channel])
    }
    // Varblocks are missing only if the low-frequency group is damaged.
    if spare.count == 3, !frame.blocks.hasUnassigned(in: region),
      (0..<3).allSatisfy({ spare[$0].width == sizes[$0].width && spare[$0].height == sizes[$0].height })
    {
      return spare
    }
    var planes: [SamplePlane] = []
    for size in sizes {
      planes.append(try SamplePlane(width: size.width, height: size.height, budget: &budget))
    }
    return planes
  }

  /// Scales the coefficients of a varblock, and clears the quantised ones.
  private mutating func dequantize(
    _ quantized: inout [Int32], _ channel: Int, _ shape: TransformKind.Shape, block: Int, start: Int
  ) {
    let count = 64 * shape.blockCount
    let scale = frame.scales[channel] / Float(frame.blocks.multipliers[block])
    let (bias, numerator) = (frame.opsin.quantizationBiases[channel], frame.opsin.quantizationBiasNumerator)
    let multipliers = frame.highFrequency.matrices.multipliers[Int(shape.matrix)]
    let matrix = multipliers.span.extracting(channel * count..<(channel + 1) * count)
    var all = values[channel].mutableSpan
    var output = all._mutatingExtracting(0..<count)
    var stored = quantized.mutableSpan
    var input = stored._mutatingExtracting(start..<start + count)
    for index in 0..<count {
      let value = Float(input[index])
      let adjusted = abs(value) <= 1 ? value * bias : value - numerator / value
      output[index] = adjusted * (matrix[index] * scale)
    }
    for index in 0..<count { input[index] = 0 }
  }

  /// Adds the part of X and B that is predicted from Y.
  private mutating func correlate(_ count: Int, x: Int, y: Int) {
    let tile = (y >> BlockGrid.tileShift) * frame.blocks.tileColumns + x >> BlockGrid.tileShift
    let factorX = frame.correlation.factorX(frame.blocks.correlationsX[tile])
    let factorB = frame.correlation.factorB(frame.blocks.correlationsB[tile])
    Self.add(values[1], factorX, count, to: &values[0])
    Self.add(values[1], factorB, count, to: &values[2])
  }

  private static func add(_ source: [Float], _ factor: Float, _ count: Int, to target: inout [Float]) {
    guard factor != 0 else { return }
    let input = source.span.extracting(0..<count)
    var all = target.mutableSpan
    var output = all._mutatingExtracting(0..<count)
    for index in 0..<count { output[index] += factor * input[index] }
  }

  /// Transforms a varblock and stores its samples.
  ///
  /// - Parameter x: the position of the block in the group.
  private mutating func transform(
    _ channel: Int, _ kind: TransformKind, x: Int, y: Int, into plane: inout SamplePlane
  ) {
    let grid = frame.grid
    let (shiftX, shiftY) = (grid.horizontalShifts[channel], grid.verticalShifts[channel])
    let (column, row) = ((region.x + x) >> shiftX, (region.y + y) >> shiftY)
    let stride = frame.lowFrequency.columns[channel]
    let lowFrequencies = frame.lowFrequency.planes[channel]
    lowestFrequencies.replace(
      in: &values[channel], kind, lowFrequencies.span, start: row * stride + column,
      stride: stride)
    if kind.isFullCosine {
      transforms.inverse(&values[channel], rows: 8 * kind.rows, columns: 8 * kind.columns)
    } else {
      SmallTransforms.inverse(kind, &values[channel])
    }
    plane.store(
      values[channel], width: 8 * kind.columns, height: 8 * kind.rows, x: 8 * (x >> shiftX), y: 8 * (y >> shiftY))
  }
}
