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
  mutating func samples(
    of coefficients: GroupCoefficients, budget: inout ResourceBudget
  ) throws(CodecError) -> [SamplePlane] {
    let grid = frame.grid
    var planes: [SamplePlane] = []
    for channel in 0..<3 {
      planes.append(
        try SamplePlane(
          width: 8 * region.width >> grid.horizontalShifts[channel],
          height: 8 * region.height >> grid.verticalShifts[channel], budget: &budget))
    }
    var starts = [0, 0, 0]
    for y in 0..<region.height {
      // The work of a row of blocks, also of those of varblocks that start in it.
      try budget.chargeWork(count: region.width * 64 * 3, unitsEach: 5)
      for x in 0..<region.width {
        let index = (region.y + y) * grid.columns + region.x + x
        guard let kind = TransformKind(rawValue: frame.blocks.transforms[index]) else { continue }
        for channel in [1, 0, 2] where grid.hasBlock(channel, x: x, y: y) {
          dequantize(coefficients, channel, kind, block: index, start: starts[channel])
          starts[channel] += 64 * kind.blockCount
        }
        if !grid.isReduced { correlate(kind, x: region.x + x, y: region.y + y) }
        for channel in 0..<3 where grid.hasBlock(channel, x: x, y: y) {
          transform(channel, kind, x: x, y: y, into: &planes[channel])
        }
      }
    }
    return planes
  }

  /// Scales the coefficients of a varblock.
  private mutating func dequantize(
    _ coefficients: GroupCoefficients, _ channel: Int, _ kind: TransformKind, block: Int, start: Int
  ) {
    let count = 64 * kind.blockCount
    let scale = frame.scales[channel] / Float(frame.blocks.multipliers[block])
    let (bias, numerator) = (frame.opsin.quantizationBiases[channel], frame.opsin.quantizationBiasNumerator)
    let (stored, multipliers) = (coefficients.values[channel], frame.highFrequency.matrices.multipliers[kind.matrix])
    let quantized = stored.span.extracting(start..<start + count)
    let matrix = multipliers.span.extracting(channel * count..<(channel + 1) * count)
    var all = values[channel].mutableSpan
    var output = all._mutatingExtracting(0..<count)
    for index in 0..<count {
      let value = Float(quantized[index])
      let adjusted = abs(value) <= 1 ? value * bias : value - numerator / value
      output[index] = adjusted * (matrix[index] * scale)
    }
  }

  /// Adds the part of X and B that is predicted from Y.
  private mutating func correlate(_ kind: TransformKind, x: Int, y: Int) {
    let blocks = frame.blocks
    let tile = (y >> BlockGrid.tileShift) * blocks.tileColumns + x >> BlockGrid.tileShift
    let factorX = frame.correlation.factorX(blocks.correlationsX[tile])
    let factorB = frame.correlation.factorB(blocks.correlationsB[tile])
    let count = 64 * kind.blockCount
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
