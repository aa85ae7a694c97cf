// The two passes on 8-bit samples: sums of products of weights of 22 fractional bits, rounded and clamped. All sums wrap
// at 32 bits, so their order does not matter.

internal import VectorLanes

private typealias Sums = Int32x4

/// The two 16-bit halves of a pair of weights, in all lanes.
@inline(__always)
private func broadcast(_ pair: Int32) -> Int16x8 {
  // SAFETY: both types are 16 bytes of which every bit pattern is valid.
  unsafe unsafeBitCast(Sums(repeating: pair), to: Int16x8.self)
}

/// The rounded result of the sums of low and high parts of the weights.
@inline(__always)
private func rounded(_ low: Sums, _ high: Sums) -> Sums {
  let half = Sums(repeating: 1 << Int32(FixedPointWeights.precision - 1))
  return (low &+ (high &<< 15) &+ half) &>> Int32(FixedPointWeights.precision)
}

/// Sixteen sums, clamped to 0…255. They must be within −32768…32767.
@inline(__always)
private func narrow(_ a: Sums, _ b: Sums, _ c: Sums, _ d: Sums) -> UInt8x16 {
  packUnsignedSaturating(packSaturating(a, b), packSaturating(c, d))
}

/// Filters a strip of sixteen rows horizontally.
///
/// - Parameters:
///   - pairs: the strip as ``pairColumns(_:channels:pairCount:into:)`` lays it out.
///   - columns: receives sixteen bytes, one of each row, for every sample of a target row.
func filterHorizontally(
  _ pairs: Span<Int16>, channels: Int, taps: Span<FixedPointWeights.Taps>, low: Span<Int32>, high: Span<Int32>,
  into columns: inout MutableSpan<UInt8>
) {
  precondition(
    channels > 0 && low.count == high.count && taps.count * channels * 16 <= columns.count, "the strip is too short")
  // SAFETY: for each target position, the precondition in the loop bounds the pairs that are read, `firstPair` to
  // `firstPair + count` of every channel, 32 numbers each, and the weights. Sixteen bytes are written for each target
  // sample, checked above.
  unsafe pairs.withUnsafeBufferPointer { pairs in
    unsafe low.withUnsafeBufferPointer { low in
      unsafe high.withUnsafeBufferPointer { high in
        unsafe columns.withUnsafeMutableBufferPointer { columns in
          guard let samples = pairs.baseAddress, let columns = columns.baseAddress else { return }
          var target = UnsafeMutableRawPointer(columns)
          let step = channels &* 64
          for x in taps.indices {
            let tap = taps[x]
            precondition(
              tap.firstPair >= 0 && tap.count >= 0 && tap.offset >= 0
                && (tap.firstPair &+ tap.count) &* channels &* 32 <= pairs.count
                && tap.offset &+ tap.count <= low.count,
              "the weights exceed the row")
            for channel in 0..<channels {
              var source = unsafe UnsafeRawPointer(samples) + (tap.firstPair &* channels &+ channel) &* 64
              var (low0, low1, low2, low3) = (Sums(), Sums(), Sums(), Sums())
              var (high0, high1, high2, high3) = (Sums(), Sums(), Sums(), Sums())
              var index = tap.offset
              let end = tap.offset &+ tap.count
              while index < end {
                let lowWeights = unsafe broadcast(low[index])
                let highWeights = unsafe broadcast(high[index])
                let a = unsafe source.loadUnaligned(as: Int16x8.self)
                let b = unsafe (source + 16).loadUnaligned(as: Int16x8.self)
                let c = unsafe (source + 32).loadUnaligned(as: Int16x8.self)
                let d = unsafe (source + 48).loadUnaligned(as: Int16x8.self)
                low0 &+= multiplyAddPairs(a, lowWeights)
                high0 &+= multiplyAddPairs(a, highWeights)
                low1 &+= multiplyAddPairs(b, lowWeights)
                high1 &+= multiplyAddPairs(b, highWeights)
                low2 &+= multiplyAddPairs(c, lowWeights)
                high2 &+= multiplyAddPairs(c, highWeights)
                low3 &+= multiplyAddPairs(d, lowWeights)
                high3 &+= multiplyAddPairs(d, highWeights)
                unsafe source += step
                index &+= 1
              }
              unsafe target.storeBytes(
                of: narrow(
                  rounded(low0, high0), rounded(low1, high1), rounded(low2, high2), rounded(low3, high3)),
                as: UInt8x16.self)
              unsafe target += 16
            }
          }
        }
      }
    }
  }
}

/// Filters one target row vertically.
///
/// - Parameters:
///   - rows: rows of samples, `stride` bytes each, a multiple of sixteen.
///   - offsets: the starts of the contributing rows in `rows`, two for every element of `low`.
///   - target: receives `stride` bytes.
func filterVertically(
  _ rows: Span<UInt8>, stride: Int, offsets: Span<Int>, low: Span<Int32>, high: Span<Int32>,
  into target: inout MutableSpan<UInt8>
) {
  precondition(
    stride >= 0 && stride % 16 == 0 && stride <= target.count && low.count == high.count
      && offsets.count == low.count * 2, "the row is too short")
  for index in offsets.indices {
    precondition(offsets[index] >= 0 && offsets[index] + stride <= rows.count, "the row is out of range")
  }
  // SAFETY: every offset starts a row inside `rows`, checked above; columns are below `stride`, in steps of sixteen. The arrays
  // of offsets and weights have the checked counts.
  unsafe rows.withUnsafeBufferPointer { rows in
    unsafe offsets.withUnsafeBufferPointer { offsets in
      unsafe low.withUnsafeBufferPointer { low in
        unsafe high.withUnsafeBufferPointer { high in
          unsafe target.withUnsafeMutableBufferPointer { target in
            guard let rows = rows.baseAddress, let target = target.baseAddress else { return }
            let count = low.count
            var column = 0
            while column < stride {
              let source = unsafe UnsafeRawPointer(rows) + column
              var (low0, low1, low2, low3) = (Sums(), Sums(), Sums(), Sums())
              var (high0, high1, high2, high3) = (Sums(), Sums(), Sums(), Sums())
              var index = 0
              while index < count {
                let lowWeights = unsafe broadcast(low[index])
                let highWeights = unsafe broadcast(high[index])
                let one = unsafe (source + offsets[index &* 2]).loadUnaligned(as: UInt8x16.self)
                let other = unsafe (source + offsets[index &* 2 &+ 1]).loadUnaligned(
                  as: UInt8x16.self)
                let (left, right) = (interleaveLow8(one, other), interleaveHigh8(one, other))
                let (a, b, c, d) = (widenLow(left), widenHigh(left), widenLow(right), widenHigh(right))
                low0 &+= multiplyAddPairs(a, lowWeights)
                high0 &+= multiplyAddPairs(a, highWeights)
                low1 &+= multiplyAddPairs(b, lowWeights)
                high1 &+= multiplyAddPairs(b, highWeights)
                low2 &+= multiplyAddPairs(c, lowWeights)
                high2 &+= multiplyAddPairs(c, highWeights)
                low3 &+= multiplyAddPairs(d, lowWeights)
                high3 &+= multiplyAddPairs(d, highWeights)
                index &+= 1
              }
              unsafe (UnsafeMutableRawPointer(target) + column).storeBytes(
                of: narrow(
                  rounded(low0, high0), rounded(low1, high1), rounded(low2, high2), rounded(low3, high3)),
                as: UInt8x16.self)
              column &+= 16
            }
          }
        }
      }
    }
  }
}
