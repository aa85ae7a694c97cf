// Draws rows again whose accumulated areas are not their coverage, because edges cancel or overlap within a pixel.

internal import ImageCore

/// Corrects rows of a band.
struct OverlapResolver: Sendable {
  /// The pieces of the rows to be examined.
  var pieces = RowPieces()
  private var scan = WindingScan()

  /// Examines the collected rows. Those that need it are drawn again as the boundaries of the filled area, for which
  /// the accumulated area is the coverage under both rules.
  mutating func resolve(
    _ band: inout CellBand, isEvenOdd: Bool, budget: inout RasterBudget
  ) throws(CodecError) {
    for ordinal in pieces.rows.indices {
      let range = pieces.starts[ordinal]..<pieces.starts[ordinal + 1]
      if try scan.areasAreCoverage(&pieces.pieces, range, isEvenOdd: isEvenOdd, budget: &budget) { continue }
      try budget.spendPixels(band.layout.stride)
      band.clear(row: Int(pieces.rows[ordinal]))
      try redraw(&band, ordinal: ordinal, isEvenOdd: isEvenOdd, budget: &budget)
    }
  }

  /// Draws the boundaries of a row's filled area. Its cells are zero.
  mutating func redraw(
    _ band: inout CellBand, ordinal: Int, isEvenOdd: Bool, budget: inout RasterBudget
  ) throws(CodecError) {
    let row = Int(pieces.rows[ordinal])
    let range = pieces.starts[ordinal]..<pieces.starts[ordinal + 1]
    let layout = band.layout
    var cells = band.cells
    var marks = band.marks
    band.cells = []
    band.marks = []
    defer {
      band.cells = cells
      band.marks = marks
    }
    var writer = CellWriter(
      cells: cells.mutableSpan, marks: marks.mutableSpan, layout: layout, originX: 0, originY: 0,
      rowCount: layout.rowCount)
    try scan.findBoundaries(&pieces.pieces, range, isEvenOdd: isEvenOdd, budget: &budget) { boundary in
      writer.draw(boundary, row: row)
    }
  }
}
