// The area accumulator: for some rows, how much each line changes the coverage from one pixel to the next.
//
// A line that crosses a row by `dy` covers everything to its right by dy. In its own pixel it covers the part right of
// it, and the pixel after that gets the rest. A running sum along the row then is the signed area, exact on the grid of
// 1/256 pixel; a whole pixel is 2 · 256 · 256. A bit for each four cells tells which ones to look at.

/// How the cells of a band lie in memory.
struct CellLayout: Sendable {
  var rowCount = 0
  /// Cells of a row.
  var stride = 0
  /// Words of marks of a row.
  var wordsPerRow = 0

  init() {}

  /// Rows for shapes of `width` pixels: as many as fit in a cache but not more than wanted.
  init(width: Int, height: Int) {
    // A line on the right border writes to the two cells after the last pixel; groups of four.
    stride = (width + 2 + 3) & ~3
    wordsPerRow = (stride + 255) / 256
    // Small shapes fit whole; the largest get bands that stay in the second-level cache.
    rowCount = min(height, max(8, 65536 / stride))
  }
}

/// Cells of some rows. All are zero between two shapes.
struct CellBand: Sendable {
  /// The accumulated value of a wholly covered pixel.
  static let fullArea: Int32 = 131_072

  private(set) var layout = CellLayout()
  var cells: [Int32] = []
  var marks: [UInt64] = []

  /// Makes room.
  mutating func prepare(_ layout: CellLayout) {
    self.layout = layout
    let cellCount = layout.rowCount * layout.stride
    let markCount = layout.rowCount * layout.wordsPerRow
    if cells.count < cellCount { cells = [Int32](repeating: 0, count: cellCount) }
    if marks.count < markCount { marks = [UInt64](repeating: 0, count: markCount) }
  }
}
