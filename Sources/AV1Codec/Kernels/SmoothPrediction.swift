// Intra prediction without a direction (sections 7.11.2.2, 7.11.2.5 and 7.11.2.6) and from luma (section 7.11.5), eight
// columns at once.

internal import VectorLanes

/// Sets all samples of a block to one value.
@inline(never)
package func fillBlock(_ block: PredictedBlock, _ value: UInt16, _ samples: inout MutableSpan<UInt16>) {
  let values = Int16x8(repeating: Int16(truncatingIfNeeded: value))
  block.withRows(&samples) { rows in
    for column in stride(from: 0, to: rows.width, by: 8) {
      for row in 0..<rows.height { rows.store(values, row: row, column: column) }
    }
  }
}

/// Repeats the row above a block.
@inline(never)
package func predictVertical(_ block: PredictedBlock, above: Span<UInt16>, _ samples: inout MutableSpan<UInt16>) {
  EdgeSamples.with(above) { above in
    block.withRows(&samples) { rows in
      for column in stride(from: 0, to: rows.width, by: 8) {
        let values = above.load(column)
        for row in 0..<rows.height { rows.store(values, row: row, column: column) }
      }
    }
  }
}

/// Repeats the column to the left of a block.
@inline(never)
package func predictHorizontal(_ block: PredictedBlock, left: Span<UInt16>, _ samples: inout MutableSpan<UInt16>) {
  EdgeSamples.with(left) { left in
    block.withRows(&samples) { rows in
      for row in 0..<rows.height {
        let values = Int16x8(repeating: Int16(truncatingIfNeeded: left[row]))
        for column in stride(from: 0, to: rows.width, by: 8) { rows.store(values, row: row, column: column) }
      }
    }
  }
}

/// The directions of an interpolation between two opposite edges.
package enum SmoothDirections {
  case vertical, horizontal, both
}

/// `SMOOTH_V_PRED`, `SMOOTH_H_PRED` and `SMOOTH_PRED`, which is the mean of both.
@inline(never)
package func predictSmooth(
  _ block: PredictedBlock, _ directions: SmoothDirections, above: Span<UInt16>, left: Span<UInt16>,
  _ samples: inout MutableSpan<UInt16>
) {
  let weights = smoothWeights.span
  EdgeSamples.with(above) { above in
    EdgeSamples.with(left) { left in
      block.withRows(&samples) { rows in
        switch directions {
        case .vertical: interpolate(rows, above, left, weights, isVertical: true, isHorizontal: false)
        case .horizontal: interpolate(rows, above, left, weights, isVertical: false, isHorizontal: true)
        case .both: interpolate(rows, above, left, weights, isVertical: true, isHorizontal: true)
        }
      }
    }
  }
}

@inline(__always)
private func interpolate(
  _ rows: BlockRows, _ above: EdgeSamples, _ left: EdgeSamples, _ weights: Span<UInt8>, isVertical: Bool,
  isHorizontal: Bool
) {
  let (right, bottom) = (above[rows.width &- 1], left[rows.height &- 1])
  let shift: Int32 = isVertical && isHorizontal ? 9 : 8
  let half = Int32x4(repeating: 1 &<< (shift &- 1))
  for column in stride(from: 0, to: rows.width, by: 8) {
    let (top, bottoms) = (above.load(column), Int16x8(repeating: Int16(truncatingIfNeeded: bottom)))
    let vertical = (interleaveLow16(top, bottoms), interleaveHigh16(top, bottoms))
    let first = rows.width &+ column
    let w = Int16x8(
      Int16(weights[first]), Int16(weights[first &+ 1]), Int16(weights[first &+ 2]), Int16(weights[first &+ 3]),
      Int16(weights[first &+ 4]), Int16(weights[first &+ 5]), Int16(weights[first &+ 6]), Int16(weights[first &+ 7]))
    let horizontal = (interleaveLow16(w, 256 &- w), interleaveHigh16(w, 256 &- w))
    for row in 0..<rows.height {
      var (low, high) = (half, half)
      if isVertical {
        let weight = Int(weights[rows.height &+ row])
        let factors = factorPairs(weight, 256 &- weight)
        low &+= multiplyAddPairs(vertical.0, factors)
        high &+= multiplyAddPairs(vertical.1, factors)
      }
      if isHorizontal {
        let factors = factorPairs(left[row], right)
        low &+= multiplyAddPairs(horizontal.0, factors)
        high &+= multiplyAddPairs(horizontal.1, factors)
      }
      rows.store(
        packSaturating(shiftRight(low, by: shift), shiftRight(high, by: shift)), row: row, column: column)
    }
  }
}

/// `PAETH_PRED`: the neighbour nearest to left plus above minus the corner.
@inline(never)
package func predictPaeth(
  _ block: PredictedBlock, above: Span<UInt16>, left: Span<UInt16>, _ samples: inout MutableSpan<UInt16>
) {
  EdgeSamples.with(above) { above in
    EdgeSamples.with(left) { left in
      block.withRows(&samples) { rows in
        let corner = Int16x8(repeating: Int16(truncatingIfNeeded: above[-1]))
        for column in stride(from: 0, to: rows.width, by: 8) {
          let top = above.load(column)
          let leftDistance = magnitude(top &- corner)
          for row in 0..<rows.height {
            let side = Int16x8(repeating: Int16(truncatingIfNeeded: left[row]))
            let topDistance = magnitude(side &- corner)
            let cornerDistance = magnitude((top &- corner) &+ (side &- corner))
            let isOther = signMask(topDistance &- leftDistance) | signMask(cornerDistance &- leftDistance)
            let other = select(signMask(cornerDistance &- topDistance), corner, top)
            rows.store(select(isOther, other, side), row: row, column: column)
          }
        }
      }
    }
  }
}

@inline(__always)
private func magnitude(_ values: Int16x8) -> Int16x8 { maximum(values, 0 &- values) }

/// Adds one value to all samples of a block.
@inline(never)
package func addToBlock(
  _ block: PredictedBlock, _ value: Int, _ samples: inout MutableSpan<UInt16>, maximum limit: Int
) {
  // More than the greatest sample in either direction makes no difference.
  let added = Int16x8(repeating: Int16(truncatingIfNeeded: min(max(value, -limit), limit)))
  let largest = Int16x8(repeating: Int16(truncatingIfNeeded: limit))
  block.withRows(&samples) { rows in
    for column in stride(from: 0, to: rows.width, by: 8) {
      for row in 0..<rows.height {
        let sum = rows.load(row: row, column: column) &+ added
        rows.store(minimum(maximum(sum, Int16x8()), largest), row: row, column: column)
      }
    }
  }
}

/// Values from one row of luma for chroma to the next.
package let lumaStride = 32

/// Adds multiples of the luma of a block to its prediction, which is one value.
///
/// - Parameters:
///   - luma: eighths, less their mean; ``lumaStride`` values in each of 32 rows.
///   - alpha: eighths.
@inline(never)
package func addLuma(
  _ block: PredictedBlock, _ luma: Span<Int16>, alpha: Int, _ samples: inout MutableSpan<UInt16>, maximum limit: Int
) {
  precondition(luma.count >= 32 * lumaStride && block.log2Width <= 5 && block.log2Height <= 5, "the luma is present")
  let factors = factorPairs(alpha, 0)
  let largest = Int16x8(repeating: Int16(truncatingIfNeeded: limit))
  // SAFETY: rows and columns of the block are at most 32, and groups of eight columns end at 32.
  unsafe luma.withUnsafeBufferPointer { luma in
    guard let source = luma.baseAddress else { return }
    block.withRows(&samples) { rows in
      let base = Int16x8(repeating: rows.load(row: 0, column: 0)[0])
      /// Products divided by 64 and rounded, halves away from zero.
      @inline(__always)
      func scaled(_ values: Int16x8) -> Int32x4 {
        let product = multiplyAddPairs(values, factors)
        return shiftRight(product &+ 32 &+ shiftRight(product, by: 31), by: 6)
      }
      for column in stride(from: 0, to: rows.width, by: 8) {
        for row in 0..<rows.height {
          let values = unsafe UnsafeRawPointer(source + (row &* lumaStride &+ column)).loadUnaligned(as: Int16x8.self)
          let change = packSaturating(
            scaled(interleaveLow16(values, Int16x8())), scaled(interleaveHigh16(values, Int16x8())))
          let sum = addSaturating(base, change)
          rows.store(minimum(maximum(sum, Int16x8()), largest), row: row, column: column)
        }
      }
    }
  }
}
