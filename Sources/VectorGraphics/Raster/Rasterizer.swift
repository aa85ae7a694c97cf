// Converts edges to rows of coverage: sorts the edges into bands of rows, accumulates each band and sweeps it.

internal import ImageCore

/// Rasterises paths. It keeps its memory between shapes; the result does not depend on earlier shapes.
struct Rasterizer: Sendable {
  var edges = EdgeList()
  private var band = CellBand()
  private var bandHeads: [Int32] = []
  private var runs: [CoverageRun] = []
  private var coverage: [UInt8] = []

  /// Draws all edges of the list into a sink. Charges the pixels visited or covered, band by band: those of one shape
  /// may exceed the budget.
  ///
  /// - Parameters:
  ///   - pixelCost: the work of a pixel, in units of about a nanosecond.
  ///   - rowCost: the work of a row besides that of its pixels.
  mutating func rasterize<Sink: CoverageSink & ~Copyable>(
    _ fill: Fill, pixelCost: Int, rowCost: Int, into sink: inout Sink, budget: inout RasterBudget
  ) throws(CodecError) {
    guard edges.minX <= edges.maxX, edges.minY < edges.maxY else { return }
    // Groups of four cells, and thus the runs derived from them, begin at the same columns whichever rows are drawn.
    let firstColumn = (Int(edges.minX) >> 8) & ~3
    let firstRow = Int(edges.minY) >> 8
    let width = (Int(edges.maxX) + 255) >> 8 - firstColumn
    let height = (Int(edges.maxY) + 255) >> 8 - firstRow
    let layout = CellLayout(width: max(width, 1), height: height)
    band.prepare(layout)
    let bandRows = layout.rowCount
    let bandCount = (height + bandRows - 1) / bandRows
    if coverage.count < firstColumn + layout.stride {
      coverage = [UInt8](repeating: 0, count: firstColumn + layout.stride)
    }
    if runs.count < layout.maximumRunCount {
      runs = [CoverageRun](repeating: CoverageRun(x: 0, count: 0, solid: 0), count: layout.maximumRunCount)
    }

    var list: [Edge] = []
    swap(&list, &edges.edges)
    defer { swap(&list, &edges.edges) }
    if bandCount > 1 { sortIntoBands(&list, firstRow: firstRow, bandCount: bandCount) }
    // Moved out of the rasteriser while they are mutated, because each access to a property would be checked for
    // exclusivity.
    var (band, runs, coverage) = (self.band, self.runs, self.coverage)
    (self.band, self.runs, self.coverage) = (CellBand(), [], [])
    defer { (self.band, self.runs, self.coverage) = (band, runs, coverage) }
    for index in 0..<bandCount {
      let originRow = firstRow + index * bandRows
      let rowCount = min(bandRows, height - index * bandRows)
      accumulate(
        &list, &band, bandIndex: bandCount > 1 ? index : nil, isLast: index == bandCount - 1, fill,
        originRow: originRow, rowCount: rowCount, originX: firstColumn << 8)
      let pixelCount = sweep(
        &band.cells, &band.marks, layout, fill.rule, originRow: originRow, rowCount: rowCount,
        firstColumn: firstColumn, width: width, &runs, &coverage, into: &sink)
      try budget.spendPixels(pixelCount &* pixelCost &+ rowCount &* rowCost)
    }
  }

  /// Converts the rows of a band to runs. Returns the number of pixels in them.
  @inline(__always)
  private func sweep<Sink: CoverageSink & ~Copyable>(
    _ cells: inout [Int32], _ marks: inout [UInt64], _ layout: CellLayout, _ rule: Fill.Rule, originRow: Int,
    rowCount: Int, firstColumn: Int, width: Int, _ runs: inout [CoverageRun], _ coverage: inout [UInt8],
    into sink: inout Sink
  ) -> Int {
    let isEvenOdd = rule == .evenOdd
    var cells = cells.mutableSpan
    var marks = marks.mutableSpan
    var runs = runs.mutableSpan
    var coverage = coverage.mutableSpan
    var pixelCount = 0
    for row in 0..<rowCount {
      let swept = sweepCells(
        &cells, &marks, layout: layout, row: row, isEvenOdd: isEvenOdd, firstColumn: firstColumn, width: width,
        runs: &runs, coverage: &coverage)
      pixelCount &+= swept.pixelCount
      if swept.runCount > 0 {
        sink.consume(y: originRow + row, runs: runs.span.extracting(0..<swept.runCount), coverage: coverage.span)
      }
    }
    return pixelCount
  }

  /// Links each edge to the others that start in the same band.
  private mutating func sortIntoBands(_ list: inout [Edge], firstRow: Int, bandCount: Int) {
    bandHeads = [Int32](repeating: -1, count: bandCount)
    for index in list.indices {
      let start = max(Int(list[index].y0) >> 8 - firstRow, 0) / band.layout.rowCount
      list[index].next = bandHeads[start]
      bandHeads[start] = Int32(index)
    }
  }

  private mutating func accumulate(
    _ list: inout [Edge], _ band: inout CellBand, bandIndex: Int?, isLast: Bool, _ fill: Fill, originRow: Int,
    rowCount: Int, originX: Int
  ) {
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
      cells: cells.mutableSpan, marks: marks.mutableSpan, layout: layout,
      originX: originX, originY: originRow << 8, rowCount: rowCount)
    guard let bandIndex else {
      if fill.isAntialiased {
        for edge in list { writer.draw(edge) }
      } else {
        for edge in list { writer.drawAliased(edge) }
      }
      return
    }
    let end = (originRow + rowCount) << 8
    var index = bandHeads[bandIndex]
    while index >= 0 {
      let edge = list[Int(index)]
      if fill.isAntialiased { writer.draw(edge) } else { writer.drawAliased(edge) }
      if Int(edge.y1) > end, !isLast {
        list[Int(index)].next = bandHeads[bandIndex + 1]
        bandHeads[bandIndex + 1] = index
      }
      index = edge.next
    }
  }
}
