// The output of the rasteriser: runs of coverage, row by row.

/// Adjacent pixels of a row.
struct CoverageRun: Sendable {
  /// The first column, relative to the left border of the clip.
  var x: Int32
  /// The number of pixels, at least 1.
  var count: Int32
  /// The coverage of all pixels in the run, 1…255; 0 if they have individual coverage in the row's coverage.
  var solid: Int32
}

/// Receives the rows of a shape.
protocol CoverageSink: ~Copyable {
  /// Receives one row.
  ///
  /// - Parameters:
  ///   - y: the row, relative to the top border of the clip.
  ///   - runs: sorted from left to right, without overlap.
  ///   - coverage: one value per column of the clip; valid only in runs that are not solid.
  mutating func consume(y: Int, runs: Span<CoverageRun>, coverage: Span<UInt8>)
}
