// The direction of a square of 8 × 8 samples (section 7.15.2).

/// `Div_Table`.
private let lineWeights: InlineArray<9, Int32> = [0, 840, 420, 280, 210, 168, 140, 120, 105]

/// Returns the direction along which the samples of a square vary least, 0…7, and how much more they vary across it.
///
/// - Parameter shift: bits per sample less 8.
package func findDirection(
  _ samples: Span<UInt16>, at index: Int, stride: Int, shift: Int32
) -> (direction: Int, variance: Int) {
  let sums = LineSums(samples, at: index, stride: stride, shift: shift)
  var costs = InlineArray<8, Int32>(repeating: 0)
  costs[0] = sums.diagonalCost(0)
  costs[1] = sums.steepCost(1)
  costs[2] = sums.straightCost(2)
  costs[3] = sums.steepCost(3)
  costs[4] = sums.diagonalCost(4)
  costs[5] = sums.steepCost(5)
  costs[6] = sums.straightCost(6)
  costs[7] = sums.steepCost(7)
  var best = 0
  for direction in 1..<8 where costs[direction] > costs[best] { best = direction }
  return (best, Int((costs[best] &- costs[(best &+ 4) & 7]) &>> 10))
}

/// The sums of the lines of a square in each direction, 16 for each. The order of the lines of directions 3 and 4 is
/// reversed, which does not change their cost.
private struct LineSums {
  private var sums = InlineArray<128, Int32>(repeating: 0)

  init(_ samples: Span<UInt16>, at index: Int, stride: Int, shift: Int32) {
    var span = sums.mutableSpan
    // The sum of the current row and the one before it.
    var pair = SIMD8<Int32>(repeating: 0)
    for i in 0..<8 {
      let row = samples.extracting(index &+ i &* stride..<index &+ i &* stride &+ 8)
      let values =
        SIMD8<Int32>(
          Int32(row[0]), Int32(row[1]), Int32(row[2]), Int32(row[3]), Int32(row[4]), Int32(row[5]), Int32(row[6]),
          Int32(row[7])) &>> shift &- 128
      let columns = values.evenHalf &+ values.oddHalf
      for j in 0..<8 {
        span[i &+ j] &+= values[j]
        span[64 &+ 7 &- i &+ j] &+= values[j]
      }
      for j in 0..<4 {
        span[16 &+ i &+ j] &+= columns[j]
        span[48 &+ 7 &- i &+ j] &+= columns[j]
      }
      span[32 &+ i] = columns[0] &+ columns[1] &+ columns[2] &+ columns[3]
      if i & 1 == 0 {
        pair = values
      } else {
        pair &+= values
        for j in 0..<8 {
          span[80 &+ 3 &- i / 2 &+ j] &+= pair[j]
          span[96 &+ j] &+= pair[j]
          span[112 &+ i / 2 &+ j] &+= pair[j]
        }
      }
    }
  }

  @inline(__always)
  private func square(_ direction: Int, _ line: Int) -> Int32 {
    let sum = sums[direction &* 16 &+ line]
    return sum &* sum
  }

  /// The cost of eight lines of eight samples.
  @inline(__always)
  func straightCost(_ direction: Int) -> Int32 {
    var cost: Int32 = 0
    for line in 0..<8 { cost &+= square(direction, line) }
    return cost &* lineWeights[8]
  }

  /// The cost of 15 lines of one to eight samples.
  @inline(__always)
  func diagonalCost(_ direction: Int) -> Int32 {
    var cost = square(direction, 7) &* lineWeights[8]
    for line in 0..<7 {
      cost &+= (square(direction, line) &+ square(direction, 14 &- line)) &* lineWeights[line &+ 1]
    }
    return cost
  }

  /// The cost of 11 lines, of which the middle ones have eight samples.
  @inline(__always)
  func steepCost(_ direction: Int) -> Int32 {
    var cost: Int32 = 0
    for line in 3..<8 { cost &+= square(direction, line) }
    cost = cost &* lineWeights[8]
    for line in 0..<3 {
      cost &+= (square(direction, line) &+ square(direction, 10 &- line)) &* lineWeights[2 &* line &+ 2]
    }
    return cost
  }
}
