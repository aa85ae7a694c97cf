// The state of blocks that the filters read, on grids of four and eight luma samples.

internal import ImageCoding

/// The quantization parameters (QP), the edges and the final samples of a picture, or of a row of its CTBs.
struct BlockMap {
  /// Squares of 8 × 8 in a row.
  let columns: Int
  let rows: Int
  /// The number of squares before the first one that is held.
  private var start = 0
  /// `QpY` of each square.
  var qp: [Int8]
  /// The edge at the left of each square: a bit for the upper half, one for the lower.
  var leftEdges: [UInt8]
  /// The edge at the top of each square: a bit for the left half, one for the right.
  var topEdges: [UInt8]
  /// Whether the samples of a square are not filtered; empty if all are.
  var isFinal: [Bool]

  init(
    _ parameters: CodingParameters, isRow: Bool = false, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    columns = (parameters.width + 7) / 8
    rows = ((isRow ? parameters.codingTreeBlockSize : parameters.height) + 7) / 8
    try budget.allocate(count: columns * rows, bytesEach: parameters.hasFinalSamples ? 4 : 3)
    qp = [Int8](repeating: 0, count: columns * rows)
    leftEdges = [UInt8](repeating: 0, count: columns * rows)
    topEdges = [UInt8](repeating: 0, count: columns * rows)
    isFinal = parameters.hasFinalSamples ? [Bool](repeating: false, count: columns * rows) : []
  }

  /// The index of the square at a luma sample.
  @inline(__always)
  func index(x: Int, y: Int) -> Int { (y &>> 3) &* columns &+ x &>> 3 &- start }

  /// Sets the QP of a coding block.
  mutating func setQP(_ value: Int8, x: Int, y: Int, log2Size: Int) {
    let count = 1 &<< (log2Size &- 3)
    let columns = columns
    let first = index(x: x, y: y)
    var qp = qp.mutableSpan
    for row in 0..<count {
      for offset in 0..<count { qp[first &+ row &* columns &+ offset] = value }
    }
  }

  /// Marks the samples of a coding block as final.
  mutating func setFinal(x: Int, y: Int, log2Size: Int) {
    let (first, count) = (index(x: x, y: y), 1 << (log2Size - 3))
    for row in 0..<count {
      for offset in 0..<count { isFinal[first + row * columns + offset] = true }
    }
  }

  /// Marks the edges of a transform block at its left and at its top.
  @inline(__always)
  mutating func markEdges(x: Int, y: Int, log2Size: Int, left: Bool, top: Bool) {
    let first = index(x: x, y: y)
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

  /// Removes the edges within a CTB that cannot be decoded.
  mutating func clearEdges(x: Int, y: Int, size: Int) {
    for row in y / 8..<min(rows, (y + size) / 8) {
      for column in x / 8..<min(columns, (x + size) / 8) {
        leftEdges[row * columns + column] = 0
        topEdges[row * columns + column] = 0
      }
    }
  }

  /// Makes the map that of another row of CTBs, without edges.
  mutating func moveToRow(_ row: Int, _ parameters: CodingParameters) {
    start = (row &<< parameters.log2CodingTreeBlock) / 8 * columns
    for index in leftEdges.indices { (leftEdges[index], topEdges[index]) = (0, 0) }
    for index in isFinal.indices { isFinal[index] = false }
  }

  /// Copies rows of squares of a map of the same picture.
  mutating func copyRows(_ rows: Range<Int>, of other: BlockMap) {
    for index in rows.lowerBound * columns..<rows.upperBound * columns {
      let source = index - other.start
      qp[index] = other.qp[source]
      leftEdges[index] = other.leftEdges[source]
      topEdges[index] = other.topEdges[source]
      if !isFinal.isEmpty { isFinal[index] = other.isFinal[source] }
    }
  }
}
