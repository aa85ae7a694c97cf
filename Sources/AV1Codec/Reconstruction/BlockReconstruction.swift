// The samples of blocks: prediction, then residual (sections 7.11 and 7.12.3).

internal import ImageCoding

/// Predicts transform blocks and adds their residuals, with memory that all blocks of a tile share.
struct BlockReconstruction {
  var above = IntraEdge()
  var left = IntraEdge()
  /// `MaxLumaW` and `MaxLumaH`: the end of the last luma transform block of the current block.
  var lumaEnd = (x: 0, y: 0)
  /// The luma of the current block at the resolution of chroma, less its mean, in eighths: 32 in a row.
  var lumaDifferences: [Int16]
  /// Columns that are predicted from the left.
  var columnScratch: [UInt16]
  private var transformScratch: [Int32]
  let maximum: Int

  /// The memory of a reconstruction.
  static let byteCount = transformScratchByteCount + 2 * (columnScratchCount + 32 * lumaStride + 2 * EdgeSamples.count)

  init(_ parameters: FrameParameters) {
    maximum = 1 << parameters.bitDepth - 1
    lumaDifferences = [Int16](repeating: 0, count: 32 * lumaStride)
    columnScratch = [UInt16](repeating: 0, count: columnScratchCount)
    transformScratch = [Int32](repeating: 0, count: transformScratchByteCount / 4)
  }

  /// `predict_intra`, and chroma from luma.
  mutating func predict(
    _ transform: TileDecoder.TransformBlock, _ block: CodingBlock, _ neighbours: IntraNeighbours,
    _ parameters: FrameParameters, _ buffer: inout SampleBuffer
  ) {
    let plane = transform.plane
    let target = PredictedBlock(
      index: buffer.index(plane, x: transform.x, y: transform.y), stride: buffer.strides[plane],
      log2Width: transform.size.log2Width, log2Height: transform.size.log2Height)
    let usesLuma = plane > 0 && block.chromaMode == .chromaFromLuma
    let mode = plane == 0 ? block.mode : usesLuma ? .dc : block.chromaMode
    let angle =
      mode.isDirectional ? mode.angle &+ 3 &* (plane == 0 ? block.angleDelta : block.chromaAngleDelta) : 0
    loadEdges(transform, target, neighbours, angle: angle, parameters, buffer)
    var samples = buffer.samples.mutableSpan
    if plane == 0, let filterMode = block.filterMode {
      predictRecursively(
        target, mode: filterMode, above: above.samples.span, left: left.samples.span, &samples, maximum: maximum)
      return
    }
    if mode.isDirectional {
      let (shiftX, shiftY) = parameters.shifts(plane)
      let direction = Direction(
        angle: angle, isSmooth: plane == 0 ? block.hasSmoothNeighbour : block.hasSmoothChromaNeighbour,
        visibleWidth: min(target.width, parameters.columns &* 4 &>> shiftX &- transform.x),
        visibleHeight: min(target.height, parameters.rows &* 4 &>> shiftY &- transform.y))
      predictDirection(
        direction, neighbours, target, filtersEdges: parameters.isIntraEdgeFilterEnabled, &samples)
      return
    }
    predict(mode, target, neighbours, &samples)
    guard usesLuma else { return }
    if plane == 1 { loadLuma(transform, parameters, buffer) }
    samples = buffer.samples.mutableSpan
    addLuma(
      target, lumaDifferences.span, alpha: plane == 1 ? block.alphaU : block.alphaV, &samples, maximum: maximum)
  }

  /// Loads the neighbours that a direction, or another mode if the angle is 0, needs.
  private mutating func loadEdges(
    _ transform: TileDecoder.TransformBlock, _ target: PredictedBlock, _ neighbours: IntraNeighbours, angle: Int,
    _ parameters: FrameParameters, _ buffer: borrowing SampleBuffer
  ) {
    let samples = buffer.samples.span
    let (width, height) = (target.width, target.height)
    let (index, stride) = (target.index, target.stride)
    let (shiftX, shiftY) = parameters.shifts(transform.plane)
    let (hasAbove, hasLeft) = (neighbours.hasAbove, neighbours.hasLeft)
    let aboveIndex = buffer.indexAbove(
      transform.plane, x: transform.x, y: transform.y, log2Superblock: parameters.log2Superblock &- shiftY)
    let middle = UInt16(truncatingIfNeeded: (maximum &+ 1) &>> 1)
    let aboveCount = angle > 0 && angle < 90 ? width &+ height : width
    if hasAbove {
      let end = min(parameters.columns &* 4 &>> shiftX, transform.x &+ (neighbours.hasAboveRight ? 2 : 1) &* width)
      above.copyRow(samples, at: aboveIndex, available: end &- transform.x, count: aboveCount)
    } else {
      above.fill(0..<aboveCount, hasLeft ? samples[index &- 1] : middle &- 1)
    }
    let leftCount = angle > 180 ? width &+ height : height
    if hasLeft {
      let end = min(parameters.rows &* 4 &>> shiftY, transform.y &+ (neighbours.hasBelowLeft ? 2 : 1) &* height)
      left.copyColumn(samples, at: index &- 1, stride: stride, available: end &- transform.y, count: leftCount)
    } else {
      left.fill(0..<leftCount, hasAbove ? samples[aboveIndex] : middle &+ 1)
    }
    let corner =
      hasAbove
      ? samples[hasLeft ? aboveIndex &- 1 : aboveIndex] : hasLeft ? samples[index &- 1] : middle
    above[-1] = corner
    left[-1] = corner
  }

  /// `reconstruct`: adds the residual of a transform block.
  ///
  /// - Parameter coefficients: those of the block are set to zero.
  mutating func addResidual(
    _ coefficientBlock: CoefficientBlock, _ coefficients: inout InlineArray<1024, Int32>,
    _ transform: TileDecoder.TransformBlock,
    isLossless: Bool, _ parameters: FrameParameters, _ buffer: inout SampleBuffer
  ) {
    let index = buffer.index(transform.plane, x: transform.x, y: transform.y)
    let stride = buffer.strides[transform.plane]
    var values = coefficients.mutableSpan
    var samples = buffer.samples.mutableSpan
    if isLossless {
      addWalshHadamard(&values, to: &samples, at: index, stride: stride, maximum: Int32(maximum))
      return
    }
    if coefficientBlock.columnCount == 1, coefficientBlock.rowCount == 1, coefficientBlock.type == .dct {
      let size = coefficientBlock.size
      let target = PredictedBlock(
        index: index, stride: stride, log2Width: size.log2Width, log2Height: size.log2Height)
      addToBlock(target, constantResidual(size, values[0]), &samples, maximum: maximum)
      values[0] = 0
      return
    }
    var scratch = transformScratch.mutableSpan
    addInverseTransform(
      coefficientBlock, &values, &scratch, to: &samples, at: index, stride: stride,
      bitDepth: parameters.bitDepth)
  }

  /// The residual of a cosine transform whose only coefficient is the first one.
  private func constantResidual(_ size: TransformSize, _ coefficient: Int32) -> Int {
    func scaled(_ value: Int) -> Int { rounded(value * 2896, 12) }
    var value = Int(coefficient)
    if abs(size.log2Width - size.log2Height) == 1 { value = scaled(value) }
    value = rounded(scaled(value), Int(size.rowShift))
    let limit = (maximum + 1) << 7
    let columnLimit = max(limit >> 2, 1 << 15)
    value = min(max(value, -columnLimit), columnLimit - 1)
    return rounded(scaled(value), 4)
  }
}
