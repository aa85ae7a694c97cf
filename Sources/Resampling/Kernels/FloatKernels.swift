// The horizontal pass on floating-point samples.

/// Filters one row horizontally.
///
/// - Parameters:
///   - row: `lanes` samples for every pixel, a multiple of four.
///   - target: receives `lanes` samples for every target position.
func filterHorizontally(
  _ row: Span<Float>, lanes: Int, taps: Span<FloatWeights.Taps>, weights: Span<Float>,
  into target: inout MutableSpan<Float>
) {
  precondition(lanes > 0 && lanes % 4 == 0 && taps.count * lanes <= target.count, "the target row is too short")
  // SAFETY: for each target position, the precondition in the loop bounds the pixels and weights that are read. Each
  // target position receives `lanes` numbers, checked above.
  unsafe row.withUnsafeBufferPointer { row in
    unsafe weights.withUnsafeBufferPointer { weights in
      unsafe target.withUnsafeMutableBufferPointer { target in
        let sampleCount = row.count
        guard let row = row.baseAddress, let target = target.baseAddress else { return }
        for x in taps.indices {
          let tap = taps[x]
          precondition(
            tap.start >= 0 && tap.count >= 0 && tap.offset >= 0 && tap.offset &+ tap.count <= weights.count
              && (tap.start &+ tap.count) &* lanes <= sampleCount, "the weights exceed the row")
          var lane = 0
          while lane < lanes {
            var source = unsafe UnsafeRawPointer(row + (tap.start &* lanes &+ lane))
            var sum = SIMD4<Float>()
            var index = tap.offset
            let end = tap.offset &+ tap.count
            while index < end {
              let pixel = unsafe source.loadUnaligned(as: SIMD4<Float>.self)
              unsafe sum += pixel * SIMD4(repeating: weights[index])
              unsafe source += lanes &* 4
              index &+= 1
            }
            unsafe UnsafeMutableRawPointer(target + (x &* lanes &+ lane)).storeBytes(of: sum, as: SIMD4<Float>.self)
            lane &+= 4
          }
        }
      }
    }
  }
}
