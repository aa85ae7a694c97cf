// Converts a row of cells to coverage runs, and resets the cells and their marks to zero.

/// Accumulates the cells of a row and appends its runs. Returns the number of pixels in them.
///
/// - Parameters:
///   - firstColumn: the column of the row's first cell in the coverage of the whole clip.
///   - width: the number of columns that can be covered.
func sweepCells(
  _ cellStorage: inout [Int32], _ marks: inout [UInt64], layout: CellLayout, row: Int, rule: Fill.Rule,
  firstColumn: Int, width: Int, runs: inout [CoverageRun], coverage: inout [UInt8]
) -> Int {
  let wordsPerRow = layout.wordsPerRow
  let cellBase = row &* layout.stride
  let markBase = row &* wordsPerRow
  var cells = cellStorage.mutableSpan
  var output = coverage.mutableSpan
  var sweep = RowSweep(rule: rule, firstColumn: firstColumn, width: width)
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
      sweep.addCells(
        &cells, at: cellBase &+ (group &<< 2), count: ones &<< 2,
        &runs, &output)
      group &+= ones
      bits = ones == 64 ? 0 : bits &>> UInt64(ones)
    }
  }
  sweep.addConstant(to: width, &runs)
  return sweep.pixelCount
}

/// The running sum along a row and the runs emitted so far.
private struct RowSweep {
  let rule: Fill.Rule
  let firstColumn: Int
  let width: Int
  /// The column up to which runs have been emitted.
  var column = 0
  var sum: Int32 = 0
  var pixelCount = 0

  init(rule: Fill.Rule, firstColumn: Int, width: Int) {
    self.rule = rule
    self.firstColumn = firstColumn
    self.width = width
  }

  /// Where no cell is marked, the coverage stays constant.
  @inline(__always)
  mutating func addConstant(to end: Int, _ runs: inout [CoverageRun]) {
    let count = end &- column
    guard count > 0 else { return }
    let value = rule == .nonZero ? nonZeroCoverage(sum) : evenOddCoverage(sum)
    if value != 0 {
      runs.append(
        CoverageRun(
          x: Int32(truncatingIfNeeded: firstColumn &+ column), count: Int32(truncatingIfNeeded: count),
          solid: Int32(value)))
      pixelCount &+= count
    }
    column = end
  }

  @inline(__always)
  mutating func addCells(
    _ cells: inout MutableSpan<Int32>, at start: Int, count: Int, _ runs: inout [CoverageRun],
    _ coverage: inout MutableSpan<UInt8>
  ) {
    let first = firstColumn &+ column
    var row = cells._mutatingExtracting(start..<start &+ count)
    var target = coverage._mutatingExtracting(first..<first &+ count)
    sumCells(&row, &sum, isEvenOdd: rule == .evenOdd, into: &target)
    let visible = min(count, width &- column)
    column &+= count
    guard visible > 0 else { return }
    pixelCount &+= visible
    if let last = runs.indices.last, runs[last].solid == 0, Int(runs[last].x &+ runs[last].count) == first {
      runs[last].count &+= Int32(truncatingIfNeeded: visible)
    } else {
      runs.append(
        CoverageRun(
          x: Int32(truncatingIfNeeded: first), count: Int32(truncatingIfNeeded: visible), solid: 0))
    }
  }
}

/// `abs` without overflow trap.
@inline(__always)
private func absolute(_ value: Int32) -> Int32 {
  let sign = value &>> 31
  return (value ^ sign) &- sign
}

/// round(255 · min(1, |area|)).
@inline(__always)
func nonZeroCoverage(_ area: Int32) -> UInt8 {
  let size = min(absolute(area), CellBand.fullArea)
  return UInt8(truncatingIfNeeded: (size &* 255 &+ CellBand.fullArea / 2) &>> 17)
}

/// The distance of the area from the nearest even winding number.
@inline(__always)
func evenOddCoverage(_ area: Int32) -> UInt8 {
  let folded = absolute(area) & (2 &* CellBand.fullArea &- 1)
  let size = folded > CellBand.fullArea ? 2 &* CellBand.fullArea &- folded : folded
  return UInt8(truncatingIfNeeded: (size &* 255 &+ CellBand.fullArea / 2) &>> 17)
}
