// From YCbCr to RGB (ISO/IEC 18181-1, L.3).

/// Converts the colours of a frame in YCbCr, as JPEG files have them: the planes are Cb, Y − 128/255, and Cr.
struct YCbCrStage: RowStage {
  let unitsPerSample = 2

  func process(row y: Int, of frame: inout RenderedFrame) {
    let start = y * frame.width
    for index in start..<start + frame.width {
      let (cb, luma, cr) = (frame.planes[0][index], frame.planes[1][index] + 128.0 / 255, frame.planes[2][index])
      frame.planes[0][index] = luma + 1.402 * cr
      frame.planes[1][index] = luma - 0.344136286201022 * cb - 0.714136286201022 * cr
      frame.planes[2][index] = luma + 1.772 * cb
    }
  }
}
