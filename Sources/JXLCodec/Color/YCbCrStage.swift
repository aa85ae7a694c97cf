// From YCbCr to RGB (ISO/IEC 18181-1, L.3).

/// Converts the colours of a frame in YCbCr, as JPEG files have them: the planes are Cb, Y − 128/255, and Cr.
struct YCbCrStage: RowStage {
  let unitsPerSample = 2

  func process(row y: Int, of frame: inout RenderedFrame) {
    frame.withColorRows(y) { first, second, third in
      for index in 0..<min(first.count, second.count, third.count) {
        let (cb, luma, cr) = (first[index], second[index] + 128.0 / 255, third[index])
        first[index] = luma + 1.402 * cr
        second[index] = luma - 0.344136286201022 * cb - 0.714136286201022 * cr
        third[index] = luma + 1.772 * cb
      }
    }
  }
}
