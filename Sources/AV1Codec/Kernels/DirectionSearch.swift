// The direction of a square of 8 × 8 samples (section 7.15.2): its rows are added to the sums of lines as vectors.

internal import VectorLanes

/// Returns the direction along which the samples of a square vary least, 0…7, and how much more they vary across it.
///
/// - Parameter shift: bits per sample less 8.
@inline(never)
package func findDirection(
  _ samples: Span<UInt16>, at index: Int, stride: Int, shift: Int32
) -> (direction: Int, variance: Int) {
  precondition(
    index >= 0 && stride >= 8 && stride < 1 << 24 && index <= samples.count &- 7 &* stride &- 8,
    "the square is present")
  // SAFETY: the rows of the square are in the samples by the precondition; the working memory holds the sums of eight
  // directions.
  return unsafe samples.withUnsafeBufferPointer { samples in
    unsafe withUnsafeTemporaryAllocation(of: Words.self, capacity: 16) { memory in
      guard let base = samples.baseAddress, let memory = memory.baseAddress else { return (0, 0) }
      let sums = unsafe LineSums(memory)
      unsafe sums.add(UnsafeRawPointer(base + index), pitch: stride &* 2, shift: shift)
      return unsafe sums.best()
    }
  }
}

/// The sums of the lines of a square in each direction, 16 for each. The order of the lines of directions 3 and 4 is
/// reversed, which does not change their cost.
@safe private struct LineSums {
  private let base: UnsafeMutableRawPointer

  @inline(__always)
  init(_ memory: UnsafeMutablePointer<Words>) {
    for index in 0..<16 { unsafe memory[index] = Words() }
    unsafe base = UnsafeMutableRawPointer(memory)
  }

  /// Adds eight values to the sums of a direction, from a line 0…8 on.
  @inline(__always)
  @unsafe private func add(_ values: Words, _ direction: Int, _ line: Int) {
    let target = unsafe base + (direction &* 32 &+ line &* 2)
    unsafe target.storeBytes(of: target.loadUnaligned(as: Words.self) &+ values, as: Words.self)
  }

  /// Adds the rows of a square.
  @inline(__always)
  @unsafe func add(_ source: UnsafeRawPointer, pitch: Int, shift: Int32) {
    let ones = Words(repeating: 1)
    var before = Words()
    for row in 0..<8 {
      let samples = unsafe (source + row &* pitch).loadUnaligned(as: Words.self)
      let values = shiftRight(samples, by: shift) &- 128
      let pairs = multiplyAddPairs(values, ones)
      let columns = packSaturating(pairs, DoubleWords())
      unsafe add(values, 0, row)
      unsafe add(columns, 1, row)
      let sum = pairs[0] &+ pairs[1] &+ pairs[2] &+ pairs[3]
      unsafe (base + (64 &+ row &* 2)).storeBytes(of: Int16(truncatingIfNeeded: sum), as: Int16.self)
      unsafe add(columns, 3, 7 &- row)
      unsafe add(values, 4, 7 &- row)
      if row & 1 == 1 {
        let both = before &+ values
        unsafe add(both, 5, 3 &- row / 2)
        unsafe add(both, 6, 0)
        unsafe add(both, 7, row / 2)
      }
      before = values
    }
  }

  /// The direction of the greatest cost, and its excess over that of the perpendicular direction.
  @inline(__always)
  @unsafe func best() -> (direction: Int, variance: Int) {
    let costs = unsafe SIMD8<Int32>(
      diagonalCost(0), steepCost(1), straightCost(2), steepCost(3), diagonalCost(4), steepCost(5), straightCost(6),
      steepCost(7))
    var best = 0
    for direction in 1..<8 where costs[direction] > costs[best] { best = direction }
    return (best, Int((costs[best] &- costs[(best &+ 4) & 7]) &>> 10))
  }

  /// The first or the last eight sums of a direction.
  @inline(__always)
  @unsafe private func lines(_ direction: Int, _ half: Int) -> Words {
    unsafe (base + (direction &* 32 &+ half &* 16)).loadUnaligned(as: Words.self)
  }

  /// The weighted sum of the squares of sums, those of two lines with the same weight.
  @inline(__always)
  private func cost(_ first: Words, _ second: Words, _ low: DoubleWords, _ high: DoubleWords) -> Int32 {
    let (a, b) = (interleaveLow16(first, second), interleaveHigh16(first, second))
    let products = multiplyAddPairs(a, a) &* low &+ multiplyAddPairs(b, b) &* high
    return products[0] &+ products[1] &+ products[2] &+ products[3]
  }

  // The weights are 840 divided by the number of samples in a line (`Div_Table`).

  /// The cost of eight lines of eight samples.
  @inline(__always)
  @unsafe private func straightCost(_ direction: Int) -> Int32 {
    let sums = unsafe lines(direction, 0)
    let squares = multiplyAddPairs(sums, sums)
    return (squares[0] &+ squares[1] &+ squares[2] &+ squares[3]) &* 105
  }

  /// The cost of 15 lines of one to eight samples.
  @inline(__always)
  @unsafe private func diagonalCost(_ direction: Int) -> Int32 {
    let last = unsafe lines(direction, 1)
    let reversed = Words(last[6], last[5], last[4], last[3], last[2], last[1], last[0], 0)
    return unsafe cost(
      lines(direction, 0), reversed, DoubleWords(840, 420, 280, 210), DoubleWords(168, 140, 120, 105))
  }

  /// The cost of 11 lines, of which the middle ones have eight samples.
  @inline(__always)
  @unsafe private func steepCost(_ direction: Int) -> Int32 {
    let last = unsafe lines(direction, 1)
    let reversed = Words(last[2], last[1], last[0], 0, 0, 0, 0, 0)
    return unsafe cost(
      lines(direction, 0), reversed, DoubleWords(420, 210, 140, 105), DoubleWords(105, 105, 105, 105))
  }
}
