// From the coefficients of a group to samples (ISO/IEC 18181-1, I.8.5–I.9).

internal import ImageCoding
internal import VectorLanes

/// The dequantisation and the transforms of the varblocks of a group.
struct GroupReconstruction {
  private let frame: VarDCTFrame
  private let region: PixelRegion
  /// The greatest number of samples of a varblock.
  private let area: Int

  /// - Parameter region: the blocks of the group.
  init(_ frame: VarDCTFrame, _ region: PixelRegion, budget: inout ResourceBudget) throws(CodecError) {
    (self.frame, self.region) = (frame, region)
    area = 64 * frame.maximumBlockCount
    try budget.allocate(count: area, bytesEach: 16)
  }

  /// The memory of the transforms of varblocks.
  private struct Scratch {
    var transforms: BlockTransforms
    var lowestFrequencies = LowestFrequencies()
    /// The coefficients, then the samples of a block whose transform is not a cosine transform.
    var block = [Float](repeating: 0, count: 64)
  }

  /// Returns the samples of the group: planes of whole blocks.
  ///
  /// - Parameters:
  ///   - coefficients: the coefficients, which become zeros.
  ///   - spare: planes whose memory is used if possible.
  func samples(
    of coefficients: inout GroupCoefficients, into spare: consuming [SamplePlane], budget: inout ResourceBudget
  ) throws(CodecError) -> [SamplePlane] {
    var planes = try allocatePlanes(reusing: spare, &budget)
    // The work of all rows of blocks.
    for _ in 0..<region.height { try budget.chargeWork(count: region.width * 64 * 3, unitsEach: 4) }
    // Moved out while in use, so that nothing is copied.
    var (first, second, third) = (planes[0].takeSamples(), planes[1].takeSamples(), planes[2].takeSamples())
    let widths = (planes[0].width, planes[1].width, planes[2].width)
    var x = first.mutableSpan
    var y = second.mutableSpan
    var b = third.mutableSpan
    var scratch = Scratch(transforms: BlockTransforms(area: area))
    // The coefficients of a varblock: X, Y and B.
    var memory = [Float](repeating: 0, count: 3 * area)
    var values = memory.mutableSpan
    var starts = coefficients.starts
    var quantized = coefficients.values.mutableSpan
    let (grid, isReduced) = (frame.grid, frame.grid.isReduced)
    let kinds = frame.blocks.transforms.span
    let meansX = frame.lowFrequency.planes[0]
    let meansY = frame.lowFrequency.planes[1]
    let meansB = frame.lowFrequency.planes[2]
    let (lowX, lowY, lowB) = (meansX.span, meansY.span, meansB.span)
    for row in 0..<region.height {
      for column in 0..<region.width {
        let index = (region.y + row) * grid.columns + region.x + column
        guard let kind = TransformKind(rawValue: kinds[index]) else { continue }
        let position = (x: column, y: row)
        for channel in 0..<3 where !isReduced || grid.hasBlock(channel, x: column, y: row) {
          dequantize(&quantized, channel, kind.shape, block: index, start: starts[channel], into: &values)
          starts[channel] += 64 * kind.shape.blockCount
        }
        if !isReduced { correlate(&values, 64 * kind.shape.blockCount, x: region.x + column, y: region.y + row) }
        if !isReduced || grid.hasBlock(0, x: column, y: row) {
          transform(&values, lowX, 0, kind, position, into: &x, width: widths.0, &scratch)
        }
        if !isReduced || grid.hasBlock(1, x: column, y: row) {
          transform(&values, lowY, 1, kind, position, into: &y, width: widths.1, &scratch)
        }
        if !isReduced || grid.hasBlock(2, x: column, y: row) {
          transform(&values, lowB, 2, kind, position, into: &b, width: widths.2, &scratch)
        }
      }
    }
    return [
      SamplePlane(width: planes[0].width, height: planes[0].height, samples: first),
      SamplePlane(width: planes[1].width, height: planes[1].height, samples: second),
      SamplePlane(width: planes[2].width, height: planes[2].height, samples: third),
    ]
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
  private func dequantize(
    _ quantized: inout MutableSpan<Int32>, _ channel: Int, _ shape: TransformKind.Shape, block: Int, start: Int,
    into values: inout MutableSpan<Float>
  ) {
    let count = 64 * shape.blockCount
    let scale = frame.scales[channel] / Float(frame.blocks.multipliers[block])
    let (bias, numerator) = (frame.opsin.quantizationBiases[channel], frame.opsin.quantizationBiasNumerator)
    let first = frame.highFrequency.matrices.starts[Int(shape.matrix)] + channel * count
    let matrix = frame.highFrequency.matrices.multipliers.span.extracting(first..<first + count)
    var output = values._mutatingExtracting(channel * area..<channel * area + count)
    var input = quantized._mutatingExtracting(start..<start + count)
    for index in stride(from: 0, to: count, by: 8) {
      let integers = loadVector(input, at: index)
      // Most high frequencies are zeros.
      if areZero(integers) {
        storeVector(FloatVector(), into: &output, at: index)
        continue
      }
      storeVector(SIMD8<Int32>(), into: &input, at: index)
      let value = FloatVector(
        lowHalf: convertToFloat(integers.lowHalf), highHalf: convertToFloat(integers.highHalf))
      let magnitude = floats(ofBits: bits(of: value) & 0x7FFF_FFFF)
      let adjusted = (value - numerator / value).replacing(with: value * bias, where: magnitude .<= 1)
      storeVector(adjusted * (loadVector(matrix, at: index) * scale), into: &output, at: index)
    }
  }

  /// Adds the part of X and B that is predicted from Y.
  private func correlate(_ values: inout MutableSpan<Float>, _ count: Int, x: Int, y: Int) {
    let tile = (y >> BlockGrid.tileShift) * frame.blocks.tileColumns + x >> BlockGrid.tileShift
    add(frame.correlation.factorX(frame.blocks.correlationsX[tile]), count, to: 0, &values)
    add(frame.correlation.factorB(frame.blocks.correlationsB[tile]), count, to: 2, &values)
  }

  private func add(_ factor: Float, _ count: Int, to channel: Int, _ values: inout MutableSpan<Float>) {
    guard factor != 0 else { return }
    let (target, luma) = (channel * area, area)
    for index in stride(from: 0, to: count, by: 8) {
      let sum = loadVector(values, at: target &+ index) + loadVector(values, at: luma &+ index) * factor
      storeVector(sum, into: &values, at: target &+ index)
    }
  }

  /// Transforms a varblock and stores its samples.
  ///
  /// - Parameters:
  ///   - means: the LF coefficients of the channel.
  ///   - position: the position of the block in the group.
  private func transform(
    _ values: inout MutableSpan<Float>, _ means: Span<Float>, _ channel: Int, _ kind: TransformKind,
    _ position: (x: Int, y: Int), into samples: inout MutableSpan<Float>, width: Int,
    _ scratch: inout Scratch
  ) {
    let (shiftX, shiftY) = (frame.grid.horizontalShifts[channel], frame.grid.verticalShifts[channel])
    let (column, row) = ((region.x + position.x) >> shiftX, (region.y + position.y) >> shiftY)
    let stride = frame.lowFrequency.columns[channel]
    var coefficients = values._mutatingExtracting(channel * area..<channel * area + 64 * kind.blockCount)
    scratch.lowestFrequencies.replace(
      in: &coefficients, kind, means, start: row * stride + column, stride: stride)
    let start = 8 * (position.y >> shiftY) * width + 8 * (position.x >> shiftX)
    if kind.isFullCosine {
      scratch.transforms.inverse(
        coefficients.span, rows: 8 * kind.rows, columns: 8 * kind.columns, into: &samples, at: start, stride: width)
      return
    }
    for index in 0..<64 { scratch.block[index] = coefficients[index] }
    SmallTransforms.inverse(kind, &scratch.block)
    for row in 0..<8 {
      storeVector(loadVector(scratch.block.span, at: 8 &* row), into: &samples, at: start &+ row &* width)
    }
  }
}
