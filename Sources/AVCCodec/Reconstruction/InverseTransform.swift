// The inverse transforms of DC coefficients (sections 8.5.10 and 8.5.11), in place on blocks that are stored row by row.

/// Transforms blocks of DC coefficients.
package enum InverseTransform {
  /// A Hadamard transform of a 4 × 4 block of DC coefficients.
  package static func transformDC4x4(_ block: inout MutableSpan<Int32>, at start: Int) {
    for row in 0..<4 { hadamard(&block, start &+ row &* 4, stride: 1) }
    for column in 0..<4 { hadamard(&block, start &+ column, stride: 4) }
  }

  /// A Hadamard transform of DC coefficients of chroma in two columns and two or four rows.
  package static func transformChromaDC(_ block: inout MutableSpan<Int32>, at start: Int, rowCount: Int) {
    for row in 0..<rowCount {
      let (a, b) = (block[start &+ 2 &* row], block[start &+ 2 &* row &+ 1])
      (block[start &+ 2 &* row], block[start &+ 2 &* row &+ 1]) = (a &+ b, a &- b)
    }
    for column in start..<start &+ 2 {
      if rowCount == 2 {
        let (a, b) = (block[column], block[column &+ 2])
        (block[column], block[column &+ 2]) = (a &+ b, a &- b)
      } else {
        hadamard(&block, column, stride: 2)
      }
    }
  }

  @inline(__always)
  private static func hadamard(_ block: inout MutableSpan<Int32>, _ start: Int, stride: Int) {
    let (a, b) = (block[start], block[start &+ stride])
    let (c, d) = (block[start &+ 2 &* stride], block[start &+ 3 &* stride])
    let (sum, difference) = (a &+ b, a &- b)
    let (sum2, difference2) = (c &+ d, c &- d)
    block[start] = sum &+ sum2
    block[start &+ stride] = sum &- sum2
    block[start &+ 2 &* stride] = difference &- difference2
    block[start &+ 3 &* stride] = difference &+ difference2
  }
}
