// Intra prediction without a direction (sections 7.11.2.2, 7.11.2.3, 7.11.2.5 and 7.11.2.6).

extension BlockReconstruction {
  /// `DC_PRED`: the mean of the neighbours that are decoded.
  func predictDC(_ target: Target, _ neighbours: IntraNeighbours, _ samples: inout MutableSpan<UInt16>) {
    let (width, height) = (target.width, target.height)
    var sum = 0
    var count = 0
    if neighbours.hasAbove {
      for x in 0..<width { sum &+= Int(above[x]) }
      count &+= width
    }
    if neighbours.hasLeft {
      for y in 0..<height { sum &+= Int(left[y]) }
      count &+= height
    }
    let mean = count == 0 ? (maximum &+ 1) &>> 1 : (sum &+ count &>> 1) / count
    let value = UInt16(truncatingIfNeeded: mean)
    for y in 0..<height {
      let first = target.index &+ y &* target.stride
      for x in first..<first &+ width { samples[x] = value }
    }
  }

  /// `PAETH_PRED`: the neighbour nearest to left plus above minus the corner.
  func predictPaeth(_ target: Target, _ samples: inout MutableSpan<UInt16>) {
    let corner = Int32(above[-1])
    let top = above.samples.span
    for y in 0..<target.height {
      let side = Int32(left[y])
      var row = samples._mutatingExtracting(
        target.index &+ y &* target.stride..<target.index &+ y &* target.stride &+ target.width)
      for x in 0..<target.width {
        let above = Int32(top[x &+ IntraEdge.origin])
        let leftDistance = abs(above &- corner)
        let topDistance = abs(side &- corner)
        let cornerDistance = abs(above &+ side &- 2 &* corner)
        let isLeft = leftDistance <= topDistance && leftDistance <= cornerDistance
        let other = topDistance <= cornerDistance ? above : corner
        row[x] = UInt16(truncatingIfNeeded: isLeft ? side : other)
      }
    }
  }

  /// `SMOOTH_PRED`: the mean of both interpolations.
  func predictSmooth(_ target: Target, _ samples: inout MutableSpan<UInt16>) {
    let (width, height) = (target.width, target.height)
    let top = above.samples.span
    let weights = smoothWeights.span
    let (right, bottom) = (Int32(above[width &- 1]), Int32(left[height &- 1]))
    for y in 0..<height {
      let weight = Int32(weights[height &+ y])
      let side = Int32(left[y])
      let base = (256 &- weight) &* bottom &+ 256 &* right &+ 256
      let slope = side &- right
      var row = samples._mutatingExtracting(
        target.index &+ y &* target.stride..<target.index &+ y &* target.stride &+ width)
      for x in 0..<width {
        let sum = base &+ weight &* Int32(top[x &+ IntraEdge.origin]) &+ Int32(weights[width &+ x]) &* slope
        row[x] = UInt16(truncatingIfNeeded: sum &>> 9)
      }
    }
  }

  /// `SMOOTH_V_PRED`: the interpolation between the row above and the last sample to the left.
  func predictSmoothVertical(_ target: Target, _ samples: inout MutableSpan<UInt16>) {
    let (width, height) = (target.width, target.height)
    let top = above.samples.span
    let bottom = Int32(left[height &- 1])
    for y in 0..<height {
      let weight = Int32(smoothWeights[height &+ y])
      let base = (256 &- weight) &* bottom &+ 128
      var row = samples._mutatingExtracting(
        target.index &+ y &* target.stride..<target.index &+ y &* target.stride &+ width)
      for x in 0..<width {
        row[x] = UInt16(truncatingIfNeeded: (base &+ weight &* Int32(top[x &+ IntraEdge.origin])) &>> 8)
      }
    }
  }

  /// `SMOOTH_H_PRED`: the interpolation between the column to the left and the last sample above.
  func predictSmoothHorizontal(_ target: Target, _ samples: inout MutableSpan<UInt16>) {
    let (width, height) = (target.width, target.height)
    let weights = smoothWeights.span
    let right = Int32(above[width &- 1])
    for y in 0..<height {
      let slope = Int32(left[y]) &- right
      let base = 256 &* right &+ 128
      var row = samples._mutatingExtracting(
        target.index &+ y &* target.stride..<target.index &+ y &* target.stride &+ width)
      for x in 0..<width {
        row[x] = UInt16(truncatingIfNeeded: (base &+ Int32(weights[width &+ x]) &* slope) &>> 8)
      }
    }
  }

  /// Recursive intra prediction: each group of 4 × 2 samples is a filter of its neighbours.
  func predictRecursively(_ mode: Int, _ target: Target, _ samples: inout MutableSpan<UInt16>) {
    let limit = Int32(truncatingIfNeeded: maximum)
    for y in stride(from: 0, to: target.height, by: 2) {
      let first = target.index &+ y &* target.stride
      for x in stride(from: 0, to: target.width, by: 4) {
        var neighbours = InlineArray<7, Int32>(repeating: 0)
        for index in 0..<5 {
          let column = x &+ index &- 1
          let value =
            y == 0
            ? above[column]
            : column < 0 ? left[y &- 1] : samples[first &- target.stride &+ column]
          neighbours[index] = Int32(value)
        }
        for index in 0..<2 {
          neighbours[5 &+ index] = Int32(
            x == 0 ? left[y &+ index] : samples[first &+ index &* target.stride &+ x &- 1])
        }
        for position in 0..<8 {
          var sum: Int32 = 0
          let taps = (mode &* 8 &+ position) &* 7
          for index in 0..<7 { sum &+= Int32(filterTaps[taps &+ index]) &* neighbours[index] }
          let value = sum < 0 ? 0 &- (8 &- sum) &>> 4 : (sum &+ 8) &>> 4
          samples[first &+ (position &>> 2) &* target.stride &+ x &+ position & 3] = UInt16(
            truncatingIfNeeded: min(max(value, 0), limit))
        }
      }
    }
  }
}
