// What the filters need to know of a picture's blocks, on grids of four and eight luma samples.

internal import ImageCore

/// The quantization parameters, the edges and the final samples of a picture.
struct BlockMap {
  /// Squares of 8 × 8 in a row.
  let columns: Int
  let rows: Int
  /// `QpY` of each square.
  var qp: [Int8]
  /// For each square, the edge at its left: a bit for the upper half, one for the lower.
  var leftEdges: [UInt8]
  /// For each square, the edge at its top: a bit for the left half, one for the right.
  var topEdges: [UInt8]
  /// Whether the samples of a square are not filtered; empty if all are.
  var isFinal: [Bool]

  init(_ parameters: CodingParameters, _ budget: inout ResourceBudget) throws(CodecError) {
    columns = (parameters.width + 7) / 8
    rows = (parameters.height + 7) / 8
    try budget.allocate(count: columns * rows, bytesEach: parameters.hasFinalSamples ? 4 : 3)
    qp = [Int8](repeating: 0, count: columns * rows)
    leftEdges = [UInt8](repeating: 0, count: columns * rows)
    topEdges = leftEdges
    isFinal = parameters.hasFinalSamples ? [Bool](repeating: false, count: columns * rows) : []
  }

  /// Sets the quantization parameter of a coding block.
  mutating func setQP(_ value: Int8, x: Int, y: Int, log2Size: Int) {
    let count = 1 &<< (log2Size &- 3)
    let columns = columns
    let first = (y &>> 3) &* columns &+ x &>> 3
    var qp = qp.mutableSpan
    for row in 0..<count {
      for offset in 0..<count { qp[first &+ row &* columns &+ offset] = value }
    }
  }

  /// Marks the samples of a coding block as final.
  mutating func setFinal(x: Int, y: Int, log2Size: Int) {
    let count = 1 << (log2Size - 3)
    for row in y >> 3..<y >> 3 + count {
      for column in x >> 3..<x >> 3 + count { isFinal[row * columns + column] = true }
    }
  }

  /// Marks the edges of a transform block at its left and at its top.
  @inline(__always)
  mutating func markEdges(x: Int, y: Int, log2Size: Int, left: Bool, top: Bool) {
    let first = (y &>> 3) &* columns &+ x &>> 3
    if log2Size == 2 {
      if left, x & 7 == 0 { leftEdges[first] |= y & 4 == 0 ? 1 : 2 }
      if top, y & 7 == 0 { topEdges[first] |= x & 4 == 0 ? 1 : 2 }
      return
    }
    let count = 1 &<< (log2Size &- 3)
    if left {
      let columns = columns
      var edges = leftEdges.mutableSpan
      for row in 0..<count { edges[first &+ row &* columns] = 3 }
    }
    if top {
      var edges = topEdges.mutableSpan
      for index in first..<first &+ count { edges[index] = 3 }
    }
  }

  /// Copies rows of squares of a map of the same size.
  mutating func copyRows(_ rows: Range<Int>, of other: BlockMap) {
    for index in rows.lowerBound * columns..<rows.upperBound * columns {
      qp[index] = other.qp[index]
      leftEdges[index] = other.leftEdges[index]
      topEdges[index] = other.topEdges[index]
      if !isFinal.isEmpty { isFinal[index] = other.isFinal[index] }
    }
  }

  /// Removes the edges within a coding tree block that cannot be decoded.
  mutating func clearEdges(x: Int, y: Int, size: Int) {
    for row in y / 8..<min(rows, (y + size) / 8) {
      for column in x / 8..<min(columns, (x + size) / 8) {
        leftEdges[row * columns + column] = 0
        topEdges[row * columns + column] = 0
      }
    }
  }
}
