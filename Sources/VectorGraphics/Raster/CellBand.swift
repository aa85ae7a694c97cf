// The area accumulator: for a band of rows, the changes in coverage from one pixel to the next caused by each line.
//
// A line that spans `dy` of a row's height covers everything to its right by dy. Its own pixel receives the part to the
// right of the line, and the next pixel receives the rest. The running sum along the row is then the signed area, exact
// on a grid of 1/256 pixel; a fully covered pixel is 2 · 256 · 256. A bit per four cells marks those that need to be
// visited.

/// The memory layout of a band's cells.
struct CellLayout: Sendable {
  var rowCount = 0
  /// The number of cells in a row.
  var stride = 0
  /// The number of mark words in a row.
  var wordsPerRow = 0
  /// The maximum number of runs in a row: groups of four cells, and what is between them.
  var maximumRunCount: Int { stride / 2 + 1 }

  init() {}

  /// Chooses the number of rows for shapes of `width` pixels: as many as fit in the cache, but no more than needed.
  init(width: Int, height: Int) {
    // A line on the right border writes to the two cells after the last pixel; the width is rounded up to groups of
    // four.
    stride = (width + 2 + 3) & ~3
    wordsPerRow = (stride + 255) / 256
    // Small shapes fit entirely; the largest use bands that fit in the second-level cache.
    rowCount = min(height, max(8, 65536 / stride))
  }
}

/// The cells of a band of rows. All are zero between two shapes.
struct CellBand: Sendable {
  /// The accumulated value of a fully covered pixel.
  static let fullArea: Int32 = 131_072

  private(set) var layout = CellLayout()
  var cells: [Int32] = []
  var marks: [UInt64] = []

  /// Allocates room for the cells.
  mutating func prepare(_ layout: CellLayout) {
    self.layout = layout
    let cellCount = layout.rowCount * layout.stride
    let markCount = layout.rowCount * layout.wordsPerRow
    if cells.count < cellCount { cells = [Int32](repeating: 0, count: cellCount) }
    if marks.count < markCount { marks = [UInt64](repeating: 0, count: markCount) }
  }

  /// The number of maximal sequences of marked groups in a row.
  func islandCount(row: Int) -> Int {
    var count = 0
    var carry: UInt64 = 0
    let base = row &* layout.wordsPerRow
    for index in base..<base &+ layout.wordsPerRow {
      let bits = marks[index]
      count &+= (bits & ~((bits &<< 1) | carry)).nonzeroBitCount
      carry = bits &>> 63
    }
    return count
  }

  /// Sets the cells of a row to zero, and removes their marks.
  mutating func clear(row: Int) {
    for index in row &* layout.wordsPerRow..<(row &+ 1) &* layout.wordsPerRow {
      marks[index] = 0
    }
    for index in row &* layout.stride..<(row &+ 1) &* layout.stride { cells[index] = 0 }
  }
}
