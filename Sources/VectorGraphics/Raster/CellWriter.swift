// Draws lines into cells: the exact area contributed by each line, row by row and column by column.

/// The part of an accumulator into which lines are drawn.
struct CellWriter: ~Copyable, ~Escapable {
  private var cells: MutableSpan<Int32>
  private var marks: MutableSpan<UInt64>
  private let stride: Int
  private let wordsPerRow: Int
  /// The grid coordinates of the first cell's corner.
  private let originX: Int
  private let originY: Int
  /// The grid row after the last.
  private let endY: Int

  @_lifetime(copy cells, copy marks)
  init(
    cells: consuming MutableSpan<Int32>, marks: consuming MutableSpan<UInt64>, layout: CellLayout,
    originX: Int, originY: Int, rowCount: Int
  ) {
    self.cells = cells
    self.marks = marks
    stride = layout.stride
    wordsPerRow = layout.wordsPerRow
    self.originX = originX
    self.originY = originY
    endY = originY + rowCount * 256
  }

  /// Draws the part of an edge inside the band.
  @_lifetime(self: copy self)
  @inline(__always)
  mutating func draw(_ edge: Edge) {
    // Most edges of flattened curves are inside one pixel.
    let top = Int(edge.y0) &- originY
    let bottom = Int(edge.y1) &- originY
    if top >= 0, bottom <= endY &- originY, top &>> 8 == (bottom &- 1) &>> 8 {
      let x0 = Int(edge.x0) &- originX
      let x1 = Int(edge.x1) &- originX
      if x0 &>> 8 == x1 &>> 8 {
        drawInPixel(top &>> 8, x0, x1, (bottom &- top) &* Int(edge.winding))
        return
      }
    }
    drawLong(edge)
  }

  @_lifetime(self: copy self)
  @inline(never)
  private mutating func drawLong(_ edge: Edge) {
    let x0 = Int(edge.x0) &- originX
    let x1 = Int(edge.x1) &- originX
    let top = max(Int(edge.y0), originY)
    let bottom = min(Int(edge.y1), endY)
    let sign = Int(edge.winding)
    let firstRow = (top &- originY) &>> 8
    let lastRow = (bottom &- 1 &- originY) &>> 8
    if x0 == x1 {
      drawVertical(x0, top, bottom, firstRow, lastRow, sign)
      return
    }
    let height = Int(edge.y1) &- Int(edge.y0)
    var rise = Rise(height: height, width: abs(x1 &- x0))
    if lastRow == firstRow, height == bottom &- top {
      // The whole edge is in one row, so no position needs to be interpolated.
      drawInRow(firstRow, x0, x1, height, &rise, sign)
      return
    }
    // With 32 fraction bits, the product with any height on the grid is exact to 2^-8 of a step.
    let slope = (Int64(x1 &- x0) &<< 32) / Int64(height)
    var y = top
    var x = x0 &+ whole(slope &* Int64(y &- Int(edge.y0)))
    var row = firstRow
    while row <= lastRow {
      let rowEnd = min(originY &+ ((row &+ 1) &<< 8), bottom)
      let next = rowEnd == Int(edge.y1) ? x1 : x0 &+ whole(slope &* Int64(rowEnd &- Int(edge.y0)))
      drawInRow(row, x, next, rowEnd &- y, &rise, sign)
      x = next
      y = rowEnd
      row &+= 1
    }
  }

  /// Draws a boundary of the filled area in a row.
  @_lifetime(self: copy self)
  mutating func draw(_ boundary: InsideBoundary, row: Int) {
    let (from, to, height) = (Int(boundary.x0), Int(boundary.x1), Int(boundary.height))
    var rise = Rise(height: height, width: abs(to &- from))
    drawInRow(row, from, to, height, &rise, Int(boundary.winding))
  }

  /// Draws an edge for sampling at pixel centres: pixels whose centre is to its right are fully covered.
  @_lifetime(self: copy self)
  mutating func drawAliased(_ edge: Edge) {
    let height = Int(edge.y1) &- Int(edge.y0)
    let slope = (Int64(Int(edge.x1) &- Int(edge.x0)) &<< 32) / Int64(height)
    var row = (max(Int(edge.y0), originY) &- originY &+ 127) &>> 8
    let end = (min(Int(edge.y1), endY) &- originY &+ 127) &>> 8
    while row < end {
      let center = originY &+ (row &<< 8) &+ 128
      let x = Int(edge.x0) &+ whole(slope &* Int64(center &- Int(edge.y0))) &- originX
      let column = (x &+ 127) &>> 8
      cells[row &* stride &+ column] &+= edge.winding &* CellBand.fullArea
      mark(row, column, column)
      row &+= 1
    }
  }

  @_lifetime(self: copy self)
  @inline(__always)
  private mutating func drawVertical(
    _ x: Int, _ top: Int, _ bottom: Int, _ firstRow: Int, _ lastRow: Int, _ sign: Int
  ) {
    let column = x &>> 8
    let fraction = (x & 255) &* 2
    var y = top
    var row = firstRow
    while row <= lastRow {
      let rowEnd = min(originY &+ ((row &+ 1) &<< 8), bottom)
      let dy = (rowEnd &- y) &* sign
      let index = row &* stride &+ column
      cells[index] &+= Int32(truncatingIfNeeded: dy &* (512 &- fraction))
      cells[index &+ 1] &+= Int32(truncatingIfNeeded: dy &* fraction)
      mark(row, column, column &+ 1)
      y = rowEnd
      row &+= 1
    }
  }

  /// Draws a line that spans `dy` of a row's height.
  @_lifetime(self: copy self)
  @inline(__always)
  private mutating func drawInRow(_ row: Int, _ from: Int, _ to: Int, _ dy: Int, _ edge: inout Rise, _ sign: Int) {
    let left = min(from, to)
    let right = max(from, to)
    let firstColumn = left &>> 8
    let lastColumn = right &>> 8
    if firstColumn == lastColumn {
      drawInPixel(row, left, right, dy &* sign)
      return
    }
    var index = row &* stride &+ firstColumn
    // The share of dy in each column: exact at the column boundaries, with the remainder in the last column.
    let rise = edge.perStep
    let fraction = left & 255
    var position = rise &* Int64(256 &- fraction)
    var done = whole(position)
    let first = done &* sign
    cells[index] &+= Int32(truncatingIfNeeded: first &* (256 &- fraction))
    cells[index &+ 1] &+= Int32(truncatingIfNeeded: first &* (256 &+ fraction))
    index &+= 1
    let lastIndex = index &+ lastColumn &- firstColumn &- 1
    while index < lastIndex {
      position &+= rise &* 256
      let part = (whole(position) &- done) &* sign
      done = whole(position)
      cells[index] &+= Int32(truncatingIfNeeded: part &* 256)
      cells[index &+ 1] &+= Int32(truncatingIfNeeded: part &* 256)
      index &+= 1
    }
    let last = (dy &- done) &* sign
    cells[index] &+= Int32(truncatingIfNeeded: last &* (512 &- (right & 255)))
    cells[index &+ 1] &+= Int32(truncatingIfNeeded: last &* (right & 255))
    mark(row, firstColumn, lastColumn &+ 1)
  }

  /// Draws a line that stays in one column. `dy` is negative for an upward line.
  @_lifetime(self: copy self)
  @inline(__always)
  private mutating func drawInPixel(_ row: Int, _ x0: Int, _ x1: Int, _ dy: Int) {
    let column = x0 &>> 8
    let index = row &* stride &+ column
    let area = dy &* ((x0 & 255) &+ (x1 & 255))
    cells[index] &+= Int32(truncatingIfNeeded: dy &* 512 &- area)
    cells[index &+ 1] &+= Int32(truncatingIfNeeded: area)
    mark(row, column, column &+ 1)
  }

  @_lifetime(self: copy self)
  @inline(__always)
  private mutating func mark(_ row: Int, _ firstColumn: Int, _ lastColumn: Int) {
    let base = row &* wordsPerRow
    let first = firstColumn &>> 2
    let last = lastColumn &>> 2
    if first &>> 6 == last &>> 6 {
      // Sets the bits from `first` to `last`.
      let bits = (UInt64.max &<< UInt64(first & 63)) & (UInt64.max &>> UInt64(63 &- (last & 63)))
      marks[base &+ (first &>> 6)] |= bits
      return
    }
    var group = first
    while group <= last {
      marks[base &+ (group &>> 6)] |= 1 &<< UInt64(group & 63)
      group &+= 1
    }
  }
}

/// The height of an edge by its width, divided when first needed: most edges do not leave a column within a row.
private struct Rise {
  let height: Int
  let width: Int
  private var quotient: Int64 = -1

  @inline(__always)
  init(height: Int, width: Int) {
    self.height = height
    self.width = width
  }

  /// The height of each horizontal step of the grid, with 32 fraction bits.
  var perStep: Int64 {
    @inline(__always)
    mutating get {
      if quotient < 0 { quotient = (Int64(height) &<< 32) / Int64(width) }
      return quotient
    }
  }
}

/// The integer part of a number with 32 fraction bits.
@inline(__always)
private func whole(_ value: Int64) -> Int {
  Int(truncatingIfNeeded: value &>> 32)
}
