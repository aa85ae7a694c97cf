// What the rasteriser gives out: runs of coverage, row by row.

/// Neighbouring pixels of a row.
struct CoverageRun: Sendable {
  /// The first column, from the left border of the clip.
  var x: Int32
  /// The number of pixels; at least 1.
  var count: Int32
  /// The coverage of all these pixels, 1…255; 0 when each pixel has its own in the row's coverage.
  var solid: Int32
}

/// Takes in the rows of a shape.
protocol CoverageSink: ~Copyable {
  /// Takes one row.
  ///
  /// - Parameters:
  ///   - y: the row, from the top border of the clip.
  ///   - runs: from left to right, without overlap.
  ///   - coverage: of every column of the clip; only those of runs that are not solid have a meaning.
  mutating func consume(y: Int, runs: Span<CoverageRun>, coverage: Span<UInt8>)
}
