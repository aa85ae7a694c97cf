// From YCbCr to RGB (ISO/IEC 18181-1, L.3).

internal import ImageCoding

/// Converts the colours of a frame in YCbCr, as JPEG files have them: the planes are Cb, Y − 128/255, and Cr.
struct YCbCrStage: Sendable {
  var unitsPerSample: Int { 2 }

  func convert(
    _ first: inout MutableSpan<Float>, _ second: inout MutableSpan<Float>, _ third: inout MutableSpan<Float>, count: Int
  ) {
    for index in 0..<count {
      let (cb, luma, cr) = (first[index], second[index] + 128.0 / 255, third[index])
      first[index] = luma + 1.402 * cr
      second[index] = luma - 0.344136286201022 * cb - 0.714136286201022 * cr
      third[index] = luma + 1.772 * cb
    }
  }
}
