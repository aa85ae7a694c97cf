// Prediction of 4 × 4 and 8 × 8 blocks (sections 8.3.1.2 and 8.3.2.2).
//
// The samples around a block are collected in one line. All directional modes are parts of lines of weighted means of
// neighbours in it.

internal import VectorLanes

/// A line of samples around a block: from those at the left, bottom first, by the corner at 0, to those above.
private typealias Line = UnsafeMutablePointer<UInt16>

/// The samples from which a block is predicted, and how.
package struct PredictedBlock {
  /// Its first sample.
  let position: SamplePosition
  /// Columns and rows: 4 or 8.
  let size: Int
  let available: BlockAvailability
  let mode: BlockMode
  let bitDepth: Int

  package init(
    position: SamplePosition, size: Int, available: BlockAvailability, mode: BlockMode, bitDepth: Int
  ) {
    (self.position, self.size, self.available) = (position, size, available)
    (self.mode, self.bitDepth) = (mode, bitDepth)
  }

  /// Writes the prediction. The mode must be valid.
  @inline(never)
  package func predict(_ values: inout MutableSpan<UInt16>) {
    let (index, stride) = (position.index, position.stride)
    let aboveCount = available.above ? available.aboveRight ? 2 &* size : size : 0
    precondition(
      (size == 4 || size == 8) && stride >= size && stride < 1 << 24 && index >= 0
        && index <= values.count &- (size &- 1) &* stride &- size
        && (!available.above || index >= stride && index &- stride <= values.count &- aboveCount)
        && (!available.left || index >= 1) && (!available.aboveLeft || index >= stride &+ 1)
        && mode.isValid(available),
      "the block and its neighbours are present")
    // SAFETY: the block and its neighbours are present by the precondition. Places in the lines are bounded by the size
    // of 8: from −9 to 24 in the first two, from −3 to 22 in the third.
    unsafe values.withUnsafeMutableBufferPointer { values in
      guard let values = values.baseAddress else { return }
      unsafe withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 160) { memory in
        guard let memory = memory.baseAddress else { return }
        unsafe memory.initialize(repeating: 0, count: 160)
        let (line, smooth, means) = unsafe (memory + 16, memory + 64, memory + 112)
        unsafe gather(values + index, line)
        if size == 8 {
          unsafe filter(line, smooth)
          unsafe predict(values + index, smooth, smooth: line, means)
        } else {
          unsafe predict(values + index, line, smooth: smooth, means)
        }
      }
    }
  }

  /// Collects the neighbours. Those that are not available remain 0, but for samples at the top right, which repeat the
  /// last one above.
  @inline(__always)
  @unsafe private func gather(_ target: Line, _ line: Line) {
    let stride = position.stride
    if available.left {
      for y in 0..<size { unsafe line[-1 &- y] = target[y &* stride &- 1] }
    }
    if available.aboveLeft { unsafe line[0] = target[0 &- stride &- 1] }
    guard available.above else { return }
    let above = unsafe target - stride
    for x in 0..<size { unsafe line[1 &+ x] = above[x] }
    let last = unsafe above[size &- 1]
    for x in size..<2 &* size { unsafe line[1 &+ x] = available.aboveRight ? above[x] : last }
  }

  /// Smooths the samples around an 8 × 8 block (section 8.3.2.2.1).
  @inline(__always)
  @unsafe private func filter(_ line: Line, _ target: Line) {
    // A sample without a neighbour counts for it too.
    unsafe line[17] = line[16]
    unsafe line[-9] = line[-8]
    let corner = unsafe line[0]
    if !available.aboveLeft {
      // The first samples of both sides take their own value for that of the corner.
      unsafe line[0] = line[1]
      unsafe smoothen(line, target, from: 0)
      unsafe smoothen(line, target, from: 8)
      unsafe target[16] = three(line, 16)
      unsafe line[0] = line[-1]
      unsafe smoothen(line, target, from: -8)
      unsafe target[0] = 0
      return
    }
    unsafe smoothen(line, target, from: -8)
    unsafe smoothen(line, target, from: 0)
    unsafe smoothen(line, target, from: 8)
    unsafe target[16] = three(line, 16)
    let isCorner = available.left == available.above
    if !isCorner {
      let other = unsafe Int32(available.above ? line[1] : line[-1])
      unsafe target[0] = UInt16(truncatingIfNeeded: (3 &* Int32(corner) &+ other &+ 2) &>> 2)
    } else if !available.left {
      unsafe target[0] = corner
    }
  }

  // MARK: Modes

  /// - Parameter means: working memory.
  @inline(__always)
  @unsafe private func predict(_ target: Line, _ line: Line, smooth: Line, _ means: Line) {
    let n = size
    switch mode {
    case .vertical:
      for y in 0..<n { unsafe store(line + 1, target, y) }
    case .horizontal:
      for y in 0..<n { unsafe fill(line[-1 &- y], target, y) }
    case .dc:
      let mean = unsafe mean(line)
      for y in 0..<n { unsafe fill(mean, target, y) }
    case .diagonalDownLeft:
      unsafe line[2 &* n &+ 1] = line[2 &* n]
      unsafe smoothen(line, smooth, from: 1)
      unsafe smoothen(line, smooth, from: 9)
      for y in 0..<n { unsafe store(smooth + (y &+ 2), target, y) }
    case .diagonalDownRight:
      unsafe smoothen(line, smooth, from: -8)
      unsafe smoothen(line, smooth, from: 0)
      for y in 0..<n { unsafe store(smooth - y, target, y) }
    case .verticalRight: unsafe predictVerticalRight(target, line, smooth, means)
    case .horizontalDown: unsafe predictHorizontalDown(target, line, smooth, means)
    case .verticalLeft:
      unsafe smoothen(line, smooth, from: 1)
      unsafe smoothen(line, smooth, from: 9)
      unsafe average(line, means, from: 1)
      unsafe average(line, means, from: 9)
      for y in 0..<n {
        let half = y &>> 1
        unsafe store(y & 1 == 0 ? means + (half &+ 1) : smooth + (half &+ 2), target, y)
      }
    case .horizontalUp: unsafe predictHorizontalUp(target, line, smooth, means)
    }
  }

  /// Each second row is the one two rows above, moved by one column.
  @inline(__always)
  @unsafe private func predictVerticalRight(_ target: Line, _ line: Line, _ smooth: Line, _ means: Line) {
    unsafe smoothen(line, smooth, from: -8)
    unsafe smoothen(line, smooth, from: 0)
    unsafe average(line, means, from: 0)
    // The samples that move in from the left.
    let odd = unsafe means + 16
    for x in 0..<size { unsafe odd[x] = smooth[x] }
    for x in 1..<size / 2 {
      unsafe means[0 &- x] = smooth[1 &- 2 &* x]
      unsafe odd[0 &- x] = smooth[0 &- 2 &* x]
    }
    for y in 0..<size { unsafe store((y & 1 == 0 ? means : odd) - y &>> 1, target, y) }
  }

  /// Each row is the one above, moved by two columns.
  @inline(__always)
  @unsafe private func predictHorizontalDown(_ target: Line, _ line: Line, _ smooth: Line, _ means: Line) {
    unsafe smoothen(line, smooth, from: -8)
    unsafe smoothen(line, smooth, from: 0)
    let n = size
    for i in 0..<n {
      unsafe means[2 &* i] = two(line, i &- n)
      unsafe means[2 &* i &+ 1] = smooth[i &- n &+ 1]
    }
    for i in 1..<n &- 1 { unsafe means[2 &* n &- 1 &+ i] = smooth[i] }
    for y in 0..<n { unsafe store(means + 2 &* (n &- 1 &- y), target, y) }
  }

  @inline(__always)
  @unsafe private func predictHorizontalUp(_ target: Line, _ line: Line, _ smooth: Line, _ means: Line) {
    let n = size
    let last = unsafe line[0 &- n]
    unsafe line[-1 &- n] = last
    unsafe smoothen(line, smooth, from: -8)
    for i in 0..<n &- 1 {
      unsafe means[2 &* i] = two(line, -2 &- i)
      unsafe means[2 &* i &+ 1] = smooth[-2 &- i]
    }
    for i in 2 &* n &- 2..<3 &* n &- 2 { unsafe means[i] = last }
    for y in 0..<n { unsafe store(means + 2 &* y, target, y) }
  }

  @inline(__always)
  @unsafe private func mean(_ line: Line) -> UInt16 {
    var sum: Int32 = 0
    if available.above { for x in 1...size { unsafe sum &+= Int32(line[x]) } }
    if available.left { for y in 1...size { unsafe sum &+= Int32(line[0 &- y]) } }
    let log2Size: Int32 = size == 4 ? 2 : 3
    let mean: Int32
    switch (available.above, available.left) {
    case (true, true): mean = (sum &+ 1 &<< log2Size) &>> (log2Size &+ 1)
    case (false, false): mean = 1 &<< Int32(truncatingIfNeeded: bitDepth &- 1)
    default: mean = (sum &+ 1 &<< (log2Size &- 1)) &>> log2Size
    }
    return UInt16(truncatingIfNeeded: mean)
  }

  // MARK: Rows

  @inline(__always)
  @unsafe private func store(_ source: Line, _ target: Line, _ y: Int) {
    let row = unsafe UnsafeMutableRawPointer(target + y &* position.stride)
    let source = UnsafeRawPointer(source)
    if size == 8 {
      unsafe row.storeBytes(of: source.loadUnaligned(as: UInt16x8.self), as: UInt16x8.self)
    } else {
      unsafe row.storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
    }
  }

  @inline(__always)
  @unsafe private func fill(_ value: UInt16, _ target: Line, _ y: Int) {
    let row = unsafe UnsafeMutableRawPointer(target + y &* position.stride)
    if size == 8 {
      unsafe row.storeBytes(of: UInt16x8(repeating: value), as: UInt16x8.self)
    } else {
      unsafe row.storeBytes(of: UInt64(value) &* 0x1_0001_0001_0001, as: UInt64.self)
    }
  }
}

// MARK: Means

/// The weighted mean of a sample and the two next to it. Sums of four samples of 14 bits have 16 bits.
@inline(__always)
@unsafe private func three(_ line: Line, _ place: Int) -> UInt16 {
  unsafe (line[place &- 1] &+ 2 &* line[place] &+ line[place &+ 1] &+ 2) &>> 2
}

/// The mean of a sample and the next one.
@inline(__always)
@unsafe private func two(_ line: Line, _ place: Int) -> UInt16 {
  unsafe (line[place] &+ line[place &+ 1] &+ 1) &>> 1
}

/// Eight weighted means.
@inline(__always)
@unsafe private func smoothen(_ line: Line, _ target: Line, from place: Int) {
  let source = unsafe UnsafeRawPointer(line + place)
  let middle = unsafe source.loadUnaligned(as: UInt16x8.self)
  let sum =
    unsafe source.loadUnaligned(fromByteOffset: -2, as: UInt16x8.self)
    &+ source.loadUnaligned(fromByteOffset: 2, as: UInt16x8.self) &+ middle &+ middle
  let result = shiftRight(sum &+ UInt16x8(repeating: 2), by: 2)
  unsafe UnsafeMutableRawPointer(target + place).storeBytes(of: result, as: UInt16x8.self)
}

/// Eight means of neighbours.
@inline(__always)
@unsafe private func average(_ line: Line, _ target: Line, from place: Int) {
  let source = unsafe UnsafeRawPointer(line + place)
  let sum =
    unsafe source.loadUnaligned(as: UInt16x8.self)
    &+ source.loadUnaligned(fromByteOffset: 2, as: UInt16x8.self)
  let result = shiftRight(sum &+ UInt16x8(repeating: 1), by: 1)
  unsafe UnsafeMutableRawPointer(target + place).storeBytes(of: result, as: UInt16x8.self)
}
