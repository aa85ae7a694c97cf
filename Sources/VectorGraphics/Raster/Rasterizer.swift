// Converts edges to rows of coverage: sorts the edges into bands of rows, accumulates each band and sweeps it.

internal import ImageCore

/// Rasterises paths. It keeps its memory between shapes; the result does not depend on earlier shapes.
struct Rasterizer: Sendable {
  /// The number of cells of edges, at most, between two checks for cancellation and the deadline.
  private static let cellsBetweenChecks = 1 << 22
  /// The number of edges that are collected between two checks.
  private static let edgesBetweenChecks = 1 << 16

  var edges = EdgeList()
  private var band = CellBand()
  private var bandHeads: [Int32] = []
  private var runs: [CoverageRun] = []
  private var coverage: [UInt8] = []
  private var census = ChainCensus()
  private var resolver = OverlapResolver()

  /// Draws all edges of the list into a sink. Charges the pixels visited or covered, band by band: those of one shape
  /// may exceed the budget.
  ///
  /// - Parameters:
  ///   - examination: which rows are examined for overlaps.
  ///   - pixelCost: the work of a pixel, in units of about a nanosecond.
  ///   - rowCost: the work of a row besides that of its pixels.
  mutating func rasterize<Sink: CoverageSink & ~Copyable>(
    _ fill: Fill, examination: OverlapExamination, pixelCost: Int, rowCost: Int, into sink: inout Sink,
    budget: inout RasterBudget
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
    // Without antialiasing the winding number is the same in a whole pixel.
    let examination = fill.isAntialiased ? examination : .none
    resolver.pieces.removeAll()
    if examination == .allRows { census.count(list, firstRow: firstRow, height: height) }
    var uncheckedCount = 0
    do {
      for index in 0..<bandCount {
        let rows = BandRows(
          band: bandCount > 1 ? index : nil, first: firstRow + index * bandRows,
          count: min(bandRows, height - index * bandRows), firstColumn: firstColumn)
        try accumulate(list, &band, rows, fill, uncheckedCount: &uncheckedCount, budget.resources)
        if examination == .allRows {
          try resolveOverlaps(list, &band, rows, fill.rule, firstRow: firstRow, budget: &budget)
        }
        let sweep = BandSweep(
          rows: rows, layout: layout, isEvenOdd: fill.rule == .evenOdd, width: width,
          findsOverlaps: examination == .suspectRows)
        var row = 0
        var pixelCount = 0
        while true {
          row = sweep.run(
            from: row, &band.cells, &band.marks, &runs, &coverage, pixelCount: &pixelCount, into: &sink)
          if row == rows.count { break }
          try redrawSuspect(list, &band, row: row, rows, fill.rule, budget: &budget)
          sweep.finish(
            row: row, &band.cells, &band.marks, &runs, &coverage, pixelCount: &pixelCount, into: &sink)
          row += 1
        }
        if index < bandCount - 1 { passOn(&list, band: index, end: (rows.first + rows.count) << 8) }
        try budget.spendPixels(pixelCount &* pixelCost &+ rows.count &* rowCost)
      }
    } catch {
      // Its cells are not zero.
      band = CellBand()
      throw error
    }
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

  /// Draws the edges of a band. Their work has been charged when they were added to the list.
  ///
  /// - Parameter uncheckedCount: the number of edges since the last check for cancellation and the deadline.
  private func accumulate(
    _ list: [Edge], _ band: inout CellBand, _ rows: BandRows, _ fill: Fill, uncheckedCount: inout Int,
    _ budget: borrowing ResourceBudget
  ) throws(CodecError) {
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
      originX: rows.originX, originY: rows.originY, rowCount: rows.count)
    // An edge crosses every column and every row of the band at most once.
    let maximumCount = max(1, Self.cellsBetweenChecks / (layout.stride + layout.rowCount))
    func check() throws(CodecError) {
      if uncheckedCount < maximumCount { return }
      try budget.checkpoint()
      uncheckedCount = 0
    }
    guard let band = rows.band else {
      var first = 0
      while first < list.count {
        try check()
        let end = min(list.count, first + maximumCount - uncheckedCount)
        if fill.isAntialiased {
          for index in first..<end { writer.draw(list[index]) }
        } else {
          for index in first..<end { writer.drawAliased(list[index]) }
        }
        uncheckedCount += end - first
        first = end
      }
      return
    }
    var index = bandHeads[band]
    while index >= 0 {
      try check()
      var count = uncheckedCount
      while index >= 0, count < maximumCount {
        let edge = list[Int(index)]
        if fill.isAntialiased { writer.draw(edge) } else { writer.drawAliased(edge) }
        index = edge.next
        count &+= 1
      }
      uncheckedCount = count
    }
  }

  /// Links the edges of a band that extend below it to those of the next.
  private mutating func passOn(_ list: inout [Edge], band: Int, end: Int) {
    var index = bandHeads[band]
    while index >= 0 {
      let edge = list[Int(index)]
      if Int(edge.y1) > end {
        list[Int(index)].next = bandHeads[band + 1]
        bandHeads[band + 1] = index
      }
      index = edge.next
    }
  }
}

// MARK: Overlaps

/// The rows of a shape that are examined for edges that cancel or overlap within a pixel.
enum OverlapExamination {
  /// The shape consists of boundaries that do not overlap, or need not be exact where they do.
  case none
  /// Rows whose winding numbers prove to have both signs while they are drawn.
  case suspectRows
  case allRows
}

/// The rows of a band.
struct BandRows {
  /// The index of the band; `nil` if it is the only one.
  var band: Int?
  var first: Int
  var count: Int
  var firstColumn: Int

  var originX: Int { firstColumn << 8 }
  var originY: Int { first << 8 }
}

extension Rasterizer {
  /// Finds the rows of a band in which edges meet, and draws again those whose areas are not their coverage.
  private mutating func resolveOverlaps(
    _ list: [Edge], _ band: inout CellBand, _ rows: BandRows, _ rule: Fill.Rule, firstRow: Int,
    budget: inout RasterBudget
  ) throws(CodecError) {
    let isClosed = !edges.isCutAtRight
    resolver.pieces.removeAll()
    for row in 0..<rows.count
    where census.edgesMayMeet(
      row: rows.first - firstRow + row, islandCount: band.islandCount(row: row), isClosed: isClosed)
    {
      resolver.pieces.choose(row: row)
    }
    if resolver.pieces.rows.isEmpty { return }
    try collectPieces(list, rows, budget: &budget)
    try resolver.resolve(&band, isEvenOdd: rule == .evenOdd, budget: &budget)
  }

  /// Draws a row again as the boundaries of its filled area. It has been swept, so its cells are zero.
  private mutating func redrawSuspect(
    _ list: [Edge], _ band: inout CellBand, row: Int, _ rows: BandRows, _ rule: Fill.Rule,
    budget: inout RasterBudget
  ) throws(CodecError) {
    if resolver.pieces.ordinal(ofRow: row, of: rows) == nil {
      // Rows below are likely to follow.
      resolver.pieces.removeAll()
      for row in row..<rows.count { resolver.pieces.choose(row: row) }
      try collectPieces(list, rows, budget: &budget)
    }
    guard let ordinal = resolver.pieces.ordinal(ofRow: row, of: rows) else { return }
    try resolver.redraw(&band, ordinal: ordinal, isEvenOdd: rule == .evenOdd, budget: &budget)
  }

  private mutating func collectPieces(
    _ list: [Edge], _ rows: BandRows, budget: inout RasterBudget
  ) throws(CodecError) {
    let head = rows.band.map { bandHeads[$0] }
    try resolver.pieces.collect(rows, budget: &budget) { (interruption, receive) throws(CodecError) in
      var count = 0
      func check() throws(CodecError) {
        count &+= 1
        if count % Self.edgesBetweenChecks == 0 { try interruption.check() }
      }
      guard var index = head else {
        for edge in list {
          receive(edge)
          try check()
        }
        return
      }
      while index >= 0 {
        let edge = list[Int(index)]
        receive(edge)
        index = edge.next
        try check()
      }
    }
  }
}
