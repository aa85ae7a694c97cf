// The inverse Walsh-Hadamard transform of lossless blocks (sections 7.13.2.10 and 7.13.3).

/// Inverts the transform of 4 × 4 coefficients and adds the residuals to samples.
///
/// - Parameter coefficients: column by column; set to zero.
func addWalshHadamard(
  _ coefficients: inout MutableSpan<Int32>, to samples: inout MutableSpan<UInt16>, at index: Int, stride: Int,
  maximum: Int32
) {
  var rows = InlineArray<16, Int32>(repeating: 0)
  for row in 0..<4 {
    let result = invertWalshHadamard(
      coefficients[row], coefficients[row &+ 4], coefficients[row &+ 8], coefficients[row &+ 12], shift: 2)
    (rows[row &* 4], rows[row &* 4 &+ 1]) = (result.0, result.1)
    (rows[row &* 4 &+ 2], rows[row &* 4 &+ 3]) = (result.2, result.3)
  }
  for position in 0..<16 { coefficients[position] = 0 }
  for column in 0..<4 {
    let result = invertWalshHadamard(rows[column], rows[column &+ 4], rows[column &+ 8], rows[column &+ 12], shift: 0)
    let first = index &+ column
    add(result.0, to: &samples, at: first, maximum)
    add(result.1, to: &samples, at: first &+ stride, maximum)
    add(result.2, to: &samples, at: first &+ 2 &* stride, maximum)
    add(result.3, to: &samples, at: first &+ 3 &* stride, maximum)
  }
}

@inline(__always)
private func add(_ residual: Int32, to samples: inout MutableSpan<UInt16>, at index: Int, _ maximum: Int32) {
  samples[index] = UInt16(truncatingIfNeeded: min(max(Int32(samples[index]) &+ residual, 0), maximum))
}

@inline(__always)
private func invertWalshHadamard(
  _ t0: Int32, _ t1: Int32, _ t2: Int32, _ t3: Int32, shift: Int32
) -> (Int32, Int32, Int32, Int32) {
  var (a, c, d, b) = (t0 &>> shift, t1 &>> shift, t2 &>> shift, t3 &>> shift)
  a &+= c
  d &-= b
  let e = (a &- d) &>> 1
  b = e &- b
  c = e &- c
  a &-= b
  d &+= c
  return (a, b, c, d)
}
