// The inverse of the predictor transform for a row (RFC 9649, section 3.5.1).

/// Adds predictions to the differences of a row.
///
/// - Parameters:
///   - row: the differences; receives the pixels.
///   - upper: the row above, with room for one more pixel: the pixel after its last one is the first of the current
///     row.
///   - modes: the mode of each block of 2ᵇⁱᵗˢ pixels.
func addPredictions(
  _ row: inout MutableSpan<UInt32>, upper: inout MutableSpan<UInt32>, count: Int, blockBits: Int, modes: Span<UInt8>,
  isFirstRow: Bool
) {
  if isFirstRow {
    row[0] = addPixels(row[0], 0xFF00_0000)
    for index in 1..<max(1, count) { row[index] = addPixels(row[index], row[index - 1]) }
    return
  }
  row[0] = addPixels(row[0], upper[0])
  upper[count] = row[0]
  var start = 1
  for block in modes.indices {
    let end = min(count, (block + 1) << blockBits)
    if start < end {
      addPredictions(&row, upper: upper.span, columns: start..<end, mode: modes[block] & 15)
    }
    start = max(start, end)
  }
}

/// Adds the samples of two pixels.
@inline(__always)
func addPixels(_ a: UInt32, _ b: UInt32) -> UInt32 {
  let alphaGreen = (a & 0xFF00_FF00) &+ (b & 0xFF00_FF00)
  let redBlue = (a & 0x00FF_00FF) &+ (b & 0x00FF_00FF)
  return (alphaGreen & 0xFF00_FF00) | (redBlue & 0x00FF_00FF)
}
