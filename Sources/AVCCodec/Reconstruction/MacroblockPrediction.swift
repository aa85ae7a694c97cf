// Prediction of 16 × 16 luma and of chroma in 4:2:0 and 4:2:2 (sections 8.3.3 and 8.3.4).

/// Predicts whole macroblocks of one plane.
package struct MacroblockPrediction {
  let width: Int
  let height: Int
  let position: SamplePosition
  let available: BlockAvailability
  let bitDepth: Int

  package init(width: Int, height: Int, position: SamplePosition, available: BlockAvailability, bitDepth: Int) {
    (self.width, self.height, self.position) = (width, height, position)
    (self.available, self.bitDepth) = (available, bitDepth)
  }

  /// The modes of luma and of chroma, which have different numbers.
  package enum Mode: CaseIterable {
    case vertical
    case horizontal
    case dc
    case plane

    /// `Intra16x16PredMode`.
    init(luma mode: Int) {
      switch mode {
      case 0: self = .vertical
      case 1: self = .horizontal
      case 2: self = .dc
      default: self = .plane
      }
    }

    /// `intra_chroma_pred_mode`.
    init(chroma mode: Int) {
      switch mode {
      case 0: self = .dc
      case 1: self = .horizontal
      case 2: self = .vertical
      default: self = .plane
      }
    }

    /// Whether the samples that the mode needs are available.
    package func isValid(_ available: BlockAvailability) -> Bool {
      switch self {
      case .vertical: available.above
      case .horizontal: available.left
      case .dc: true
      case .plane: available.left && available.above && available.aboveLeft
      }
    }
  }

  /// Writes the prediction.
  package func predict(_ mode: Mode, _ values: inout MutableSpan<UInt16>) {
    let (index, stride) = (position.index, position.stride)
    switch mode {
    case .vertical:
      for y in 0..<height {
        for x in 0..<width { values[index &+ y &* stride &+ x] = values[index &- stride &+ x] }
      }
    case .horizontal:
      for y in 0..<height {
        let sample = values[index &+ y &* stride &- 1]
        for x in 0..<width { values[index &+ y &* stride &+ x] = sample }
      }
    case .dc:
      if width == 16 { fill(&values, x: 0, y: 0, size: 16, available) } else { predictChromaDC(&values) }
    case .plane: predictPlane(&values)
    }
  }

  /// Fills a square with the mean of the samples above it and at its left, as far as it uses them.
  private func fill(
    _ values: inout MutableSpan<UInt16>, x: Int, y: Int, size: Int, _ used: BlockAvailability
  ) {
    let stride = position.stride
    let start = position.index &+ y &* stride &+ x
    var sum = 0
    let above = position.index &- stride &+ x
    if used.above { for column in 0..<size { sum &+= Int(values[above &+ column]) } }
    let left = position.index &+ y &* stride &- 1
    if used.left { for row in 0..<size { sum &+= Int(values[left &+ row &* stride]) } }
    let mean: Int
    switch (used.above, used.left) {
    case (true, true): mean = (sum &+ size) / (2 &* size)
    case (false, false): mean = 1 &<< (bitDepth &- 1)
    default: mean = (sum &+ size / 2) / size
    }
    for row in 0..<size {
      for column in 0..<size {
        values[start &+ row &* stride &+ column] = UInt16(truncatingIfNeeded: mean)
      }
    }
  }

  /// Each 4 × 4 block has its own mean. Blocks at one edge only prefer that edge.
  private func predictChromaDC(_ values: inout MutableSpan<UInt16>) {
    for y in Swift.stride(from: 0, to: height, by: 4) {
      for x in Swift.stride(from: 0, to: width, by: 4) {
        var used = available
        if x > 0, y == 0, used.above { used.left = false }
        if x == 0, y > 0, used.left { used.above = false }
        fill(&values, x: x, y: y, size: 4, used)
      }
    }
  }

  private func predictPlane(_ values: inout MutableSpan<UInt16>) {
    let (index, stride) = (position.index, position.stride)
    let (halfX, halfY) = (width / 2, height / 2)
    var (horizontal, vertical) = (0, 0)
    for distance in 1...halfX {
      let right = Int(values[index &- stride &+ halfX &- 1 &+ distance])
      horizontal &+= distance &* (right &- Int(values[index &- stride &+ halfX &- 1 &- distance]))
    }
    for distance in 1...halfY {
      let bottom = Int(values[index &+ (halfY &- 1 &+ distance) &* stride &- 1])
      vertical &+= distance &* (bottom &- Int(values[index &+ (halfY &- 1 &- distance) &* stride &- 1]))
    }
    let slopeX = ((width == 16 ? 5 : 34) &* horizontal &+ 32) &>> 6
    let slopeY = ((height == 16 ? 5 : 34) &* vertical &+ 32) &>> 6
    let corner =
      16 &* (Int(values[index &+ (height &- 1) &* stride &- 1]) &+ Int(values[index &- stride &+ width &- 1]))
    let maximum = 1 &<< bitDepth &- 1
    for y in 0..<height {
      var sum = corner &- slopeX &* (halfX &- 1) &+ slopeY &* (y &- halfY &+ 1) &+ 16
      for x in 0..<width {
        values[index &+ y &* stride &+ x] = UInt16(truncatingIfNeeded: min(max(sum &>> 5, 0), maximum))
        sum &+= slopeX
      }
    }
  }
}
