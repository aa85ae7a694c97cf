// Noise that replaces the grain that coding removes (ISO/IEC 18181-1, K.5).

internal import ImageCoding

/// Adds noise to the colours of a frame in XYB.
struct NoiseStage: Sendable {
  private let parameters: NoiseParameters
  /// The correlation of X and of B with Y.
  private let correlations: (x: Float, b: Float)
  /// The size of the frame after upsampling.
  let size: PixelSize
  /// The binary logarithm of the size of the groups, each of which has its own generators.
  let groupShift: Int
  /// The numbers of shown frames so far and of frames since the last one.
  private let frame: (visible: UInt32, invisible: UInt32)

  /// Creates the stage; `nil` if the frame has no noise.
  ///
  /// - Parameter number: the numbers of shown frames so far and of frames since the last one.
  init?(_ frame: FrameDecoder, number: (visible: UInt32, invisible: UInt32)) {
    guard let noise = frame.noise else { return nil }
    parameters = noise
    correlations = (frame.correlation.baseX, frame.correlation.baseB)
    (size, groupShift, self.frame) = (frame.header.sampleSize, frame.layout.groupShift, number)
  }

  /// The columns and rows of groups.
  var groupColumns: Int { (size.width - 1) >> groupShift + 1 }
  var groupRows: Int { (size.height - 1) >> groupShift + 1 }

  /// Returns the random numbers of a group: three planes, whose memory is charged.
  func numbers(column: Int, row: Int, budget: inout ResourceBudget) throws(CodecError) -> [SamplePlane] {
    let (x, y) = (column << groupShift, row << groupShift)
    let (width, height) = (min(1 << groupShift, size.width - x), min(1 << groupShift, size.height - y))
    try budget.allocate(count: width * height, bytesEach: 12)
    var generator = NoiseGenerator(frame: frame, x: x, y: y)
    var planes: [SamplePlane] = []
    for _ in 0..<3 {
      try budget.chargeWork(count: width * height, unitsEach: 2)
      var samples = [Float](repeating: 0, count: width * height)
      for row in 0..<height {
        var all = samples.mutableSpan
        var part = all._mutatingExtracting(row * width..<(row + 1) * width)
        generator.fill(&part)
      }
      planes.append(SamplePlane(width: width, height: height, samples: samples))
    }
    return planes
  }

  /// Adds noise to a row of colours.
  ///
  /// - Parameter noise: three rows of filtered random numbers.
  func add(
    _ noise: Span<Float>, to first: inout MutableSpan<Float>, _ second: inout MutableSpan<Float>,
    _ third: inout MutableSpan<Float>
  ) {
    let count = first.count
    let (redNoise, greenNoise) = (noise.extracting(..<count), noise.extracting(count..<2 * count))
    let commonNoise = noise.extracting(2 * count..<3 * count)
    let strengths = parameters.strengths.span
    for index in 0..<count {
      let (x, y) = (first[index], second[index])
      let common = commonNoise[index] * (127.0 / 128)
      let red = 0.22 * NoiseParameters.strength((y + x) / 2, strengths) * (redNoise[index] / 128 + common)
      let green = 0.22 * NoiseParameters.strength((y - x) / 2, strengths) * (greenNoise[index] / 128 + common)
      first[index] = x + red - green + correlations.x * (red + green)
      second[index] = y + red + green
      third[index] += correlations.b * (red + green)
    }
  }

  /// The work for a pixel, with that of the filter of random numbers.
  static let unitsPerPixel = 40

  /// Adds noise to all rows of a frame.
  func run(on frame: inout RenderedFrame, budget: inout ResourceBudget) throws(CodecError) {
    let held = budget.heldByteCount
    defer { budget.settle(heldByteCount: held) }
    try budget.allocate(SampleGroups.listByteCount(groupCount: groupColumns * groupRows))
    var numbers = SampleGroups(size, groupShift: groupShift)
    var rows = try NoiseRows(size, columns: 0..<size.width, budget: &budget)
    var groupRow = 0
    for y in 0..<size.height {
      // The numbers of two rows of groups are held.
      while groupRow < groupRows, groupRow << groupShift <= y + NoiseRows.reach {
        for column in 0..<groupColumns {
          numbers.set(
            try self.numbers(column: column, row: groupRow, budget: &budget), at: groupRow * groupColumns + column)
          guard groupRow >= 2 else { continue }
          let old = numbers.take(group: (groupRow - 2) * groupColumns + column)
          budget.release(old.reduce(0) { $0 + $1.byteCount })
        }
        groupRow += 1
      }
      try budget.chargeWork(count: size.width, unitsEach: Self.unitsPerPixel)
      rows.advance(to: y, numbers)
      frame.withColorRows(y) { first, second, third in add(rows.filtered.span, to: &first, &second, &third) }
    }
  }
}
