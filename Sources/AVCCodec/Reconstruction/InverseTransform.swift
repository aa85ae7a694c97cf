// The inverse transforms (sections 8.5.10 to 8.5.13), in place on blocks of coefficients that are stored row by row.

/// Transforms blocks of coefficients to residuals.
package enum InverseTransform {
  /// 4 × 4 residuals, rounded and shifted.
  package static func transform4x4(_ block: inout MutableSpan<Int32>, at start: Int) {
    for row in 0..<4 {
      let index = start &+ row &* 4
      let result = transform(block[index], block[index &+ 1], block[index &+ 2], block[index &+ 3])
      (block[index], block[index &+ 1], block[index &+ 2], block[index &+ 3]) = result
    }
    for column in 0..<4 {
      let index = start &+ column
      let result = transform(block[index], block[index &+ 4], block[index &+ 8], block[index &+ 12])
      block[index] = (result.0 &+ 32) &>> 6
      block[index &+ 4] = (result.1 &+ 32) &>> 6
      block[index &+ 8] = (result.2 &+ 32) &>> 6
      block[index &+ 12] = (result.3 &+ 32) &>> 6
    }
  }

  @inline(__always)
  private static func transform(_ a: Int32, _ b: Int32, _ c: Int32, _ d: Int32) -> (Int32, Int32, Int32, Int32) {
    let (even, odd) = (a &+ c, a &- c)
    let (low, high) = ((b &>> 1) &- d, b &+ (d &>> 1))
    return (even &+ high, odd &+ low, odd &- low, even &- high)
  }

  /// 8 × 8 residuals, rounded and shifted.
  package static func transform8x8(_ block: inout MutableSpan<Int32>, at start: Int) {
    for row in 0..<8 { transformLine(&block, start &+ row &* 8, stride: 1) }
    for column in 0..<8 { transformLine(&block, start &+ column, stride: 8) }
    for index in start..<start &+ 64 { block[index] = (block[index] &+ 32) &>> 6 }
  }

  @inline(__always)
  private static func transformLine(_ block: inout MutableSpan<Int32>, _ start: Int, stride: Int) {
    let (a0, a1) = (block[start], block[start &+ stride])
    let (a2, a3) = (block[start &+ 2 &* stride], block[start &+ 3 &* stride])
    let (a4, a5) = (block[start &+ 4 &* stride], block[start &+ 5 &* stride])
    let (a6, a7) = (block[start &+ 6 &* stride], block[start &+ 7 &* stride])
    let (e0, e2) = (a0 &+ a4, a0 &- a4)
    let (e4, e6) = ((a2 &>> 1) &- a6, a2 &+ (a6 &>> 1))
    let e1 = a5 &- a3 &- a7 &- (a7 &>> 1)
    let e3 = a1 &+ a7 &- a3 &- (a3 &>> 1)
    let e5 = a7 &- a1 &+ a5 &+ (a5 &>> 1)
    let e7 = a3 &+ a5 &+ a1 &+ (a1 &>> 1)
    let (f0, f2, f4, f6) = (e0 &+ e6, e2 &+ e4, e2 &- e4, e0 &- e6)
    let (f1, f7) = (e1 &+ (e7 &>> 2), e7 &- (e1 &>> 2))
    let (f3, f5) = (e3 &+ (e5 &>> 2), (e3 &>> 2) &- e5)
    block[start] = f0 &+ f7
    block[start &+ stride] = f2 &+ f5
    block[start &+ 2 &* stride] = f4 &+ f3
    block[start &+ 3 &* stride] = f6 &+ f1
    block[start &+ 4 &* stride] = f6 &- f1
    block[start &+ 5 &* stride] = f4 &- f3
    block[start &+ 6 &* stride] = f2 &- f5
    block[start &+ 7 &* stride] = f0 &- f7
  }

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
