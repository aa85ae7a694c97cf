// The LF coefficients of a VarDCT frame: an image of an eighth of the size (ISO/IEC 18181-1, I.4).

internal import ImageCoding

/// The LF coefficients of the three channels, and the classes of blocks that follow from them.
struct LowFrequencyImage: Sendable {
  /// The sizes of the planes in blocks.
  let columns: [Int]
  let rows: [Int]
  /// The coefficients of X, Y and B, row by row.
  private(set) var planes: [[Float]]
  /// The class of each block by its quantised coefficients; empty if there is one class.
  private(set) var classes: [UInt8]
  /// The quantised coefficients; empty unless they are retained.
  private(set) var quantized: [[Int32]] = []
  private let gridColumns: Int

  init(_ grid: BlockGrid, hasClasses: Bool, budget: inout ResourceBudget) throws(CodecError) {
    gridColumns = grid.columns
    columns = (0..<3).map { grid.columns($0) }
    rows = (0..<3).map { grid.rows($0) }
    try budget.allocate(count: grid.blockCount, bytesEach: hasClasses ? 13 : 12)
    try budget.chargeWork(grid.blockCount * 3)
    planes = zip(columns, rows).map { [Float](repeating: 0, count: $0 * $1) }
    classes = [UInt8](repeating: 0, count: hasClasses ? grid.blockCount : 0)
  }

  /// Retains the quantised coefficients, which are stored from now on.
  mutating func retainQuantized(budget: inout ResourceBudget) throws(CodecError) {
    let counts = planes.map { $0.count }
    try budget.allocate(count: counts.reduce(0, +), bytesEach: 4)
    quantized = counts.map { [Int32](repeating: 0, count: $0) }
  }

  /// Takes the coefficients from a low-frequency frame of the size of the grid.
  mutating func replace(with frame: RenderedFrame) {
    for plane in 0..<3 {
      for y in 0..<min(rows[plane], frame.height) {
        for x in 0..<min(columns[plane], frame.width) {
          planes[plane][y * columns[plane] + x] = frame.planes[plane][y * frame.width + x]
        }
      }
    }
  }

  /// Stores the quantised coefficients of a group.
  ///
  /// - Parameters:
  ///   - channels: the coefficients of Y, X and B.
  ///   - region: the blocks of the group.
  ///   - scales: the factors of X, Y and B.
  mutating func store(
    _ channels: [ModularChannel], _ region: PixelRegion, _ grid: BlockGrid, scales: [Float],
    _ global: LowFrequencyGlobal, budget: inout ResourceBudget
  ) throws(CodecError) {
    try budget.chargeWork(count: region.width * region.height, unitsEach: 30)
    for plane in 0..<3 {
      let channel = channels[plane < 2 ? 1 - plane : 2]
      let left = region.x >> grid.horizontalShifts[plane]
      let top = region.y >> grid.verticalShifts[plane]
      let samples = channel.samples.span
      var target = planes[plane].mutableSpan
      for y in 0..<channel.height {
        let start = (top + y) * columns[plane] + left
        for x in 0..<channel.width {
          target[start + x] = Float(samples[y * channel.width + x]) * scales[plane]
        }
      }
    }
    for plane in quantized.indices {
      let channel = channels[plane < 2 ? 1 - plane : 2]
      let start = (region.y >> grid.verticalShifts[plane]) * columns[plane] + region.x >> grid.horizontalShifts[plane]
      for y in 0..<channel.height {
        for x in 0..<channel.width {
          quantized[plane][start + y * columns[plane] + x] = channel.samples[y * channel.width + x]
        }
      }
    }
    if !grid.isReduced { correlate(region, global.correlation) }
    if !classes.isEmpty { classify(channels, region, grid, global.contexts) }
  }

  /// Adds the part of X and B that is predicted from Y.
  private mutating func correlate(_ region: PixelRegion, _ correlation: ColorCorrelation) {
    for y in region.y..<region.y + region.height {
      for index in y * gridColumns + region.x..<y * gridColumns + region.x + region.width {
        planes[0][index] += correlation.lowFrequencyX * planes[1][index]
        planes[2][index] += correlation.lowFrequencyB * planes[1][index]
      }
    }
  }

  private mutating func classify(
    _ channels: [ModularChannel], _ region: PixelRegion, _ grid: BlockGrid, _ contexts: BlockContexts
  ) {
    func value(_ plane: Int, _ x: Int, _ y: Int) -> Int32 {
      let channel = channels[plane < 2 ? 1 - plane : 2]
      return channel.samples[(y >> grid.verticalShifts[plane]) * channel.width + x >> grid.horizontalShifts[plane]]
    }
    for y in 0..<region.height {
      for x in 0..<region.width {
        classes[(region.y + y) * gridColumns + region.x + x] = contexts.lowFrequencyClass(
          x: value(0, x, y), y: value(1, x, y), b: value(2, x, y))
      }
    }
  }

  /// Smooths gradients whose steps are smaller than those of the quantisation.
  ///
  /// - Parameter scales: the steps of X, Y and B.
  mutating func smooth(scales: [Float], budget: inout ResourceBudget) throws(CodecError) {
    let (width, height) = (columns[0], rows[0])
    guard width > 2, height > 2 else { return }
    let byteCount = planes.reduce(0) { $0 + $1.count * 4 }
    try budget.allocate(byteCount)
    defer { budget.release(byteCount) }
    let source = planes
    var gaps = [Float](repeating: 0, count: width)
    var smoothed = (0..<3).map { _ in [Float](repeating: 0, count: width) }
    for y in 1..<height - 1 {
      try budget.chargeWork(count: width, unitsEach: 15)
      for x in gaps.indices { gaps[x] = 0.5 }
      for plane in 0..<3 {
        let samples = source[plane]
        Self.smoothRow(samples.span, y * width, width, into: &smoothed[plane])
        for x in 1..<width - 1 {
          let difference = abs(smoothed[plane][x] - source[plane][y * width + x])
          gaps[x] = max(gaps[x], difference / scales[plane])
        }
      }
      for plane in 0..<3 {
        for x in 1..<width - 1 {
          let value = source[plane][y * width + x]
          planes[plane][y * width + x] = value + (smoothed[plane][x] - value) * max(0, 3 - 4 * gaps[x])
        }
      }
    }
  }

  /// Calculates the weighted means of 3 × 3 coefficients of a row, without the first and last one.
  private static func smoothRow(_ source: Span<Float>, _ start: Int, _ width: Int, into row: inout [Float]) {
    let (above, below) = (start - width, start + width)
    for x in 1..<width - 1 {
      let sides = source[above + x] + source[below + x] + source[start + x - 1] + source[start + x + 1]
      let corners = source[above + x - 1] + source[above + x + 1] + source[below + x - 1] + source[below + x + 1]
      row[x] = 0.05226273532324128 * source[start + x] + 0.20345139757231578 * sides + 0.0334829185968739 * corners
    }
  }
}
