// Stored coefficients of a band, dequantised and transformed to samples; where a progressive image is not complete,
// with the missing coefficients estimated from neighbouring blocks.

internal import ImageCore

/// Renders bands of a stored image.
struct StoredRenderer {
  var bands: SampleBands
  private let frame: FrameHeader
  /// The steps of each component in paired order, 64 each.
  private var steps: [Int16] = []
  private let smoothing: BlockSmoothing?

  init(_ stored: borrowing StoredDecoding, frame: FrameHeader, smoothsBlocks: Bool) {
    self.frame = frame
    bands = SampleBands(frame: frame)
    for table in stored.quantization {
      var ordered = [Int16](repeating: 0, count: 64)
      for (index, step) in (table?.steps ?? []).enumerated() {
        ordered[Int(CoefficientOrder.paired[index])] = Int16(truncatingIfNeeded: step)
      }
      steps += ordered
    }
    smoothing =
      smoothsBlocks ? BlockSmoothing(frame: frame, quantization: stored.quantization, precision: stored.precision) : nil
  }

  /// Transforms the blocks of a band.
  mutating func render(band: Int, of stored: borrowing StoredDecoding) {
    let coefficients = stored.planes.coefficients.span
    let steps = steps
    let smoothing = smoothing
    var storage = InlineArray<64, Int16>(repeating: 0)
    for index in frame.components.indices {
      let component = frame.components[index]
      let plane = bands.planes[index]
      let blocks = stored.planes.planes[index]
      let componentSteps = steps.span.extracting(index * 64..<index * 64 + 64)
      var samples = bands.samples.mutableSpan
      for blockRow in 0..<component.verticalFactor {
        let row = band * component.verticalFactor + blockRow
        if row >= component.blockRowCount { break }
        let rowStart = plane.start + ((band & 1) * plane.bandRowCount + blockRow * 8) * plane.stride
        for column in 0..<component.blocksPerRow {
          let start = blocks.block(row: row, column: column)
          var block = storage.mutableSpan
          let sparsity: BlockSparsity
          if let smoothing {
            let estimate = smoothing.estimate(component: index, row: row, column: column, coefficients, blocks)
            sparsity = dequantize(estimate.span, componentSteps, into: &block)
          } else {
            sparsity = dequantize(coefficients.extracting(start..<start + 64), componentSteps, into: &block)
          }
          inverseDCT(block.span, sparsity, into: &samples, at: rowStart + column * 8, stride: plane.stride)
        }
      }
    }
  }
}
