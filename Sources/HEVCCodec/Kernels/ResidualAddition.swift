// Residuals are added to predictions (section 8.6.6).

internal import VectorLanes

/// Adds the residuals of a block to its prediction.
///
/// - Parameters:
///   - index: of the block's first sample.
///   - residuals: in raster order.
///   - bitDepth: 8…12.
@inline(never)
package func addResiduals(
  _ residuals: Span<Int16>, to samples: inout MutableSpan<UInt16>, at index: Int, stride: Int, log2Size: Int,
  bitDepth: Int
) {
  let size = 1 &<< log2Size
  precondition(
    log2Size >= 2 && log2Size <= 5 && index >= 0 && stride >= size && stride < 1 << 24
      && index <= samples.count &- (size &- 1) &* stride &- size && residuals.count >= size &* size && bitDepth <= 14,
    "the block is present")
  let maximumValue = Int16x8(repeating: 1 &<< Int16(truncatingIfNeeded: bitDepth) &- 1)
  // SAFETY: rows of the block are in the samples by the precondition; narrow rows are loaded and stored as eight bytes.
  unsafe residuals.withUnsafeBufferPointer { residuals in
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let residuals = residuals.baseAddress, let samples = samples.baseAddress else { return }
      var source = unsafe UnsafeRawPointer(residuals)
      var target = unsafe UnsafeMutableRawPointer(samples + index)
      if size == 4 {
        for _ in 0..<4 {
          let residual = unsafe source.loadUnaligned(as: SIMD4<Int16>.self)
          let sample = unsafe target.loadUnaligned(as: SIMD4<Int16>.self)
          let zero = SIMD4<Int16>()
          let sum = addSaturating(
            SIMD8(lowHalf: sample, highHalf: zero), SIMD8(lowHalf: residual, highHalf: zero))
          let value = minimum(maximum(sum, Int16x8()), maximumValue)
          unsafe target.storeBytes(of: unsafeBitCast(value, to: SIMD2<UInt64>.self)[0], as: UInt64.self)
          unsafe source += 8
          unsafe target += 2 &* stride
        }
        return
      }
      for _ in 0..<size {
        var x = 0
        while x < 2 &* size {
          let residual = unsafe source.loadUnaligned(fromByteOffset: x, as: Int16x8.self)
          let sample = unsafe target.loadUnaligned(fromByteOffset: x, as: Int16x8.self)
          let value = minimum(maximum(addSaturating(sample, residual), Int16x8()), maximumValue)
          unsafe target.storeBytes(of: value, toByteOffset: x, as: Int16x8.self)
          x &+= 16
        }
        unsafe source += 2 &* size
        unsafe target += 2 &* stride
      }
    }
  }
}
