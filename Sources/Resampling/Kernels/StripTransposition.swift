// Exchanges rows and columns of a strip of sixteen rows, so that a vector holds one sample of each row.

internal import VectorLanes

/// The number of rows in a strip.
let stripHeight = 16

/// Transposes blocks of 16 × 16 bytes.
///
/// - Parameters:
///   - source: sixteen rows, `sourceStride` bytes apart, if `sourceIsStrip`; otherwise its columns, sixteen bytes each.
///   - target: receives the columns, `targetStride` bytes apart, or the sixteen rows.
///   - blockCount: a sixteenth of the number of bytes in a row.
func transposeBlocks(
  _ source: Span<UInt8>, stride sourceStride: Int, into target: inout MutableSpan<UInt8>, stride targetStride: Int,
  blockCount: Int, sourceIsStrip: Bool
) {
  let sourceStep = sourceIsStrip ? 16 : 16 * sourceStride
  let targetStep = sourceIsStrip ? 16 * targetStride : 16
  guard blockCount > 0 else { return }
  precondition(
    sourceStride >= 16 && targetStride >= 16
      && (blockCount - 1) * sourceStep + 15 * sourceStride + 16 <= source.count
      && (blockCount - 1) * targetStep + 15 * targetStride + 16 <= target.count, "a strip is too short")
  // SAFETY: block b reads rows of 16 bytes at b * sourceStep + r * sourceStride and writes them at b * targetStep +
  // r * targetStride for r in 0..<16, within the spans by the precondition.
  unsafe source.withUnsafeBufferPointer { source in
    unsafe target.withUnsafeMutableBufferPointer { target in
      guard let from = source.baseAddress, let to = target.baseAddress else { return }
      var block = 0
      while block < blockCount {
        unsafe transposeBlock(
          UnsafeRawPointer(from) + block &* sourceStep, sourceStride,
          UnsafeMutableRawPointer(to) + block &* targetStep, targetStride)
        block &+= 1
      }
    }
  }
}

/// Each of the four stages interleaves the rows r and r + 8. The rows are separate constants, because an array of them
/// would be copied by every stage.
@inline(__always)
private func transposeBlock(
  _ source: UnsafeRawPointer, _ sourceStride: Int, _ target: UnsafeMutableRawPointer, _ targetStride: Int
) {
  let a0 = unsafe (source + 0 &* sourceStride).loadUnaligned(as: UInt8x16.self)
  let a1 = unsafe (source + 1 &* sourceStride).loadUnaligned(as: UInt8x16.self)
  let a2 = unsafe (source + 2 &* sourceStride).loadUnaligned(as: UInt8x16.self)
  let a3 = unsafe (source + 3 &* sourceStride).loadUnaligned(as: UInt8x16.self)
  let a4 = unsafe (source + 4 &* sourceStride).loadUnaligned(as: UInt8x16.self)
  let a5 = unsafe (source + 5 &* sourceStride).loadUnaligned(as: UInt8x16.self)
  let a6 = unsafe (source + 6 &* sourceStride).loadUnaligned(as: UInt8x16.self)
  let a7 = unsafe (source + 7 &* sourceStride).loadUnaligned(as: UInt8x16.self)
  let a8 = unsafe (source + 8 &* sourceStride).loadUnaligned(as: UInt8x16.self)
  let a9 = unsafe (source + 9 &* sourceStride).loadUnaligned(as: UInt8x16.self)
  let a10 = unsafe (source + 10 &* sourceStride).loadUnaligned(as: UInt8x16.self)
  let a11 = unsafe (source + 11 &* sourceStride).loadUnaligned(as: UInt8x16.self)
  let a12 = unsafe (source + 12 &* sourceStride).loadUnaligned(as: UInt8x16.self)
  let a13 = unsafe (source + 13 &* sourceStride).loadUnaligned(as: UInt8x16.self)
  let a14 = unsafe (source + 14 &* sourceStride).loadUnaligned(as: UInt8x16.self)
  let a15 = unsafe (source + 15 &* sourceStride).loadUnaligned(as: UInt8x16.self)
  let (b0, b1) = (interleaveLow8(a0, a8), interleaveHigh8(a0, a8))
  let (b2, b3) = (interleaveLow8(a1, a9), interleaveHigh8(a1, a9))
  let (b4, b5) = (interleaveLow8(a2, a10), interleaveHigh8(a2, a10))
  let (b6, b7) = (interleaveLow8(a3, a11), interleaveHigh8(a3, a11))
  let (b8, b9) = (interleaveLow8(a4, a12), interleaveHigh8(a4, a12))
  let (b10, b11) = (interleaveLow8(a5, a13), interleaveHigh8(a5, a13))
  let (b12, b13) = (interleaveLow8(a6, a14), interleaveHigh8(a6, a14))
  let (b14, b15) = (interleaveLow8(a7, a15), interleaveHigh8(a7, a15))
  let (c0, c1) = (interleaveLow8(b0, b8), interleaveHigh8(b0, b8))
  let (c2, c3) = (interleaveLow8(b1, b9), interleaveHigh8(b1, b9))
  let (c4, c5) = (interleaveLow8(b2, b10), interleaveHigh8(b2, b10))
  let (c6, c7) = (interleaveLow8(b3, b11), interleaveHigh8(b3, b11))
  let (c8, c9) = (interleaveLow8(b4, b12), interleaveHigh8(b4, b12))
  let (c10, c11) = (interleaveLow8(b5, b13), interleaveHigh8(b5, b13))
  let (c12, c13) = (interleaveLow8(b6, b14), interleaveHigh8(b6, b14))
  let (c14, c15) = (interleaveLow8(b7, b15), interleaveHigh8(b7, b15))
  let (d0, d1) = (interleaveLow8(c0, c8), interleaveHigh8(c0, c8))
  let (d2, d3) = (interleaveLow8(c1, c9), interleaveHigh8(c1, c9))
  let (d4, d5) = (interleaveLow8(c2, c10), interleaveHigh8(c2, c10))
  let (d6, d7) = (interleaveLow8(c3, c11), interleaveHigh8(c3, c11))
  let (d8, d9) = (interleaveLow8(c4, c12), interleaveHigh8(c4, c12))
  let (d10, d11) = (interleaveLow8(c5, c13), interleaveHigh8(c5, c13))
  let (d12, d13) = (interleaveLow8(c6, c14), interleaveHigh8(c6, c14))
  let (d14, d15) = (interleaveLow8(c7, c15), interleaveHigh8(c7, c15))
  let (e0, e1) = (interleaveLow8(d0, d8), interleaveHigh8(d0, d8))
  let (e2, e3) = (interleaveLow8(d1, d9), interleaveHigh8(d1, d9))
  let (e4, e5) = (interleaveLow8(d2, d10), interleaveHigh8(d2, d10))
  let (e6, e7) = (interleaveLow8(d3, d11), interleaveHigh8(d3, d11))
  let (e8, e9) = (interleaveLow8(d4, d12), interleaveHigh8(d4, d12))
  let (e10, e11) = (interleaveLow8(d5, d13), interleaveHigh8(d5, d13))
  let (e12, e13) = (interleaveLow8(d6, d14), interleaveHigh8(d6, d14))
  let (e14, e15) = (interleaveLow8(d7, d15), interleaveHigh8(d7, d15))
  unsafe (target + 0 &* targetStride).storeBytes(of: e0, as: UInt8x16.self)
  unsafe (target + 1 &* targetStride).storeBytes(of: e1, as: UInt8x16.self)
  unsafe (target + 2 &* targetStride).storeBytes(of: e2, as: UInt8x16.self)
  unsafe (target + 3 &* targetStride).storeBytes(of: e3, as: UInt8x16.self)
  unsafe (target + 4 &* targetStride).storeBytes(of: e4, as: UInt8x16.self)
  unsafe (target + 5 &* targetStride).storeBytes(of: e5, as: UInt8x16.self)
  unsafe (target + 6 &* targetStride).storeBytes(of: e6, as: UInt8x16.self)
  unsafe (target + 7 &* targetStride).storeBytes(of: e7, as: UInt8x16.self)
  unsafe (target + 8 &* targetStride).storeBytes(of: e8, as: UInt8x16.self)
  unsafe (target + 9 &* targetStride).storeBytes(of: e9, as: UInt8x16.self)
  unsafe (target + 10 &* targetStride).storeBytes(of: e10, as: UInt8x16.self)
  unsafe (target + 11 &* targetStride).storeBytes(of: e11, as: UInt8x16.self)
  unsafe (target + 12 &* targetStride).storeBytes(of: e12, as: UInt8x16.self)
  unsafe (target + 13 &* targetStride).storeBytes(of: e13, as: UInt8x16.self)
  unsafe (target + 14 &* targetStride).storeBytes(of: e14, as: UInt8x16.self)
  unsafe (target + 15 &* targetStride).storeBytes(of: e15, as: UInt8x16.self)
}

/// Pairs horizontally adjacent samples of a transposed strip and widens them to 16 bits.
///
/// - Parameters:
///   - columns: sixteen bytes for every sample of a row.
///   - pairs: receives, for every pair of pixels and every channel, 32 numbers: for each of the sixteen rows the sample of
///     the first pixel and that of the second.
func pairColumns(_ columns: Span<UInt8>, channels: Int, pairCount: Int, into pairs: inout MutableSpan<Int16>) {
  precondition(
    channels > 0 && pairCount >= 0 && pairCount * channels * 32 <= columns.count
      && pairCount * channels * 32 <= pairs.count, "a strip is too short")
  // SAFETY: pair p of channel c reads 16 bytes at (2p · channels + c) · 16 and at (2p · channels + channels + c) · 16, and
  // writes 32 numbers at (p · channels + c) · 32; all are below pairCount · channels · 32, checked above.
  unsafe columns.withUnsafeBufferPointer { columns in
    unsafe pairs.withUnsafeMutableBufferPointer { pairs in
      guard let columns = columns.baseAddress, let pairs = pairs.baseAddress else { return }
      var pair = 0
      while pair < pairCount {
        var channel = 0
        while channel < channels {
          let first = unsafe UnsafeRawPointer(columns) + (pair &* 2 &* channels &+ channel) &* 16
          let one = unsafe first.loadUnaligned(as: UInt8x16.self)
          let other = unsafe (first + channels &* 16).loadUnaligned(as: UInt8x16.self)
          let (low, high) = (interleaveLow8(one, other), interleaveHigh8(one, other))
          let target = unsafe UnsafeMutableRawPointer(pairs) + (pair &* channels &+ channel) &* 64
          unsafe target.storeBytes(of: widenLow(low), as: Int16x8.self)
          unsafe (target + 16).storeBytes(of: widenHigh(low), as: Int16x8.self)
          unsafe (target + 32).storeBytes(of: widenLow(high), as: Int16x8.self)
          unsafe (target + 48).storeBytes(of: widenHigh(high), as: Int16x8.self)
          channel &+= 1
        }
        pair &+= 1
      }
    }
  }
}
