// The samples around a 4 × 4 or 8 × 8 block from which it is predicted.

/// Which neighbours of a block are available.
package struct BlockAvailability {
  var left: Bool
  var above: Bool
  var aboveLeft: Bool
  var aboveRight: Bool

  package init(left: Bool, above: Bool, aboveLeft: Bool, aboveRight: Bool) {
    (self.left, self.above, self.aboveLeft, self.aboveRight) = (left, above, aboveLeft, aboveRight)
  }
}

/// The samples around a block of `size` columns and rows: from the bottom left (0) to the top left (`size`), and on to
/// the top right (3 `size`).
package struct BlockEdges {
  let size: Int
  private(set) var samples = InlineArray<25, Int32>(repeating: 0)

  /// Samples that are not available remain 0, except that those at the top right repeat the last one above.
  package init(
    _ values: Span<UInt16>, _ position: SamplePosition, size: Int, _ available: BlockAvailability
  ) {
    self.size = size
    let (index, stride) = (position.index, position.stride)
    if available.left {
      for y in 0..<size { samples[size &- 1 &- y] = Int32(values[index &+ y &* stride &- 1]) }
    }
    if available.aboveLeft { samples[size] = Int32(values[index &- stride &- 1]) }
    guard available.above else { return }
    for x in 0..<size { samples[size &+ 1 &+ x] = Int32(values[index &- stride &+ x]) }
    for x in size..<2 &* size {
      samples[size &+ 1 &+ x] =
        available.aboveRight ? Int32(values[index &- stride &+ x]) : samples[2 &* size]
    }
  }

  /// The sample at a distance from that at the top left: to the right above the block, or negative, down at its left.
  @inline(__always)
  subscript(distance: Int) -> Int32 { samples[size &+ distance] }

  /// A weighted mean of a sample and the two next to it.
  @inline(__always)
  func smooth(_ distance: Int) -> Int32 {
    (self[distance &- 1] &+ 2 &* self[distance] &+ self[distance &+ 1] &+ 2) &>> 2
  }

  /// The mean of a sample and the next one.
  @inline(__always)
  func mean(_ distance: Int) -> Int32 { (self[distance] &+ self[distance &+ 1] &+ 1) &>> 1 }

  /// Smooths the samples around an 8 × 8 block (section 8.3.2.2.1).
  package func filtered(_ available: BlockAvailability) -> BlockEdges {
    var result = self
    if available.above {
      let first = available.aboveLeft ? self[0] : self[1]
      result.samples[9] = (first &+ 2 &* self[1] &+ self[2] &+ 2) &>> 2
      for distance in 2..<16 { result.samples[8 &+ distance] = smooth(distance) }
      result.samples[24] = (self[15] &+ 3 &* self[16] &+ 2) &>> 2
    }
    if available.left {
      let first = available.aboveLeft ? self[0] : self[-1]
      result.samples[7] = (first &+ 2 &* self[-1] &+ self[-2] &+ 2) &>> 2
      for distance in 2..<8 { result.samples[8 &- distance] = smooth(0 &- distance) }
      result.samples[0] = (self[-7] &+ 3 &* self[-8] &+ 2) &>> 2
    }
    if available.aboveLeft {
      switch (available.above, available.left) {
      case (true, true): result.samples[8] = smooth(0)
      case (true, false): result.samples[8] = (3 &* self[0] &+ self[1] &+ 2) &>> 2
      case (false, true): result.samples[8] = (3 &* self[0] &+ self[-1] &+ 2) &>> 2
      case (false, false): break
      }
    }
    return result
  }
}
