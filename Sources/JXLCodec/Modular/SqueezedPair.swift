// Pairs of samples as averages and differences (ISO/IEC 18181-1, H.6.2.2).

package enum SqueezedPair {
  /// Returns the two samples of a pair, from their average and difference, the sample before them and the next average.
  @inline(__always)
  package static func samples(_ average: Int32, _ residual: Int32, _ before: Int32, _ next: Int32) -> (Int32, Int32) {
    let difference = Int64(residual) &+ tendency(Int64(before), Int64(average), Int64(next))
    let first = Int64(average) &+ difference / 2
    return (Int32(truncatingIfNeeded: first), Int32(truncatingIfNeeded: first &- difference))
  }

  /// The expected difference of a pair with average b, after a sample a and before the average c.
  @inline(__always)
  package static func tendency(_ a: Int64, _ b: Int64, _ c: Int64) -> Int64 {
    if a >= b, b >= c {
      var x = (4 &* a &- 3 &* c &- b &+ 6) / 12
      if x &- (x & 1) > 2 &* (a &- b) { x = 2 &* (a &- b) &+ 1 }
      if x &+ (x & 1) > 2 &* (b &- c) { x = 2 &* (b &- c) }
      return x
    }
    if a <= b, b <= c {
      var x = (4 &* a &- 3 &* c &- b &- 6) / 12
      if x &+ (x & 1) < 2 &* (a &- b) { x = 2 &* (a &- b) &- 1 }
      if x &- (x & 1) < 2 &* (b &- c) { x = 2 &* (b &- c) }
      return x
    }
    return 0
  }
}
