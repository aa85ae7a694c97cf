// The parts of edges in single rows of pixels, collected for the rows whose winding numbers must be known.

internal import ImageCore

/// The part of an edge in a row.
struct RowPiece: Sendable {
  /// The grid coordinates of the upper end; the column is relative to the first cell, the row to the row of pixels.
  var x0: Int32
  var y0: Int32
  /// Those of the lower end, whose row is at most 256.
  var x1: Int32
  var y1: Int32
  var winding: Int32

  var left: Int32 { min(x0, x1) }
  var right: Int32 { max(x0, x1) }
  /// Whether the piece crosses the row from top to bottom.
  var isFull: Bool { y0 == 0 && y1 == 256 }

  /// The column at a row between those of both ends.
  @inline(__always)
  func x(at y: Int32) -> Int32 {
    if y <= y0 { return x0 }
    if y >= y1 { return x1 }
    if isFull { return x0 &+ Int32(truncatingIfNeeded: (Int64(x1 &- x0) &* Int64(y)) &>> 8) }
    let offset = Int64(x1 &- x0) &* Int64(y &- y0) / Int64(y1 &- y0)
    return x0 &+ Int32(truncatingIfNeeded: offset)
  }
}

/// The pieces of some rows of a band.
struct RowPieces: Sendable {
  /// The work of collecting a piece, and that of sorting it into its row.
  private static let workPerPiece = 16

  /// The first row of the band whose pieces have been collected; -1 if none have.
  private var firstRow = -1
  /// The chosen rows, ascending.
  private(set) var rows: [Int32] = []
  var pieces: [RowPiece] = []
  /// The start of the pieces of each chosen row, and the end of the last.
  private(set) var starts: [Int] = []
  /// The number of chosen rows above each row of the band.
  private var ordinals: [Int32] = []

  mutating func removeAll() {
    rows.removeAll(keepingCapacity: true)
    firstRow = -1
  }

  /// The index of a chosen row of a band; `nil` if its pieces have not been collected.
  func ordinal(ofRow row: Int, of band: BandRows) -> Int? {
    guard firstRow == band.first, row < band.count, Int(ordinals[row]) < rows.count,
      Int(rows[Int(ordinals[row])]) == row
    else { return nil }
    return Int(ordinals[row])
  }

  mutating func choose(row: Int) { rows.append(Int32(truncatingIfNeeded: row)) }

  /// Collects the pieces of the chosen rows. Charges their work and memory.
  ///
  /// - Parameters:
  ///   - band: the rows of the band to which the chosen rows belong.
  ///   - visit: calls its second argument with each edge of the band, in the same order each time, and the
  ///     checkpoint as it does.
  mutating func collect(
    _ band: BandRows, budget: inout RasterBudget, visit: (Interruption, (Edge) -> Void) throws(CodecError) -> Void
  ) throws(CodecError) {
    let (rowCount, originX, originY) = (band.count, band.originX, band.originY)
    firstRow = band.first
    ordinals.removeAll(keepingCapacity: true)
    var next = 0
    for row in 0...rowCount {
      ordinals.append(Int32(truncatingIfNeeded: next))
      if next < rows.count, Int(rows[next]) == row { next += 1 }
    }
    // The differences of the numbers of pieces from one chosen row to the next.
    var offsets = [Int](repeating: 0, count: rows.count + 2)
    let ordinals = self.ordinals
    try visit(budget.resources.interruption) { edge in
      let range = rowRange(edge, originY: originY, rowCount: rowCount)
      guard range.first <= range.last else { return }
      offsets[Int(ordinals[range.first]) + 1] += 1
      offsets[Int(ordinals[range.last + 1]) + 1] -= 1
    }
    var count = 0
    var total = 0
    for index in 1..<offsets.count {
      count += offsets[index]
      offsets[index] = total
      total += count
    }
    starts = offsets
    starts.removeFirst()
    try budget.spendPieces(total, unitsEach: Self.workPerPiece)
    if pieces.count < total {
      pieces = [RowPiece](repeating: RowPiece(x0: 0, y0: 0, x1: 0, y1: 0, winding: 0), count: total)
    }
    var pieces = self.pieces
    self.pieces = []
    defer { self.pieces = pieces }
    let rows = self.rows
    try visit(budget.resources.interruption) { edge in
      let range = rowRange(edge, originY: originY, rowCount: rowCount)
      guard range.first <= range.last else { return }
      for ordinal in Int(ordinals[range.first])..<Int(ordinals[range.last + 1]) {
        pieces[offsets[ordinal + 1]] = piece(of: edge, originX: originX, top: originY + Int(rows[ordinal]) << 8)
        offsets[ordinal + 1] += 1
      }
    }
  }
}

/// The rows of a band that an edge crosses.
@inline(__always)
private func rowRange(_ edge: Edge, originY: Int, rowCount: Int) -> (first: Int, last: Int) {
  (max((Int(edge.y0) - originY) >> 8, 0), min((Int(edge.y1) - 1 - originY) >> 8, rowCount - 1))
}

/// The part of an edge in a row, cut where ``CellWriter`` cuts it.
@inline(__always)
private func piece(of edge: Edge, originX: Int, top: Int) -> RowPiece {
  var piece = RowPiece(
    x0: edge.x0, y0: edge.y0 &- Int32(truncatingIfNeeded: top), x1: edge.x1,
    y1: edge.y1 &- Int32(truncatingIfNeeded: top), winding: edge.winding)
  if piece.y0 < 0 || piece.y1 > 256, edge.x0 != edge.x1 {
    let slope = (Int64(edge.x1 &- edge.x0) &<< 32) / Int64(edge.y1 &- edge.y0)
    let start = Int64(piece.y0)
    if piece.y0 < 0 { piece.x0 = edge.x0 &+ Int32(truncatingIfNeeded: (slope &* -start) &>> 32) }
    if piece.y1 > 256 { piece.x1 = edge.x0 &+ Int32(truncatingIfNeeded: (slope &* (256 - start)) &>> 32) }
  }
  piece.y0 = max(piece.y0, 0)
  piece.y1 = min(piece.y1, 256)
  piece.x0 &-= Int32(truncatingIfNeeded: originX)
  piece.x1 &-= Int32(truncatingIfNeeded: originX)
  return piece
}
