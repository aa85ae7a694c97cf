// The inverse wavelet transform of a tile's component, resolution by resolution (ITU-T T.800, F.3).

internal import ImageCoding

/// Reconstructs the samples of a resolution from its sub-bands.
///
/// The bands are in the places of the samples: LL in the top left corner, HL to its right, LH below it and HH next to
/// that.
package struct InverseTransform<Kind: Wavelet> {
  private var lines: WaveletLines<Kind.Sample>

  /// The number of columns that are transformed together.
  private static var columnCount: Int { 32 }
  /// The largest number of samples of a group of columns.
  private static var groupSampleCount: Int { 1 << 24 }

  /// - Parameter side: the larger of the width and the height of the plane.
  package init(side: Int, budget: inout ResourceBudget) throws(CodecError) {
    let (capacity, overflow) = (side / 2 + 4).multipliedReportingOverflow(by: Self.columnCount)
    try budget.allocate(count: overflow ? .max : capacity, bytesEach: 8)
    lines = WaveletLines(capacity: capacity, zero: Kind.zero)
  }

  /// Reconstructs a resolution from the one below and the bands that it adds.
  ///
  /// - Parameters:
  ///   - plane: rows of `pitch` samples.
  ///   - area: the samples of the resolution.
  ///   - lower: the samples of the resolution below.
  package mutating func reconstruct(
    _ plane: inout [Kind.Sample], pitch: Int, _ area: GridArea, lower: GridArea, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let (width, height) = (Int(area.width), Int(area.height))
    let (lowWidth, lowHeight) = (Int(lower.width), Int(lower.height))
    guard width > 0, height > 0 else { return }
    for y in 0..<height {
      try budget.chargeWork(width * 3)
      transformRow(&plane, y * pitch, width, lowWidth, startsWithHigh: area.x0 & 1 == 1)
    }
    var x = 0
    while x < width {
      // High columns are transformed in smaller groups, so that there are enough checkpoints.
      let count = min(Self.columnCount, width - x, max(1, Self.groupSampleCount / height))
      try budget.chargeWork(count * height * 2)
      transformColumns(&plane, x, count, pitch, height, lowHeight, startsWithHigh: area.y0 & 1 == 1)
      x += count
    }
  }

  private mutating func transformRow(
    _ plane: inout [Kind.Sample], _ start: Int, _ width: Int, _ lowCount: Int, startsWithHigh: Bool
  ) {
    guard width > 1 else {
      if startsWithHigh { plane[start] = Kind.halve(plane[start]) }
      return
    }
    let highCount = width - lowCount
    lines.prepare(lowCount: lowCount, highCount: highCount, lineCount: 1, startsWithHigh: startsWithHigh)
    var row = plane.mutableSpan._consumingExtracting(start..<start + width)
    var low = lines.low.mutableSpan
    for index in 0..<lowCount { low[index &+ 1] = row[index] }
    var high = lines.high.mutableSpan
    for index in 0..<highCount { high[index &+ 1] = row[lowCount &+ index] }
    Kind.synthesize(&lines)
    let (lowResult, highResult) = (lines.low.span, lines.high.span)
    let offset = startsWithHigh ? 1 : 0
    for index in 0..<lowCount { row[2 &* index &+ offset] = lowResult[index &+ 1] }
    for index in 0..<highCount { row[2 &* index &+ 1 &- offset] = highResult[index &+ 1] }
  }

  private mutating func transformColumns(
    _ plane: inout [Kind.Sample], _ x: Int, _ count: Int, _ pitch: Int, _ height: Int, _ lowCount: Int,
    startsWithHigh: Bool
  ) {
    guard height > 1 else {
      if startsWithHigh {
        for index in x..<x + count { plane[index] = Kind.halve(plane[index]) }
      }
      return
    }
    let highCount = height - lowCount
    lines.prepare(lowCount: lowCount, highCount: highCount, lineCount: count, startsWithHigh: startsWithHigh)
    for y in 0..<lowCount {
      let source = plane.span.extracting(y * pitch + x..<y * pitch + x + count)
      let position = lines.position(y)
      var target = lines.low.mutableSpan._consumingExtracting(position)
      for index in target.indices { target[index] = source[index] }
    }
    for y in 0..<highCount {
      let start = (lowCount + y) * pitch + x
      let source = plane.span.extracting(start..<start + count)
      let position = lines.position(y)
      var target = lines.high.mutableSpan._consumingExtracting(position)
      for index in target.indices { target[index] = source[index] }
    }
    Kind.synthesize(&lines)
    let offset = startsWithHigh ? 1 : 0
    for y in 0..<height {
      let position = lines.position(y / 2)
      let start = y * pitch + x
      if (y + offset) & 1 == 0 {
        copy(lines.low.span.extracting(position), into: &plane, at: start)
      } else {
        copy(lines.high.span.extracting(position), into: &plane, at: start)
      }
    }
  }

  private func copy(_ source: Span<Kind.Sample>, into plane: inout [Kind.Sample], at start: Int) {
    var target = plane.mutableSpan._consumingExtracting(start..<start + source.count)
    for index in target.indices { target[index] = source[index] }
  }
}
