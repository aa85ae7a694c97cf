// Exchanges rows and columns of a strip of sixteen rows, so that a vector holds one sample of each row.

/// The number of rows in a strip.
let stripHeight = 16

/// Transposes blocks of 16 × 16 bytes.
///
/// - Parameters:
///   - source: rows of bytes, `sourceStride` apart, of which `columnCount` bytes are read, rounded up to sixteen.
///   - target: receives column `x` of the strip at `x * targetStride`, or, if `targetIsStrip`, the same with the roles of
///     rows and columns exchanged: `source` then has `columnCount` rows of sixteen bytes, and `target` sixteen rows of
///     `columnCount` bytes.
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

/// One stage of four: interleaves rows r and r + 8. Four such stages transpose.
@inline(__always)
private func interleaveHalves(_ rows: inout InlineArray<16, Bytes>) {
  let old = rows
  var index = 0
  while index < 8 {
    rows[index &* 2] = interleaveLow(old[index], old[index &+ 8])
    rows[index &* 2 &+ 1] = interleaveHigh(old[index], old[index &+ 8])
    index &+= 1
  }
}

@inline(__always)
private func transposeBlock(
  _ source: UnsafeRawPointer, _ sourceStride: Int, _ target: UnsafeMutableRawPointer, _ targetStride: Int
) {
  var rows = InlineArray<16, Bytes>(repeating: Bytes())
  var index = 0
  while index < 16 {
    rows[index] = unsafe (source + index &* sourceStride).loadUnaligned(as: Bytes.self)
    index &+= 1
  }
  interleaveHalves(&rows)
  interleaveHalves(&rows)
  interleaveHalves(&rows)
  interleaveHalves(&rows)
  index = 0
  while index < 16 {
    unsafe (target + index &* targetStride).storeBytes(of: rows[index], as: Bytes.self)
    index &+= 1
  }
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
          let one = unsafe first.loadUnaligned(as: Bytes.self)
          let other = unsafe (first + channels &* 16).loadUnaligned(as: Bytes.self)
          let (low, high) = (interleaveLow(one, other), interleaveHigh(one, other))
          let target = unsafe UnsafeMutableRawPointer(pairs) + (pair &* channels &+ channel) &* 64
          unsafe target.storeBytes(of: widenLow(low), as: Words.self)
          unsafe (target + 16).storeBytes(of: widenHigh(low), as: Words.self)
          unsafe (target + 32).storeBytes(of: widenLow(high), as: Words.self)
          unsafe (target + 48).storeBytes(of: widenHigh(high), as: Words.self)
          channel &+= 1
        }
        pair &+= 1
      }
    }
  }
}
