// The smoothing filter that is the inverse of the encoder's sharpening (ISO/IEC 18181-1, J.2).

internal import ImageCoding

/// Smooths the colour planes of a frame with a kernel of 3 × 3.
package enum Gaborish {
  package static func apply(
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
        var x = 1
        while x &+ 8 < width {
          func load(_ start: Int, _ offset: Int) -> FloatVector { loadVector(samples, at: start &+ x &+ offset) }
          let sides = load(row, -1) + load(row, 1) + load(above, 0) + load(below, 0)
          let corners = load(above, -1) + load(above, 1) + load(below, -1) + load(below, 1)
          storeVector((load(row, 0) + sides * side + corners * corner) * scale, into: &output, at: row &+ x)
          x &+= 8
        }
        // The first sample, and those after the last vector.
        for x in [0] + Array(min(x, width)..<width) {
          let (left, right) = (mirrored(x - 1, width), mirrored(x + 1, width))
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
