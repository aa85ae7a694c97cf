// The predictors of the lossless process. ITU-T T.81, section H.1.2.1.

/// Turns a row of differences into samples.
///
/// - Parameters:
///   - row: the differences; receives the samples, before the point transform.
///   - above: the samples of the previous row, of the same length.
///   - isFirst: whether the row is the first of the scan or of a restart interval, which is predicted from itself only.
///   - initial: the prediction of the first sample of a first row.
func predictRow(
  _ row: inout MutableSpan<UInt16>, above: Span<UInt16>, isFirst: Bool, componentCount step: Int, predictor: Int,
  initial: UInt16
) {
  guard !isFirst else {
    for index in 0..<step { row[index] = row[index] &+ initial }
    for index in step..<row.count { row[index] = row[index] &+ row[index &- step] }
    return
  }
  for index in 0..<step { row[index] = row[index] &+ above[index] }
  switch predictor {
  case 1: predict(&row, above, step) { left, _, _ in left }
  case 2: predict(&row, above, step) { _, up, _ in up }
  case 3: predict(&row, above, step) { _, _, corner in corner }
  case 4: predict(&row, above, step) { left, up, corner in left &+ up &- corner }
  case 5: predict(&row, above, step) { left, up, corner in left &+ (up &- corner) &>> 1 }
  case 6: predict(&row, above, step) { left, up, corner in up &+ (left &- corner) &>> 1 }
  default: predict(&row, above, step) { left, up, _ in (left &+ up) &>> 1 }
  }
}

/// Adds the prediction from the neighbours to the left, above, and above to the left.
@inline(__always)
private func predict(
  _ row: inout MutableSpan<UInt16>, _ above: Span<UInt16>, _ step: Int, _ prediction: (Int32, Int32, Int32) -> Int32
) {
  for index in step..<row.count {
    let (left, up, corner) = (Int32(row[index &- step]), Int32(above[index]), Int32(above[index &- step]))
    row[index] = row[index] &+ UInt16(truncatingIfNeeded: prediction(left, up, corner))
  }
}
