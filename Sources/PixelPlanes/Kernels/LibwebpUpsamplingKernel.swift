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
          let samples = unsafe SquareOfSamples(nearBytes, farBytes, at: pair)
          unsafe storePairs(samples.nearLeft, samples.nearRight, outputBytes, at: 2 &* pair &+ 1)
          pair &+= 16
        }
      }
    }
  }
  upsample(near, far, pairs: pair..<max(pair, pairCount), into: &output)
  if width % 2 == 0 { output[width &- 1] = edge(near[count &- 1], far[count &- 1]) }
}

/// Upsamples two rows of chroma to the two luma rows between their centres, which takes little longer than one of them.
///
/// - Parameters:
///   - near: the chroma row that covers the first luma row.
///   - far: the next chroma row, which covers the second luma row.
///   - width: the number of luma columns. `near` and `far` have at least half as many samples, rounded up.
///   - nearOutput: receives `width` samples for the first luma row.
///   - farOutput: the same for the second one.
package func upsampleLibwebpRows(
  near: Span<UInt8>, far: Span<UInt8>, width: Int, into nearOutput: inout MutableSpan<UInt8>,
  and farOutput: inout MutableSpan<UInt8>
) {
  let count = (width &+ 1) / 2
  precondition(
    width >= 0 && width <= 1 << 20 && near.count >= count && far.count >= count && nearOutput.count >= width
      && farOutput.count >= width, "a row is too short")
  if width == 0 { return }
  nearOutput[0] = edge(near[0], far[0])
  farOutput[0] = edge(far[0], near[0])
  let pairCount = (width &- 1) / 2
  var pair = 0
  unsafe near.withUnsafeBytes { nearBytes in
    unsafe far.withUnsafeBytes { farBytes in
      unsafe nearOutput.withUnsafeMutableBytes { nearOutputBytes in
        unsafe farOutput.withUnsafeMutableBytes { farOutputBytes in
          while pair < pairCount && pairCount >= 16 {
            pair = min(pair, pairCount &- 16)
            // SAFETY: as in upsampleLibwebpRow, for both outputs.
            let samples = unsafe SquareOfSamples(nearBytes, farBytes, at: pair)
            unsafe storePairs(samples.nearLeft, samples.nearRight, nearOutputBytes, at: 2 &* pair &+ 1)
            unsafe storePairs(samples.farLeft, samples.farRight, farOutputBytes, at: 2 &* pair &+ 1)
            pair &+= 16
          }
        }
      }
    }
  }
  upsample(near, far, pairs: pair..<max(pair, pairCount), into: &nearOutput)
  upsample(far, near, pairs: pair..<max(pair, pairCount), into: &farOutput)
  if width % 2 == 0 {
    nearOutput[width &- 1] = edge(near[count &- 1], far[count &- 1])
    farOutput[width &- 1] = edge(far[count &- 1], near[count &- 1])
  }
}

/// Upsamples pairs of columns, one sample at a time.
private func upsample(
  _ near: Span<UInt8>, _ far: Span<UInt8>, pairs: Range<Int>, into output: inout MutableSpan<UInt8>
) {
  for pair in pairs {
    let (n0, n1, f0, f1) = (UInt32(near[pair]), UInt32(near[pair &+ 1]), UInt32(far[pair]), UInt32(far[pair &+ 1]))
    let sum = n0 &+ n1 &+ f0 &+ f1 &+ 8
    output[2 &* pair &+ 1] = UInt8(truncatingIfNeeded: ((sum &+ 2 &* (n1 &+ f0)) &>> 3 &+ n0) &>> 1)
    output[2 &* pair &+ 2] = UInt8(truncatingIfNeeded: ((sum &+ 2 &* (n0 &+ f1)) &>> 3 &+ n1) &>> 1)
  }
}

private func edge(_ near: UInt8, _ far: UInt8) -> UInt8 {
  UInt8(truncatingIfNeeded: (3 &* UInt32(near) &+ UInt32(far) &+ 2) &>> 2)
}

/// Stores sixteen pairs of samples.
@inline(__always)
@unsafe private func storePairs(
  _ left: UInt8x16, _ right: UInt8x16, _ output: UnsafeMutableRawBufferPointer, at index: Int
) {
  // SAFETY: the callers prove that 32 bytes exist from `index` on.
  unsafe output.storeBytes(of: interleaveLow8(left, right), toByteOffset: index, as: UInt8x16.self)
  unsafe output.storeBytes(of: interleaveHigh8(left, right), toByteOffset: index &+ 16, as: UInt8x16.self)
}

/// Sixteen squares of four chroma samples: the upper two from one row, the lower two from the other.
private struct SquareOfSamples {
  let near0, near1, far0, far1: UInt8x16
  /// Three eighths of near1 and far0, and one of near0 and far1, rounded down.
  private let rising: UInt8x16
  /// Three eighths of near0 and far1, and one of near1 and far0, rounded down.
  private let falling: UInt8x16

  /// - Parameter index: the first of seventeen columns.
  @inline(__always)
  @unsafe init(_ near: UnsafeRawBufferPointer, _ far: UnsafeRawBufferPointer, at index: Int) {
    // SAFETY: the callers prove that seventeen samples exist from `index` on in both rows.
    near0 = unsafe near.loadUnaligned(fromByteOffset: index, as: UInt8x16.self)
    near1 = unsafe near.loadUnaligned(fromByteOffset: index &+ 1, as: UInt8x16.self)
    far0 = unsafe far.loadUnaligned(fromByteOffset: index, as: UInt8x16.self)
    far1 = unsafe far.loadUnaligned(fromByteOffset: index &+ 1, as: UInt8x16.self)
    // Means are rounded up. Where a bit was rounded up that the sum of the numbers does not have, it is subtracted.
    let one = UInt8x16(repeating: 1)
    let (outer, inner) = (averageRoundingUp(near0, far1), averageRoundingUp(near1, far0))
    let (outerBits, innerBits) = (near0 ^ far1, near1 ^ far0)
    let difference = outer ^ inner
    let mean = averageRoundingUp(outer, inner) &- ((outerBits | innerBits | difference) & one)
    rising = averageRoundingUp(mean, inner) &- ((innerBits & difference | (mean ^ inner)) & one)
    falling = averageRoundingUp(mean, outer) &- ((outerBits & difference | (mean ^ outer)) & one)
  }

  /// The samples between the columns of the square, in the upper and in the lower of the two luma rows.
  var nearLeft: UInt8x16 { @inline(__always) get { averageRoundingUp(near0, rising) } }
  var nearRight: UInt8x16 { @inline(__always) get { averageRoundingUp(near1, falling) } }
  var farLeft: UInt8x16 { @inline(__always) get { averageRoundingUp(far0, falling) } }
  var farRight: UInt8x16 { @inline(__always) get { averageRoundingUp(far1, rising) } }
}
