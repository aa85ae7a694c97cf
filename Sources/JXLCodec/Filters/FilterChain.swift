// The filters of a tile, one after the other (ISO/IEC 18181-1, J).

internal import ImageCoding

/// Passes the rows of a tile from one filter to the next, so that they remain in the processor's cache.
struct FilterChain {
  private var gaborish: Gaborish?
  private var edgeFilters: [EdgePreservingFilter] = []
  /// The rows before the first filter, and those after each filter.
  private var windows: [FilterWindow]
  /// The memory for channels that are reduced.
  private var chroma = ChromaRows(width: 0)
  /// The reach of each filter, after 0 for the rows before all of them.
  private let reaches: [Int]

  /// - Parameters:
  ///   - size: that of the frame.
  ///   - columns: the columns of the tile, which start at a multiple of 8.
  init(
    _ filter: RestorationFilter, _ strengths: EdgeStrengths, size: PixelSize, columns: Range<Int>, planeCount: Int
  ) {
    let window = FilterWindow(size, columns: columns, planeCount: planeCount)
    var reaches = [0]
    if filter.usesGaborish {
      gaborish = Gaborish(weights: filter.gaborishWeights)
      reaches.append(1)
    }
    var iterations: [(EdgeDistances.Pattern, scale: Float)] = []
    let count = filter.edgeIterationCount
    if count == 3 { iterations.append((.far, filter.firstSigmaScale)) }
    if count >= 1 { iterations.append((.near, 1)) }
    if count >= 2 { iterations.append((.direct, filter.lastSigmaScale)) }
    for (pattern, scale) in iterations {
      edgeFilters.append(EdgePreservingFilter(pattern, scale: scale, filter, strengths, window))
      reaches.append(pattern.reach)
    }
    self.reaches = reaches
    windows = reaches.map { _ in FilterWindow(size, columns: columns, planeCount: planeCount) }
  }

  /// The memory of the chain of a tile.
  static func byteCount(_ filter: RestorationFilter, width: Int, planeCount: Int) -> Int {
    let windowCount = 1 + (filter.usesGaborish ? 1 : 0) + filter.edgeIterationCount
    return windowCount * FilterWindow.byteCount(width: width, planeCount: planeCount)
      + filter.edgeIterationCount * EdgeDistances.byteCount(width: width)
  }

  /// The number of rows after a row that the filters need.
  static func reach(_ filter: RestorationFilter) -> Int {
    (filter.usesGaborish ? 1 : 0) + [0, 2, 3, 6][filter.edgeIterationCount]
  }

  /// Filters rows.
  ///
  /// - Parameter body: receives the number of each row, and the window with the filtered samples.
  mutating func run(
    rows: Range<Int>, of samples: SampleGroups, budget: inout ResourceBudget,
    _ body: (_ y: Int, _ window: inout FilterWindow, _ budget: inout ResourceBudget) throws(CodecError) -> Void
  ) throws(CodecError) {
    if samples.isReduced { chroma = ChromaRows(width: windows[0].width) }
    let total = reaches.reduce(0, +)
    let (height, width, planeCount) = (samples.height, windows[0].width, windows[0].planeCount)
    for time in rows.lowerBound - total..<rows.upperBound + total {
      var (row, remaining) = (time, total)
      for step in reaches.indices {
        row -= reaches[step]
        remaining -= reaches[step]
        let isNeeded = row >= rows.lowerBound - remaining && row < rows.upperBound + remaining
        guard isNeeded, row >= 0, row < height else { continue }
        try budget.chargeWork(count: width * planeCount, unitsEach: units(ofStep: step))
        process(row, step, samples)
        if step > 0, step < reaches.count - 1 { windows[step].mirrorSides(row: row) }
        if step == reaches.count - 1 { try body(row, &windows[step], &budget) }
      }
    }
  }

  private func units(ofStep step: Int) -> Int {
    if step == 0 { return 1 }
    if step == 1, let gaborish { return gaborish.unitsPerSample }
    return edgeFilters[step - (gaborish == nil ? 1 : 2)].unitsPerSample
  }

  private mutating func process(_ row: Int, _ step: Int, _ samples: SampleGroups) {
    guard step > 0 else { return samples.copy(row: row, into: &windows[0], &chroma) }
    // Moved out while in use, so that nothing is copied.
    var target = windows[step]
    windows[step].samples = []
    if step == 1, let gaborish {
      gaborish.filter(row: row, of: windows[0], into: &target)
    } else {
      edgeFilters[step - (gaborish == nil ? 1 : 2)].filter(row: row, of: windows[step - 1], into: &target)
    }
    windows[step] = target
  }
}
