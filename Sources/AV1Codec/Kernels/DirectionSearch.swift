// The direction of a square of 8 × 8 samples (section 7.15.2): its rows are added to the sums of lines as vectors.

internal import VectorLanes

/// `Div_Table`.
private let lineWeights: InlineArray<9, Int32> = [0, 840, 420, 280, 210, 168, 140, 120, 105]

/// Returns the direction along which the samples of a square vary least, 0…7, and how much more they vary across it.
///
/// - Parameter shift: bits per sample less 8.
package func findDirection(
  _ samples: Span<UInt16>, at index: Int, stride: Int, shift: Int32
) -> (direction: Int, variance: Int) {
  precondition(
    index >= 0 && stride >= 8 && stride < 1 << 24 && index <= samples.count &- 7 &* stride &- 8,
    "the square is present")
  // SAFETY: the rows of the square are in the samples by the precondition.
  let sums = unsafe samples.withUnsafeBufferPointer { samples in
    var sums = LineSums()
    if let base = samples.baseAddress {
      unsafe sums.add(UnsafeRawPointer(base + index), pitch: stride &* 2, shift: shift)
    }
    return sums
  }
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
  private var sums = InlineArray<128, Int16>(repeating: 0)

  /// Adds the rows of a square.
  @unsafe mutating func add(_ source: UnsafeRawPointer, pitch: Int, shift: Int32) {
    let ones = Words(repeating: 1)
    // SAFETY: vectors of eight sums are added at most 7 after the start of the 16 sums of a direction, and those of four,
    // with four zeros, too.
    var span = sums.mutableSpan
    unsafe span.withUnsafeMutableBufferPointer { sums in
      guard let base = sums.baseAddress else { return }
      @inline(__always)
      func add(_ values: Words, _ direction: Int, _ line: Int) {
        let target = unsafe UnsafeMutableRawPointer(base + (direction &* 16 &+ line))
        unsafe target.storeBytes(of: target.loadUnaligned(as: Words.self) &+ values, as: Words.self)
      }
      var before = Words()
      for row in 0..<8 {
        let samples = unsafe (source + row &* pitch).loadUnaligned(as: Words.self)
        let values = shiftRight(samples, by: shift) &- 128
        let pairs = multiplyAddPairs(values, ones)
        let columns = packSaturating(pairs, DoubleWords())
        add(values, 0, row)
        add(columns, 1, row)
        unsafe base[32 &+ row] = Int16(truncatingIfNeeded: pairs[0] &+ pairs[1] &+ pairs[2] &+ pairs[3])
        add(columns, 3, 7 &- row)
        add(values, 4, 7 &- row)
        if row & 1 == 1 {
          let both = before &+ values
          add(both, 5, 3 &- row / 2)
          add(both, 6, 0)
          add(both, 7, row / 2)
        }
        before = values
      }
    }
  }

  @inline(__always)
  private func square(_ direction: Int, _ line: Int) -> Int32 {
    let sum = Int32(sums[direction &* 16 &+ line])
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
