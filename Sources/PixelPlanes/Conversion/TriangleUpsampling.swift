// libjpeg's "fancy upsampling" of chroma with half the columns or rows of luma: a triangle filter with weights 3 : 1
// over centred samples. Rounding alternates as in libjpeg-turbo's jdsample.c.

/// The upsampling of 8-bit rows as in libjpeg-turbo.
package enum TriangleUpsampling {
  /// Doubles the columns of a row.
  ///
  /// - Parameter output: receives `2 * row.count` samples.
  package static func doubleColumns(_ row: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    let count = row.count
    precondition(output.count >= 2 &* count, "the output holds twice the row")
    for column in 0..<count {
      let this = UInt32(row[column]) &* 3
      let previous = UInt32(row[max(column &- 1, 0)])
      let next = UInt32(row[min(column &+ 1, count &- 1)])
      output[2 &* column] = UInt8(truncatingIfNeeded: (this &+ previous &+ 1) &>> 2)
      output[2 &* column &+ 1] = UInt8(truncatingIfNeeded: (this &+ next &+ 2) &>> 2)
    }
  }

  /// Interpolates an output row from the nearer and the farther of two rows.
  ///
  /// - Parameter isUpper: whether the output is the upper one of the two output rows that the nearer row covers.
  package static func doubleRows(
    near: Span<UInt8>, far: Span<UInt8>, isUpper: Bool, into output: inout MutableSpan<UInt8>
  ) {
    let bias: UInt16 = isUpper ? 1 : 2
    let far = far.extracting(0..<near.count)
    for column in near.indices {
      let sum = UInt16(near[column]) &* 3 &+ UInt16(far[column]) &+ bias
      output[column] = UInt8(truncatingIfNeeded: sum &>> 2)
    }
  }

  /// Interpolates between two rows and doubles the columns of the result.
  ///
  /// - Parameter output: receives `2 * near.count` samples.
  package static func doubleBoth(near: Span<UInt8>, far: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    let count = near.count
    guard count > 0 else { return }
    precondition(far.count >= count && output.count >= 2 &* count, "the output holds twice the rows")
    var this = UInt32(near[0]) &* 3 &+ UInt32(far[0])
    var previous = this
    for column in 0..<count {
      let following = min(column &+ 1, count &- 1)
      let next = UInt32(near[following]) &* 3 &+ UInt32(far[following])
      output[2 &* column] = UInt8(truncatingIfNeeded: (this &* 3 &+ previous &+ 8) &>> 4)
      output[2 &* column &+ 1] = UInt8(truncatingIfNeeded: (this &* 3 &+ next &+ 7) &>> 4)
      previous = this
      this = next
    }
  }

  /// Multiplies a row by 4, and repeats its ends over ``weightedRowMargin``: the input of ``convertHalfWidthYCbCrRow``.
  package static func weight(_ row: Span<UInt8>, into output: inout MutableSpan<Int16>) {
    let count = row.count
    var inner = output._mutatingExtracting(weightedRowMargin..<weightedRowMargin + count)
    for index in 0..<count { inner[index] = Int16(truncatingIfNeeded: row[index]) &* 4 }
    repeatEnds(&output, count: count)
  }

  /// Computes three times one row plus another, with margins as above.
  package static func weight(near: Span<UInt8>, far: Span<UInt8>, into output: inout MutableSpan<Int16>) {
    let count = near.count
    let far = far.extracting(0..<count)
    var inner = output._mutatingExtracting(weightedRowMargin..<weightedRowMargin + count)
    for index in 0..<count {
      inner[index] = Int16(truncatingIfNeeded: near[index]) &* 3 &+ Int16(truncatingIfNeeded: far[index])
    }
    repeatEnds(&output, count: count)
  }

  private static func repeatEnds(_ row: inout MutableSpan<Int16>, count: Int) {
    guard count > 0 else { return }
    row[weightedRowMargin - 1] = row[weightedRowMargin]
    row[weightedRowMargin + count] = row[weightedRowMargin + count - 1]
  }
}
