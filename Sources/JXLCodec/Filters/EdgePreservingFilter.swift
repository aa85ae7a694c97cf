// The edge-preserving filter (ISO/IEC 18181-1, J.3).

/// Averages each sample of a tile with those neighbours whose surroundings resemble its own: one iteration.
struct EdgePreservingFilter: Sendable {
  private var distances: EdgeDistances
  /// The factors of the distances of a row, with the margins.
  private var factors: [Float]
  /// The strengths of blocks. Below the minimum, samples are unchanged.
  private let strengths: EdgeStrengths
  private let scale: Float
  private let borderFactor: Float
  private let left: Int
  private let size: PixelSize
  /// The row of blocks of the current factors, and whether they are those of its first and last row of samples.
  private var factorRow: (block: Int, isBorder: Bool)?

  private static let minimumSigma: Float = 0.3
  /// The factor by which distances are divided by sigma: 6.6 · (1/√2 − 1).
  private static let distanceFactor: Float = -1.9330952441687859

  /// - Parameters:
  ///   - scale: the factor of the iteration.
  ///   - window: the rows that are filtered.
  init(
    _ pattern: EdgeDistances.Pattern, scale: Float, _ filter: RestorationFilter, _ strengths: EdgeStrengths,
    _ window: FilterWindow
  ) {
    // The three colours of grey frames are equal.
    let scales = window.planeCount == 3 ? filter.channelScale : [filter.channelScale.reduce(0, +)]
    distances = EdgeDistances(window, scales, pattern)
    (self.strengths, self.scale, borderFactor) = (strengths, scale * Self.distanceFactor, filter.borderFactor)
    (left, size) = (window.left, window.size)
    factors = [Float](repeating: 0, count: window.stride)
  }

  /// The work for a sample of a colour, in the units of the budget.
  var unitsPerSample: Int { distances.unitsPerSample }

  /// Calculates a row of a tile from the rows in reach. Rows follow one another.
  mutating func filter(row y: Int, of source: FilterWindow, into target: inout FilterWindow) {
    distances.advance(to: y, source)
    setFactors(y, target.calculatedColumns)
    distances.average(y, source, factors.span, into: &target)
  }

  /// Sets the factors of the distances of the samples of a row. Those beyond the frame are arbitrary.
  private mutating func setFactors(_ y: Int, _ columns: Range<Int>) {
    let isBorderRow = y & 7 == 0 || y & 7 == 7
    if let factorRow, factorRow == (y >> 3, isBorderRow) { return }
    factorRow = (y >> 3, isBorderRow)
    // Tiles start at multiples of the size of blocks.
    for x in stride(from: columns.lowerBound, to: columns.upperBound, by: 8) {
      let column = min(max(left + x, 0), size.width - 1) >> 3
      let sigma = strengths[column, y >> 3]
      // A weight is 0 unless both surroundings are equal, so that samples are unchanged.
      let inner = sigma < Self.minimumSigma ? -1e30 : scale / sigma
      let border = inner * borderFactor
      var vector = FloatVector(repeating: isBorderRow ? border : inner)
      (vector[0], vector[7]) = (border, border)
      var output = factors.mutableSpan
      storeVector(vector, into: &output, at: FilterWindow.start + x)
    }
  }
}
