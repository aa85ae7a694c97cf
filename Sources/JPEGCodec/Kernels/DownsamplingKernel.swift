// Averages of neighbouring samples as in libjpeg's jcsample.c: halves are alternately rounded down and up by column, so
// that flat areas keep their level.

internal import VectorLanes

/// Halves the columns of a row: `(a + b + bias) >> 1` with a bias alternating between 0 and 1.
///
/// - Parameter output: receives `count` samples, from twice as many in `row`.
package func halveColumns(_ row: Span<UInt8>, count: Int, into output: inout MutableSpan<UInt8>) {
  precondition(count >= 0 && count <= 1 << 20 && row.count >= 2 &* count && output.count >= count, "a row is too short")
  var column = 0
  unsafe row.withUnsafeBytes { input in
    unsafe output.withUnsafeMutableBytes { target in
      let bias = SIMD8<UInt16>(0, 1, 0, 1, 0, 1, 0, 1)
      while column &+ 16 <= count {
        // SAFETY: 32 samples of the row and 16 of the output starting here exist by the precondition.
        let low = unsafe sumOfPairs(input.loadUnaligned(fromByteOffset: 2 &* column, as: SIMD8<UInt16>.self))
        let high = unsafe sumOfPairs(input.loadUnaligned(fromByteOffset: 2 &* column &+ 16, as: SIMD8<UInt16>.self))
        unsafe target.storeBytes(
          of: pack((low &+ bias) &>> 1, (high &+ bias) &>> 1), toByteOffset: column, as: SIMD16<UInt8>.self)
        column &+= 16
      }
    }
  }
  while column < count {
    let sum = UInt32(row[2 &* column]) &+ UInt32(row[2 &* column &+ 1])
    output[column] = UInt8(truncatingIfNeeded: (sum &+ UInt32(column & 1)) &>> 1)
    column &+= 1
  }
}

/// Halves columns and rows: `(a + b + c + d + bias) >> 2` with a bias alternating between 1 and 2.
///
/// - Parameter output: receives `count` samples, from twice as many in each of the rows.
package func halveBoth(
  _ upper: Span<UInt8>, _ lower: Span<UInt8>, count: Int, into output: inout MutableSpan<UInt8>
) {
  precondition(
    count >= 0 && count <= 1 << 20 && upper.count >= 2 &* count && lower.count >= 2 &* count
      && output.count >= count, "a row is too short")
  var column = 0
  unsafe upper.withUnsafeBytes { above in
    unsafe lower.withUnsafeBytes { below in
      unsafe output.withUnsafeMutableBytes { target in
        let bias = SIMD8<UInt16>(1, 2, 1, 2, 1, 2, 1, 2)
        @inline(__always) func average(_ offset: Int) -> SIMD8<UInt16> {
          // SAFETY: 16 samples of both rows starting at `offset` exist by the precondition.
          let upperPairs = unsafe above.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt16>.self)
          let lowerPairs = unsafe below.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt16>.self)
          let sum = sumOfPairs(upperPairs) &+ sumOfPairs(lowerPairs)
          return (sum &+ bias) &>> 2
        }
        while column &+ 16 <= count {
          let samples = pack(average(2 &* column), average(2 &* column &+ 16))
          unsafe target.storeBytes(of: samples, toByteOffset: column, as: SIMD16<UInt8>.self)
          column &+= 16
        }
      }
    }
  }
  while column < count {
    let sum =
      UInt32(upper[2 &* column]) &+ UInt32(upper[2 &* column &+ 1]) &+ UInt32(lower[2 &* column])
      &+ UInt32(lower[2 &* column &+ 1])
    output[column] = UInt8(truncatingIfNeeded: (sum &+ 1 &+ UInt32(column & 1)) &>> 2)
    column &+= 1
  }
}

@inline(__always)
private func sumOfPairs(_ pairs: SIMD8<UInt16>) -> SIMD8<UInt16> { (pairs & 0xFF) &+ (pairs &>> 8) }

@inline(__always)
private func pack(_ low: SIMD8<UInt16>, _ high: SIMD8<UInt16>) -> SIMD16<UInt8> {
  // SAFETY: all types are 16 bytes, for which every bit pattern is valid; the values are at most 255.
  unsafe packUnsignedSaturating(
    unsafeBitCast(low, to: SIMD8<Int16>.self), unsafeBitCast(high, to: SIMD8<Int16>.self))
}
