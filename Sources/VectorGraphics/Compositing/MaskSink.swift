// Stores coverage in a mask, for clips.

/// Collects coverage runs in a mask.
struct MaskSink: CoverageSink {
  private(set) var mask: Mask
  private let region: PixelRect

  /// - Parameters:
  ///   - bounds: the bounds of the mask; all runs are inside them.
  ///   - region: the rectangle whose corner is the origin of rows and columns.
  init(bounds: PixelRect, region: PixelRect) {
    mask = Mask(bounds: bounds)
    self.region = region
  }

  mutating func consume(y: Int, runs: Span<CoverageRun>, coverage: Span<UInt8>) {
    let bounds = mask.bounds
    let start = (region.minY + y - bounds.minY) * bounds.width + region.minX - bounds.minX
    var target = mask.coverage.mutableSpan
    for index in runs.indices {
      let run = runs[index]
      let columns = Int(run.x)..<Int(run.x &+ run.count)
      var row = target._mutatingExtracting(start + columns.lowerBound..<start + columns.upperBound)
      if run.solid != 0 {
        for column in row.indices { row[column] = UInt8(truncatingIfNeeded: run.solid) }
      } else {
        let amounts = coverage.extracting(columns)
        for column in row.indices { row[column] = amounts[column] }
      }
    }
  }
}
