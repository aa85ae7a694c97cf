// Prediction of blocks by intra block copy (section 7.11.3), from samples that are not filtered.

extension BlockReconstruction {
  /// Copies all planes of a block from where its vector points. Between two samples of chroma, their mean is the
  /// prediction, which is what the bilinear filter yields for all depths.
  mutating func copy(_ block: CodingBlock, _ parameters: FrameParameters, _ buffer: inout SampleBuffer) {
    for plane in 0..<(block.hasChroma ? 3 : 1) {
      let (shiftX, shiftY) = parameters.shifts(plane)
      let size = plane == 0 ? block.size : block.size.subsampled(shiftX, shiftY)
      let (x, y) = ((block.column >> shiftX) * 4, (block.row >> shiftY) * 4)
      let (endX, endY) = (parameters.columns * 4 >> shiftX, parameters.rows * 4 >> shiftY)
      // In halves of samples of the plane.
      let (offsetX, offsetY) = (Int(block.vector.y) >> (2 + shiftX), Int(block.vector.x) >> (2 + shiftY))
      let (isBetweenColumns, isBetweenRows) = (offsetX & 1, offsetY & 1)
      let stride = buffer.strides[plane]
      let origin = buffer.index(plane, x: 0, y: 0)
      var samples = buffer.samples.mutableSpan
      for row in 0..<min(size.height, endY - y) {
        let top = min(max(y + row + offsetY >> 1, 0), endY - 1)
        let bottom = min(top + isBetweenRows, endY - 1)
        for column in 0..<min(size.width, endX - x) {
          let left = min(max(x + column + offsetX >> 1, 0), endX - 1)
          let right = min(left + isBetweenColumns, endX - 1)
          let upper = Int(samples[origin + top * stride + left]) + Int(samples[origin + top * stride + right])
          let lower = Int(samples[origin + bottom * stride + left]) + Int(samples[origin + bottom * stride + right])
          samples[origin + (y + row) * stride + x + column] = UInt16(truncatingIfNeeded: (upper + lower + 2) >> 2)
        }
      }
    }
  }
}
