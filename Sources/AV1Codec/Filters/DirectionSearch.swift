// The direction of a square of 8 × 8 samples (section 7.15.2).

/// `Div_Table`.
private let lineWeights: InlineArray<9, Int32> = [0, 840, 420, 280, 210, 168, 140, 120, 105]

/// Returns the direction along which the samples of a square vary least, 0…7, and how much more they vary across it.
///
/// - Parameter shift: bits per sample less 8.
package func findDirection(
  _ samples: Span<UInt16>, at index: Int, stride: Int, shift: Int32
) -> (direction: Int, variance: Int) {
  // The sums of lines in each direction, of which there are at most 15.
  var sums = InlineArray<128, Int32>(repeating: 0)
  for i in 0..<8 {
    for j in 0..<8 {
      let value = Int32(samples[index &+ i &* stride &+ j]) &>> shift &- 128
      sums[i &+ j] &+= value
      sums[16 &+ i &+ j / 2] &+= value
      sums[32 &+ i] &+= value
      sums[48 &+ 3 &+ i &- j / 2] &+= value
      sums[64 &+ 7 &+ i &- j] &+= value
      sums[80 &+ 3 &- i / 2 &+ j] &+= value
      sums[96 &+ j] &+= value
      sums[112 &+ i / 2 &+ j] &+= value
    }
  }
  @inline(__always)
  func square(_ direction: Int, _ line: Int) -> Int32 {
    let sum = sums[direction &* 16 &+ line]
    return sum &* sum
  }
  var costs = InlineArray<8, Int32>(repeating: 0)
  for i in 0..<8 {
    costs[2] &+= square(2, i)
    costs[6] &+= square(6, i)
  }
  costs[2] &*= 105
  costs[6] &*= 105
  for direction in Swift.stride(from: 0, to: 8, by: 4) {
    for i in 0..<7 { costs[direction] &+= (square(direction, i) &+ square(direction, 14 &- i)) &* lineWeights[i &+ 1] }
    costs[direction] &+= square(direction, 7) &* 105
  }
  for direction in Swift.stride(from: 1, to: 8, by: 2) {
    for j in 0..<5 { costs[direction] &+= square(direction, 3 &+ j) }
    costs[direction] &*= 105
    for j in 0..<3 {
      costs[direction] &+= (square(direction, j) &+ square(direction, 10 &- j)) &* lineWeights[2 &* j &+ 2]
    }
  }
  var best = 0
  for direction in 1..<8 where costs[direction] > costs[best] { best = direction }
  return (best, Int((costs[best] &- costs[(best &+ 4) & 7]) &>> 10))
}
