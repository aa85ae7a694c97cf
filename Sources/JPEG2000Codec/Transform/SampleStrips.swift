// Coefficients or samples of a rectangle, in strips that are separate in memory.

/// The strips of a rectangle that exist at a time.
package struct SampleStrips<Sample: Sendable>: Sendable {
  package let grid: StripGrid
  /// The samples of each strip, row by row; empty if the strip does not exist yet or any more.
  private var strips: [[Sample]]

  /// Creates a rectangle without strips.
  package init(_ grid: StripGrid) {
    self.grid = grid
    strips = [[Sample]](repeating: [], count: grid.count)
  }

  /// Returns the strip that contains a row, and the range of the row in it.
  @inline(__always)
  func row(_ y: Int64) -> (samples: [Sample], range: Range<Int>) {
    // Rows without columns.
    guard !strips.isEmpty else { return ([], 0..<0) }
    let index = grid.index(ofRow: y)
    let start = Int(y - grid.rows(ofStrip: index).lowerBound) * grid.width
    return (strips[index], start..<start + grid.width)
  }

  /// Stores a strip.
  package mutating func set(_ samples: [Sample], strip index: Int) {
    strips[index] = samples
  }

  /// Removes the strips whose rows are all above `y`, and returns the number of their bytes if samples have four.
  mutating func removeRows(above y: Int64) -> Int {
    var byteCount = 0
    for index in strips.indices where !strips[index].isEmpty && grid.rows(ofStrip: index).upperBound <= y {
      byteCount += grid.byteCount(ofStrip: index)
      strips[index] = []
    }
    return byteCount
  }
}
