// Prediction of 4 × 4 and 8 × 8 blocks (sections 8.3.1.2 and 8.3.2.2).

/// `Intra4x4PredMode` and `Intra8x8PredMode`.
package enum BlockMode: Int8, CaseIterable {
  case vertical
  case horizontal
  case dc
  case diagonalDownLeft
  case diagonalDownRight
  case verticalRight
  case horizontalDown
  case verticalLeft
  case horizontalUp

  /// Whether the samples that the mode needs are available.
  package func isValid(_ available: BlockAvailability) -> Bool {
    switch self {
    case .vertical, .diagonalDownLeft, .verticalLeft: available.above
    case .horizontal, .horizontalUp: available.left
    case .dc: true
    case .diagonalDownRight, .verticalRight, .horizontalDown:
      available.left && available.above && available.aboveLeft
    }
  }
}

extension BlockEdges {
  /// Writes the prediction of a block.
  package func predict(
    _ mode: BlockMode, _ available: BlockAvailability, bitDepth: Int, _ values: inout MutableSpan<UInt16>,
    _ position: SamplePosition
  ) {
    switch mode {
    case .vertical: fill(&values, position) { x, _ in self[x &+ 1] }
    case .horizontal: fill(&values, position) { _, y in self[-1 &- y] }
    case .dc:
      let mean = mean(available, bitDepth: bitDepth)
      fill(&values, position) { _, _ in mean }
    case .diagonalDownLeft:
      fill(&values, position) { x, y in
        // The last sample counts twice instead of one that follows it.
        x &+ y == 2 &* size &- 2
          ? (self[2 &* size &- 1] &+ 3 &* self[2 &* size] &+ 2) &>> 2 : smooth(x &+ y &+ 2)
      }
    case .diagonalDownRight: fill(&values, position) { x, y in smooth(x &- y) }
    case .verticalRight:
      fill(&values, position) { x, y in
        let place = 2 &* x &- y
        if place < 0 { return smooth(place &+ 1) }
        let distance = x &- y &>> 1
        return place & 1 == 0 ? mean(distance) : smooth(distance)
      }
    case .horizontalDown:
      fill(&values, position) { x, y in
        let place = 2 &* y &- x
        if place < 0 { return smooth(-1 &- place) }
        let distance = y &- x &>> 1
        return place & 1 == 0 ? mean(-1 &- distance) : smooth(0 &- distance)
      }
    case .verticalLeft:
      fill(&values, position) { x, y in
        let distance = x &+ y &>> 1 &+ 1
        return y & 1 == 0 ? mean(distance) : smooth(distance &+ 1)
      }
    case .horizontalUp:
      fill(&values, position) { x, y in
        let place = x &+ 2 &* y
        if place > 2 &* size &- 3 { return self[0 &- size] }
        if place == 2 &* size &- 3 { return (self[1 &- size] &+ 3 &* self[0 &- size] &+ 2) &>> 2 }
        let distance = y &+ x &>> 1
        return place & 1 == 0 ? mean(-2 &- distance) : smooth(-2 &- distance)
      }
    }
  }

  @inline(__always)
  private func fill(
    _ values: inout MutableSpan<UInt16>, _ position: SamplePosition, _ sample: (_ x: Int, _ y: Int) -> Int32
  ) {
    for y in 0..<size {
      let row = position.index &+ y &* position.stride
      for x in 0..<size { values[row &+ x] = UInt16(truncatingIfNeeded: sample(x, y)) }
    }
  }

  private func mean(_ available: BlockAvailability, bitDepth: Int) -> Int32 {
    var sum: Int32 = 0
    if available.above { for x in 0..<size { sum &+= self[x &+ 1] } }
    if available.left { for y in 0..<size { sum &+= self[-1 &- y] } }
    let log2Size: Int32 = size == 4 ? 2 : 3
    switch (available.above, available.left) {
    case (true, true): return (sum &+ Int32(size)) &>> (log2Size &+ 1)
    case (false, false): return 1 &<< Int32(bitDepth &- 1)
    default: return (sum &+ Int32(size) / 2) &>> log2Size
    }
  }
}
