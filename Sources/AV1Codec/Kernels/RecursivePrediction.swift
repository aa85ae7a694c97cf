// Recursive intra prediction (section 7.11.2.3): each group of 4 × 2 samples is a filter of seven neighbours.

internal import VectorLanes

/// ``filterTaps`` of each mode as factors for pairs of neighbours: four pairs, for each those of the first and of the
/// second row of a group.
private let recursiveFactors: [Int16x8] = (0..<40).map { vector in
  let (mode, pair, row) = (vector / 8, vector / 2 % 4, vector % 2)
  var factors = Int16x8()
  for lane in 0..<8 {
    let (position, neighbour) = (row * 4 + lane / 2, pair * 2 + lane % 2)
    if neighbour < 7 { factors[lane] = Int16(filterTaps[(mode * 8 + position) * 7 + neighbour]) }
  }
  return factors
}

/// Predicts a block whose sides are at most 32 samples.
///
/// - Parameter mode: 0…4.
@inline(never)
package func predictRecursively(
  _ block: PredictedBlock, mode: Int, above: Span<UInt16>, left: Span<UInt16>, _ samples: inout MutableSpan<UInt16>,
  maximum limit: Int
) {
  let factors = recursiveFactors.span.extracting(min(max(mode, 0), 4) &* 8..<min(max(mode, 0), 4) &* 8 &+ 8)
  let largest = Int16x8(repeating: Int16(truncatingIfNeeded: limit))
  EdgeSamples.with(above) { above in
    EdgeSamples.with(left) { left in
      block.withRows(&samples) { rows in
        var row = 0
        while row < rows.height {
          // Neighbours at the left of a group, from the corner downwards.
          var (corner, first, second) = (left[row &- 1], left[row], left[row &+ 1])
          var column = 0
          while column < rows.width {
            let top =
              row == 0
              ? SIMD4<Int16>(
                Int16(truncatingIfNeeded: above[column]), Int16(truncatingIfNeeded: above[column &+ 1]),
                Int16(truncatingIfNeeded: above[column &+ 2]), Int16(truncatingIfNeeded: above[column &+ 3]))
              : rows.loadFour(row: row &- 1, column: column)
            let pairs = (
              factorPairs(corner, Int(top.x)), factorPairs(Int(top.y), Int(top.z)), factorPairs(Int(top.w), first),
              factorPairs(second, 0)
            )
            let low =
              (multiplyAddPairs(pairs.0, factors[0]) &+ multiplyAddPairs(pairs.1, factors[2]))
              &+ (multiplyAddPairs(pairs.2, factors[4]) &+ multiplyAddPairs(pairs.3, factors[6]))
            let high =
              (multiplyAddPairs(pairs.0, factors[1]) &+ multiplyAddPairs(pairs.1, factors[3]))
              &+ (multiplyAddPairs(pairs.2, factors[5]) &+ multiplyAddPairs(pairs.3, factors[7]))
            // How negative sums are rounded makes no difference.
            let sums = packSaturating(shiftRight(low &+ 8, by: 4), shiftRight(high &+ 8, by: 4))
            let values = minimum(maximum(sums, Int16x8()), largest)
            rows.storeFour(values.lowHalf, row: row, column: column)
            rows.storeFour(values.highHalf, row: row &+ 1, column: column)
            (corner, first, second) = (Int(top.w), Int(values[3]), Int(values[7]))
            column &+= 4
          }
          row &+= 2
        }
      }
    }
  }
}
