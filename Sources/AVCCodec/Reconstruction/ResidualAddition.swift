// Adding residuals to predicted samples (section 8.5.14), and residuals without transform (section 8.5.15).

/// Adds a square of residuals, row by row, to samples, and clears them.
func addResiduals(
  _ residuals: inout MutableSpan<Int32>, at start: Int, size: Int, maximum: Int32,
  to values: inout MutableSpan<UInt16>, _ position: SamplePosition
) {
  for y in 0..<size {
    let row = position.index &+ y &* position.stride
    let source = start &+ y &* size
    for x in 0..<size {
      let sum = Int32(values[row &+ x]) &+ residuals[source &+ x]
      values[row &+ x] = UInt16(truncatingIfNeeded: min(max(sum, 0), maximum))
      residuals[source &+ x] = 0
    }
  }
}

/// Makes residuals sums of those to the left or above in a block, as prediction modes of these directions require if
/// there is no transform.
func accumulateResiduals(
  _ residuals: inout MutableSpan<Int32>, at start: Int, width: Int, height: Int, isHorizontal: Bool
) {
  for y in (isHorizontal ? 0 : 1)..<height {
    for x in (isHorizontal ? 1 : 0)..<width {
      let index = start &+ y &* width &+ x
      residuals[index] = residuals[index] &+ residuals[isHorizontal ? index &- 1 : index &- width]
    }
  }
}
