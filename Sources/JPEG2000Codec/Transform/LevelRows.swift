// The inverse wavelet transform of a resolution, row by row (ITU-T T.800, F.3).

internal import ImageCoding

/// A resolution, the one below and the bands that it adds.
package struct ResolutionBands<Sample: Sendable>: Sendable {
  let window: ResolutionWindow
  /// The samples of the resolution below.
  var lower: SampleStrips<Sample>
  /// HL, LH and HH; none if there are no resolutions below, so that `lower` has the samples.
  var bands: [SampleStrips<Sample>]

  package init(_ window: ResolutionWindow, lower: SampleStrips<Sample>, bands: [SampleStrips<Sample>]) {
    (self.window, self.lower, self.bands) = (window, lower, bands)
  }
}

/// Reconstructs some rows of a resolution from top to bottom. Of the rows between the lifting steps of columns, only those
/// are held that the next steps need, so that they are in the processor's cache.
package struct LevelRows<Kind: Wavelet> {
  private let level: ResolutionBands<Kind.Sample>
  /// The rows that the filter reaches.
  private let rows: Range<Int64>
  private let columns: Range<Int64>
  private var line: LineSynthesis<Kind>
  /// The last rows with low and with high frequencies; row `y` is in the place `y / 2` modulo 4.
  private var low: [Kind.Sample]
  private var high: [Kind.Sample]
  /// The next row whose bands are read.
  private var next: Int64
  /// The row that has been reconstructed.
  private var position: Int64

  /// The number of bytes of a value.
  package static func byteCount(_ window: ResolutionWindow) -> Int {
    let (count, overflow) = Int(clamping: window.extended.width).multipliedReportingOverflow(by: 40)
    return overflow ? .max : count
  }

  /// Prepares for the rows from `firstRow` to `endRow`, which are in the window.
  package init(_ level: ResolutionBands<Kind.Sample>, rows: Range<Int64>) {
    self.level = level
    let (extended, reach) = (level.window.extended, Int64(Kind.stepCount))
    self.rows = max(extended.y0, rows.lowerBound - reach)..<min(extended.y1, rows.upperBound + reach)
    columns = level.bands.isEmpty ? level.window.samples.x0..<level.window.samples.x1 : extended.x0..<extended.x1
    line = LineSynthesis(columns: columns)
    low = [Kind.Sample](repeating: Kind.zero, count: 4 * columns.count)
    high = [Kind.Sample](repeating: Kind.zero, count: 4 * columns.count)
    next = self.rows.lowerBound
    position = rows.lowerBound - 1
  }

  /// Reconstructs the next row.
  package mutating func advance(_ budget: inout ResourceBudget) throws(CodecError) {
    position += 1
    guard !level.bands.isEmpty else {
      try budget.chargeWork(columns.count)
      let source = level.lower.row(position)
      let slot = slot(position)
      return position & 1 == 0
        ? Self.copy(source.samples.span.extracting(source.range), into: &low, slot)
        : Self.copy(source.samples.span.extracting(source.range), into: &high, slot)
    }
    while next <= position + Int64(Kind.stepCount) {
      try budget.chargeWork(count: columns.count, unitsEach: 5)
      if next < rows.upperBound { load(next) }
      // Each step follows the one before it at a distance of one row.
      for step in 0..<Kind.stepCount where level.window.area.height > 1 { lift(step, next - 1 - Int64(step)) }
      next += 1
    }
  }

  /// The samples of the window in the row that was reconstructed last.
  package var row: Span<Kind.Sample> {
    @_lifetime(borrow self)
    get {
      let start = slot(position).lowerBound + Int(level.window.samples.x0 - columns.lowerBound)
      let range = start..<start + Int(level.window.samples.width)
      return position & 1 == 0 ? low.span.extracting(range) : high.span.extracting(range)
    }
  }

  private func slot(_ y: Int64) -> Range<Int> {
    let start = Int(y >> 1 & 3) * columns.count
    return start..<start + columns.count
  }

  private static func copy(_ source: Span<Kind.Sample>, into rows: inout [Kind.Sample], _ slot: Range<Int>) {
    var target = rows.mutableSpan._consumingExtracting(slot)
    for index in target.indices { target[index] = source[index] }
  }

  /// Reconstructs a row of low or high frequencies of columns from two bands.
  private mutating func load(_ y: Int64) {
    let isHigh = y & 1 == 1
    let (lowSource, highSource) =
      isHigh
      ? (level.bands[1].row(y >> 1), level.bands[2].row(y >> 1)) : (level.lower.row(y >> 1), level.bands[0].row(y >> 1))
    let isSingle = level.window.area.height == 1
    if isHigh {
      Self.load(lowSource, highSource, &line, into: &high, slot(y)) {
        isSingle ? Kind.halve($0) : Kind.scale($0, isHigh: true)
      }
    } else {
      Self.load(lowSource, highSource, &line, into: &low, slot(y)) { isSingle ? $0 : Kind.scale($0, isHigh: false) }
    }
  }

  @inline(__always)
  private static func load(
    _ lowSource: (samples: [Kind.Sample], range: Range<Int>),
    _ highSource: (samples: [Kind.Sample], range: Range<Int>), _ line: inout LineSynthesis<Kind>,
    into rows: inout [Kind.Sample], _ slot: Range<Int>, _ finish: (Kind.Sample) -> Kind.Sample
  ) {
    let lowSpan = lowSource.samples.span.extracting(lowSource.range)
    let highSpan = highSource.samples.span.extracting(highSource.range)
    var target = rows.mutableSpan._consumingExtracting(slot)
    line.reconstruct(lowSpan, highSpan, into: &target, finish)
  }

  /// Carries out a step on a row, if the row is one that the step changes.
  private mutating func lift(_ step: Int, _ y: Int64) {
    guard rows.contains(y), Int(y & 1) == step & 1 else { return }
    // The symmetric extension.
    let above = slot(y > rows.lowerBound ? y - 1 : y + 1)
    let below = slot(y + 1 < rows.upperBound ? y + 1 : y - 1)
    if step & 1 == 0 {
      Self.lift(step, &low, slot(y), high, above, below)
    } else {
      Self.lift(step, &high, slot(y), low, above, below)
    }
  }

  private static func lift(
    _ step: Int, _ rows: inout [Kind.Sample], _ slot: Range<Int>, _ neighbors: [Kind.Sample], _ above: Range<Int>,
    _ below: Range<Int>
  ) {
    var target = rows.mutableSpan._consumingExtracting(slot)
    Kind.lift(step, &target, neighbors.span.extracting(above), neighbors.span.extracting(below))
  }
}
