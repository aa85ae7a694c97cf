// Prediction of chroma from luma (section 7.11.5).

extension BlockReconstruction {
  /// Loads the luma of a chroma block and subtracts its mean.
  mutating func loadLuma(
    _ transform: TileDecoder.TransformBlock, _ parameters: FrameParameters, _ buffer: borrowing SampleBuffer
  ) {
    let (shiftX, shiftY) = parameters.shifts(1)
    let (x, y) = (transform.x &<< shiftX, transform.y &<< shiftY)
    let source = LumaSource(
      index: buffer.index(0, x: x, y: y), stride: buffer.strides[0], shiftX: shiftX, shiftY: shiftY,
      columns: max(1, min(transform.size.width, (lumaEnd.x &- x) &>> shiftX)),
      rows: max(1, min(transform.size.height, (lumaEnd.y &- y) &>> shiftY)))
    var values = lumaDifferences.mutableSpan
    loadLumaDifferences(
      source, buffer.samples.span, log2Width: transform.size.log2Width, log2Height: transform.size.log2Height,
      &values)
  }
}
