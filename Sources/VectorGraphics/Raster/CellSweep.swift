// Converts a row of cells to coverage runs, and resets the cells and their marks to zero.

/// The summary of a swept row: its runs, and whether they are uniform.
struct SweptRow {
  /// The number of runs.
  var runCount = 0
  /// The number of pixels in them.
  var pixelCount = 0
  /// Whether winding numbers have both signs, so that areas may cancel.
  var isSuspect = false
}

/// The rows of a band, as they are converted to runs.
struct BandSweep {
  let rows: BandRows
  let layout: CellLayout
  let isEvenOdd: Bool
  let width: Int
  /// Whether suspect rows are looked for.
  let findsOverlaps: Bool

  /// Converts rows, starting at `row`, up to the first suspect one. Returns its index, or the number of rows.
  func run<Sink: CoverageSink & ~Copyable>(
    from start: Int, _ cells: inout [Int32], _ marks: inout [UInt64], _ runs: inout [CoverageRun],
    _ coverage: inout [UInt8], pixelCount: inout Int, into sink: inout Sink
  ) -> Int {
    var cells = cells.mutableSpan
    var marks = marks.mutableSpan
    var runs = runs.mutableSpan
    var coverage = coverage.mutableSpan
    for row in start..<rows.count {
      let swept = sweepCells(
        &cells, &marks, layout: layout, row: row, isEvenOdd: isEvenOdd, firstColumn: rows.firstColumn, width: width,
        runs: &runs, coverage: &coverage)
      if swept.isSuspect, findsOverlaps { return row }
      pixelCount &+= swept.pixelCount
      if swept.runCount > 0 {
        sink.consume(y: rows.first + row, runs: runs.span.extracting(0..<swept.runCount), coverage: coverage.span)
      }
    }
    return rows.count
  }

  /// Converts a row that has been drawn again.
  func finish<Sink: CoverageSink & ~Copyable>(
    row: Int, _ cells: inout [Int32], _ marks: inout [UInt64], _ runs: inout [CoverageRun],
    _ coverage: inout [UInt8], pixelCount: inout Int, into sink: inout Sink
  ) {
    let single = BandSweep(
      rows: BandRows(band: rows.band, first: rows.first, count: row + 1, firstColumn: rows.firstColumn),
      layout: layout, isEvenOdd: isEvenOdd, width: width, findsOverlaps: false)
    _ = single.run(from: row, &cells, &marks, &runs, &coverage, pixelCount: &pixelCount, into: &sink)
  }
}

/// Accumulates the cells of a row and writes its runs.
///
/// - Parameters:
///   - firstColumn: the column of the row's first cell in the coverage of the whole clip.
///   - width: the number of columns that can be covered.
///   - runs: has room for ``CellLayout/maximumRunCount`` runs.
@inline(__always)
func sweepCells(
  _ cells: inout MutableSpan<Int32>, _ marks: inout MutableSpan<UInt64>, layout: CellLayout, row: Int,
  isEvenOdd: Bool, firstColumn: Int, width: Int, runs: inout MutableSpan<CoverageRun>,
  coverage: inout MutableSpan<UInt8>
) -> SweptRow {
  let wordsPerRow = layout.wordsPerRow
  let cellBase = row &* layout.stride
  let markBase = row &* wordsPerRow
  var sweep = RowSweep(isEvenOdd: isEvenOdd, firstColumn: firstColumn, width: width)
  for wordIndex in 0..<wordsPerRow {
    var bits = marks[markBase &+ wordIndex]
    if bits == 0 { continue }
    marks[markBase &+ wordIndex] = 0
    var group = wordIndex &<< 6
    while bits != 0 {
      let skipped = bits.trailingZeroBitCount
      bits &>>= UInt64(skipped)
      group &+= skipped
      let ones = (~bits).trailingZeroBitCount
      sweep.addConstant(to: group &<< 2, &runs)
      sweep.addCells(&cells, at: cellBase &+ (group &<< 2), count: ones &<< 2, &runs, &coverage)
      group &+= ones
      bits = ones == 64 ? 0 : bits &>> UInt64(ones)
    }
  }
  sweep.addConstant(to: width, &runs)
  return sweep.result
}

/// The running sum along a row and the runs emitted so far.
private struct RowSweep {
  let isEvenOdd: Bool
  let firstColumn: Int
  let width: Int
  /// The column up to which runs have been emitted.
  var column = 0
  var sum: Int32 = 0
  /// The end of the last run, if it has individual coverage.
  private var mergeableEnd = -1
  var result = SweptRow()

  @inline(__always)
  init(isEvenOdd: Bool, firstColumn: Int, width: Int) {
    self.isEvenOdd = isEvenOdd
    self.firstColumn = firstColumn
    self.width = width
  }

  /// Appends a run of constant coverage up to a column: no cell before it is marked.
  @inline(__always)
  mutating func addConstant(to end: Int, _ runs: inout MutableSpan<CoverageRun>) {
    let count = end &- column
    guard count > 0 else { return }
    if sum != 0 {
      let value = coverage(ofArea: sum, isEvenOdd: isEvenOdd)
      if value != 0 { append(count, solid: Int32(value), &runs) }
    }
    column = end
  }

  @inline(__always)
  mutating func addCells(
    _ cells: inout MutableSpan<Int32>, at start: Int, count: Int, _ runs: inout MutableSpan<CoverageRun>,
    _ coverage: inout MutableSpan<UInt8>
  ) {
    let first = firstColumn &+ column
    var row = cells._mutatingExtracting(start..<start &+ count)
    var target = coverage._mutatingExtracting(first..<first &+ count)
    if sumCells(&row, &sum, isEvenOdd: isEvenOdd, into: &target) { result.isSuspect = true }
    let visible = min(count, width &- column)
    if visible > 0 {
      if mergeableEnd == column {
        // Colours are computed from the start of a run, so it must not depend on how marks are stored.
        runs[result.runCount &- 1].count &+= Int32(truncatingIfNeeded: visible)
        result.pixelCount &+= visible
      } else {
        append(visible, solid: 0, &runs)
      }
      mergeableEnd = column &+ visible
    }
    column &+= count
  }

  /// Adds a run that starts at the current column.
  @inline(__always)
  private mutating func append(_ count: Int, solid: Int32, _ runs: inout MutableSpan<CoverageRun>) {
    runs[result.runCount] = CoverageRun(
      x: Int32(truncatingIfNeeded: firstColumn &+ column), count: Int32(truncatingIfNeeded: count), solid: solid)
    result.runCount &+= 1
    result.pixelCount &+= count
  }
}
