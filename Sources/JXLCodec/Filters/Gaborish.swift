// The smoothing filter that is the inverse of the encoder's sharpening (ISO/IEC 18181-1, J.2).

internal import ImageCoding

/// Smooths the colour planes of a frame with a kernel of 3 × 3.
enum Gaborish {
  static func apply(
    to frame: inout RenderedFrame, colorCount: Int, _ weights: [Float], budget: inout ResourceBudget
  ) throws(CodecError) {
    let (width, height) = (frame.width, frame.height)
    try budget.allocate(count: width * height, bytesEach: 4)
    defer { budget.release(width * height * 4) }
    for plane in 0..<colorCount {
      let (side, corner) = (weights[2 * plane], weights[2 * plane + 1])
      let scale = 1 / (1 + 4 * side + 4 * corner)
      let source = frame.planes[plane]
      var target = [Float](repeating: 0, count: source.count)
      for y in 0..<height {
        try budget.chargeWork(count: width, unitsEach: 3)
        let samples = source.span
        var output = target.mutableSpan
        let above = mirrored(y - 1, height) * width
        let row = y * width
        let below = mirrored(y + 1, height) * width
        for x in 0..<width {
          let left = x > 0 ? x &- 1 : 0
          let right = x &+ 1 < width ? x &+ 1 : x
          let sides = samples[row &+ left] + samples[row &+ right] + samples[above &+ x] + samples[below &+ x]
          let firstCorners = samples[above &+ left] + samples[above &+ right]
          let corners = firstCorners + samples[below &+ left] + samples[below &+ right]
          output[row &+ x] = (samples[row &+ x] + side * sides + corner * corners) * scale
        }
      }
      frame.planes[plane] = target
    }
  }
}
