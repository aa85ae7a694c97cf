// Prediction of chroma from luma (section 7.11.5).

extension BlockReconstruction {
  private static let rowStride = 32

  /// Loads the luma of a chroma block and subtracts its mean.
  mutating func loadLuma(
    _ transform: TileDecoder.TransformBlock, _ parameters: FrameParameters, _ buffer: borrowing SampleBuffer
  ) {
    let (shiftX, shiftY) = parameters.shifts(1)
    let (width, height) = (transform.size.width, transform.size.height)
    let source = buffer.samples.span
    let stride = buffer.strides[0]
    let (x, y) = (transform.x &<< shiftX, transform.y &<< shiftY)
    let visibleColumns = min(width, (lumaEnd.x &- x) &>> shiftX)
    let visibleRows = min(height, (lumaEnd.y &- y) &>> shiftY)
    var values = lumaDifferences.mutableSpan
    let scale = Int32(truncatingIfNeeded: 3 &- shiftX &- shiftY)
    var total: Int32 = 0
    for row in 0..<height {
      let first = row &* Self.rowStride
      if row < visibleRows {
        let index = buffer.index(0, x: x, y: y &+ row &<< shiftY)
        for column in 0..<visibleColumns {
          let left = index &+ column &<< shiftX
          var sum = Int32(source[left])
          if shiftX == 1 { sum &+= Int32(source[left &+ 1]) }
          if shiftY == 1 { sum &+= Int32(source[left &+ stride]) &+ Int32(source[left &+ stride &+ 1]) }
          values[first &+ column] = sum &<< scale
        }
        for column in visibleColumns..<width { values[first &+ column] = values[first &+ visibleColumns &- 1] }
      } else {
        for column in 0..<width { values[first &+ column] = values[first &- Self.rowStride &+ column] }
      }
      for column in 0..<width { total &+= values[first &+ column] }
    }
    let shift = Int32(truncatingIfNeeded: transform.size.log2Width &+ transform.size.log2Height)
    let mean = (total &+ (1 &<< shift) &>> 1) &>> shift
    for row in 0..<height {
      for index in row &* Self.rowStride..<row &* Self.rowStride &+ width { values[index] &-= mean }
    }
  }

  /// Adds a multiple of the luma to a block that its DC predicts.
  func addLuma(alpha: Int, _ target: Target, _ samples: inout MutableSpan<UInt16>) {
    let values = lumaDifferences.span
    let base = Int32(samples[target.index])
    let (factor, limit) = (Int32(truncatingIfNeeded: alpha), Int32(truncatingIfNeeded: maximum))
    for y in 0..<target.height {
      let first = target.index &+ y &* target.stride
      var row = samples._mutatingExtracting(first..<first &+ target.width)
      for x in 0..<target.width {
        let product = factor &* values[y &* Self.rowStride &+ x]
        let scaled = product < 0 ? 0 &- (32 &- product) &>> 6 : (product &+ 32) &>> 6
        row[x] = UInt16(truncatingIfNeeded: min(max(base &+ scaled, 0), limit))
      }
    }
  }
}
