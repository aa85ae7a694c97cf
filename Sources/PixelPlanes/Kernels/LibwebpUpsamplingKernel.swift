// libwebp's "fancy" upsampling of 4:2:0: weights 9 : 3 : 3 : 1 in sixteenths, in two steps that both round
// (src/dsp/upsampling.c).

internal import VectorLanes

/// Upsamples two rows of chroma, half as wide as luma, to one row as wide as luma.
///
/// - Parameters:
///   - near: the chroma row that covers the luma row.
///   - far: the other chroma row adjacent to the luma row; `near` again in the first and last row.
///   - width: the number of luma columns. `near` and `far` have at least half as many samples, rounded up.
///   - output: receives `width` samples.
package func upsampleLibwebpRow(
  near: Span<UInt8>, far: Span<UInt8>, width: Int, into output: inout MutableSpan<UInt8>
) {
  let count = (width &+ 1) / 2
  precondition(
    width >= 0 && width <= 1 << 20 && near.count >= count && far.count >= count && output.count >= width,
    "a row is too short")
  if width == 0 { return }
  output[0] = edge(near[0], far[0])
  // Each pair is the columns 2x + 1 and 2x + 2, between the chroma columns x and x + 1.
  let pairCount = (width &- 1) / 2
  var pair = 0
  unsafe near.withUnsafeBytes { nearBytes in
    unsafe far.withUnsafeBytes { farBytes in
      unsafe output.withUnsafeMutableBytes { outputBytes in
        while pair < pairCount && pairCount >= 16 {
          // The last sixteen pairs overlap those before them.
          pair = min(pair, pairCount &- 16)
          // SAFETY: `pairCount + 1 <= count`, so that sixteen samples exist from `pair + 1` on. Output has 32 bytes
          // from `2 * pair + 1` on, because `2 * pairCount + 1 <= width`.
          let near0 = unsafe nearBytes.loadUnaligned(fromByteOffset: pair, as: SIMD16<UInt8>.self)
          let near1 = unsafe nearBytes.loadUnaligned(fromByteOffset: pair &+ 1, as: SIMD16<UInt8>.self)
          let far0 = unsafe farBytes.loadUnaligned(fromByteOffset: pair, as: SIMD16<UInt8>.self)
          let far1 = unsafe farBytes.loadUnaligned(fromByteOffset: pair &+ 1, as: SIMD16<UInt8>.self)
          let inner = (widenLow(near1) &+ widenLow(far0), widenHigh(near1) &+ widenHigh(far0))
          let outer = (widenLow(near0) &+ widenLow(far1), widenHigh(near0) &+ widenHigh(far1))
          let left = blend(near0, inner, outer)
          let right = blend(near1, outer, inner)
          unsafe outputBytes.storeBytes(
            of: interleaveLow8(left, right), toByteOffset: 2 &* pair &+ 1, as: UInt8x16.self)
          unsafe outputBytes.storeBytes(
            of: interleaveHigh8(left, right), toByteOffset: 2 &* pair &+ 17, as: UInt8x16.self)
          pair &+= 16
        }
      }
    }
  }
  while pair < pairCount {
    let (n0, n1, f0, f1) = (UInt32(near[pair]), UInt32(near[pair &+ 1]), UInt32(far[pair]), UInt32(far[pair &+ 1]))
    let sum = n0 &+ n1 &+ f0 &+ f1 &+ 8
    output[2 &* pair &+ 1] = UInt8(truncatingIfNeeded: ((sum &+ 2 &* (n1 &+ f0)) &>> 3 &+ n0) &>> 1)
    output[2 &* pair &+ 2] = UInt8(truncatingIfNeeded: ((sum &+ 2 &* (n0 &+ f1)) &>> 3 &+ n1) &>> 1)
    pair &+= 1
  }
  if width % 2 == 0 { output[width &- 1] = edge(near[count &- 1], far[count &- 1]) }
}

private func edge(_ near: UInt8, _ far: UInt8) -> UInt8 {
  UInt8(truncatingIfNeeded: (3 &* UInt32(near) &+ UInt32(far) &+ 2) &>> 2)
}

/// Interpolates sixteen samples.
///
/// - Parameters:
///   - nearest: the nearest samples.
///   - close: the sums of the two samples next to them, for the lower and the upper eight.
///   - distant: the sums of the nearest and of the farthest sample.
@inline(__always)
private func blend(
  _ nearest: UInt8x16, _ close: (low: Int16x8, high: Int16x8), _ distant: (low: Int16x8, high: Int16x8)
) -> UInt8x16 {
  // The sum of the weighted samples and 8, divided by 8, is one more than without the 8, as the mean's rounding is.
  let low = shiftRight(distant.low &+ close.low &+ close.low &+ close.low, by: 3)
  let high = shiftRight(distant.high &+ close.high &+ close.high &+ close.high, by: 3)
  return averageRoundingUp(nearest, packUnsignedSaturating(low, high))
}
