// Directional intra prediction (section 7.11.2.4): lines of values between two samples of an edge, eight at once. Lines
// that are predicted from the column to the left are columns, which are transposed.

internal import VectorLanes

/// The lines of a block that are predicted from one edge.
package struct DirectionalLines {
  /// The distance in 64ths of a sample by which each line's position exceeds that of the one before it, or falls below.
  let slope: Int
  /// 1 if the edge is upsampled, otherwise 0.
  let scale: Int

  package init(slope: Int, isUpsampled: Bool) {
    (self.slope, scale) = (slope, isUpsampled ? 1 : 0)
  }

  /// The index of the sample before the first value of a line.
  @inline(__always)
  fileprivate func start(_ line: Int) -> Int { ((line &+ 1) &* slope) &>> (6 &- scale) }

  /// The weights of two samples for the values of a line.
  @inline(__always)
  fileprivate func weights(_ line: Int) -> Int16x8 {
    let fraction = (((line &+ 1) &* slope) &<< scale) &>> 1 & 31
    return factorPairs(32 &- fraction, fraction)
  }

  /// Eight values of a line, of which the first one is before or after the sample with an index.
  @inline(__always)
  fileprivate func values(_ edge: EdgeSamples, at index: Int, _ weights: Int16x8) -> Int16x8 {
    let (first, second): (Int16x8, Int16x8)
    if scale == 1 {
      (first, second) = (edge.load(index), edge.load(index &+ 8))
    } else {
      let (before, after) = (edge.load(index), edge.load(index &+ 1))
      (first, second) = (interleaveLow16(before, after), interleaveHigh16(before, after))
    }
    return packSaturating(
      shiftRight(multiplyAddPairs(first, weights) &+ 16, by: 5),
      shiftRight(multiplyAddPairs(second, weights) &+ 16, by: 5))
  }
}

/// The number of values from which columns are transposed.
package let columnScratchCount = 64 * 64

/// Angles less than 90 degrees.
///
/// - Parameter last: the index of the last sample of the edge, which is repeated after it.
@inline(never)
package func predictFromAbove(
  _ block: PredictedBlock, _ lines: DirectionalLines, above: Span<UInt16>, last: Int,
  _ samples: inout MutableSpan<UInt16>
) {
  EdgeSamples.with(above) { above in
    block.withRows(&samples) { rows in
      for row in 0..<rows.height {
        let (start, weights) = (min(lines.start(row), last), lines.weights(row))
        for column in stride(from: 0, to: rows.width, by: 8) {
          let values = lines.values(above, at: start &+ column &<< lines.scale, weights)
          rows.store(values, row: row, column: column)
        }
      }
    }
  }
}

/// Angles greater than 180 degrees.
///
/// - Parameters:
///   - last: the index of the last sample of the edge, which is repeated after it.
///   - scratch: ``columnScratchCount`` values.
@inline(never)
package func predictFromLeft(
  _ block: PredictedBlock, _ lines: DirectionalLines, left: Span<UInt16>, last: Int,
  _ scratch: inout MutableSpan<UInt16>, _ samples: inout MutableSpan<UInt16>
) {
  withColumns(&scratch) { columns in
    EdgeSamples.with(left) { left in
      block.withRows(&samples) { rows in
        for column in 0..<rows.width {
          let (start, weights) = (min(lines.start(column), last), lines.weights(column))
          for row in stride(from: 0, to: rows.height, by: 8) {
            columns.store(lines.values(left, at: start &+ row &<< lines.scale, weights), column: column, row: row)
          }
        }
        for column in stride(from: 0, to: rows.width, by: 8) {
          for row in stride(from: 0, to: rows.height, by: 8) { columns.transpose(to: rows, row: row, column: column) }
        }
      }
    }
  }
}

/// Angles between 90 and 180 degrees.
///
/// - Parameters:
///   - rowLines, columnLines: what is predicted from above, and from the left. Their slopes are negative.
///   - scratch: ``columnScratchCount`` values.
@inline(never)
package func predictFromBoth(
  _ block: PredictedBlock, _ rowLines: DirectionalLines, _ columnLines: DirectionalLines, above: Span<UInt16>,
  left: Span<UInt16>, _ scratch: inout MutableSpan<UInt16>, _ samples: inout MutableSpan<UInt16>
) {
  /// The first column of a row that is predicted from above: its sample is not before the corner.
  @inline(__always)
  func firstColumn(_ row: Int) -> Int {
    let corner = 0 &- 1 &<< rowLines.scale
    return min(max((corner &- rowLines.start(row) &+ rowLines.scale) &>> rowLines.scale, 0), block.width)
  }
  withColumns(&scratch) { columns in
    EdgeSamples.with(left) { left in
      block.withRows(&samples) { rows in
        for column in 0..<firstColumn(rows.height &- 1) {
          let (start, weights) = (columnLines.start(column), columnLines.weights(column))
          for row in stride(from: 0, to: rows.height, by: 8) {
            let values = columnLines.values(left, at: start &+ row &<< columnLines.scale, weights)
            columns.store(values, column: column, row: row)
          }
        }
        for row in stride(from: 0, to: rows.height, by: 8) {
          let end = firstColumn(min(row &+ 7, rows.height &- 1))
          for column in stride(from: 0, to: end, by: 8) { columns.transpose(to: rows, row: row, column: column) }
        }
      }
    }
  }
  EdgeSamples.with(above) { above in
    block.withRows(&samples) { rows in
      for row in 0..<rows.height {
        let (start, weights, first) = (rowLines.start(row), rowLines.weights(row), firstColumn(row))
        for column in stride(from: first & ~7, to: rows.width, by: 8) {
          var values = rowLines.values(above, at: start &+ column &<< rowLines.scale, weights)
          if column < first {
            let isLeft = signMask(Int16x8(0, 1, 2, 3, 4, 5, 6, 7) &- Int16(truncatingIfNeeded: first &- column))
            values = select(isLeft, rows.load(row: row, column: column), values)
          }
          rows.store(values, row: row, column: column)
        }
      }
    }
  }
}

/// Columns of a block, 64 values each.
@safe private struct BlockColumns {
  let base: UnsafeMutablePointer<UInt16>

  // SAFETY of all: columns are less than 64, and rows are multiples of 8 less than 64.

  @inline(__always)
  func store(_ values: Int16x8, column: Int, row: Int) {
    unsafe UnsafeMutableRawPointer(base + (column &* 64 &+ row)).storeBytes(of: values, as: Int16x8.self)
  }

  @inline(__always)
  private func load(_ column: Int, _ row: Int) -> Int16x8 {
    unsafe UnsafeRawPointer(base + (column &* 64 &+ row)).loadUnaligned(as: Int16x8.self)
  }

  /// Copies eight columns of eight rows, or as many as the block has.
  @inline(__always)
  func transpose(to rows: BlockRows, row: Int, column: Int) {
    let (a, b, c, d) = (load(column, row), load(column &+ 1, row), load(column &+ 2, row), load(column &+ 3, row))
    let (ab0, ab1) = (interleaveLow16(a, b), interleaveHigh16(a, b))
    let (cd0, cd1) = (interleaveLow16(c, d), interleaveHigh16(c, d))
    let (ad0, ad1) = (interleaveLow32(ab0, cd0), interleaveHigh32(ab0, cd0))
    let (ad2, ad3) = (interleaveLow32(ab1, cd1), interleaveHigh32(ab1, cd1))
    var (eh0, eh1, eh2, eh3) = (Int16x8(), Int16x8(), Int16x8(), Int16x8())
    if rows.width > 4 {
      let (e, f, g, h) = (
        load(column &+ 4, row), load(column &+ 5, row), load(column &+ 6, row), load(column &+ 7, row)
      )
      let (ef0, ef1) = (interleaveLow16(e, f), interleaveHigh16(e, f))
      let (gh0, gh1) = (interleaveLow16(g, h), interleaveHigh16(g, h))
      (eh0, eh1) = (interleaveLow32(ef0, gh0), interleaveHigh32(ef0, gh0))
      (eh2, eh3) = (interleaveLow32(ef1, gh1), interleaveHigh32(ef1, gh1))
    }
    rows.store(interleaveLow64(ad0, eh0), row: row, column: column)
    rows.store(interleaveHigh64(ad0, eh0), row: row &+ 1, column: column)
    rows.store(interleaveLow64(ad1, eh1), row: row &+ 2, column: column)
    rows.store(interleaveHigh64(ad1, eh1), row: row &+ 3, column: column)
    guard rows.height > 4 else { return }
    rows.store(interleaveLow64(ad2, eh2), row: row &+ 4, column: column)
    rows.store(interleaveHigh64(ad2, eh2), row: row &+ 5, column: column)
    rows.store(interleaveLow64(ad3, eh3), row: row &+ 6, column: column)
    rows.store(interleaveHigh64(ad3, eh3), row: row &+ 7, column: column)
  }
}

@inline(__always)
private func withColumns(_ scratch: inout MutableSpan<UInt16>, _ body: (BlockColumns) -> Void) {
  precondition(scratch.count >= columnScratchCount, "the scratch memory is present")
  unsafe scratch.withUnsafeMutableBufferPointer { scratch in
    guard let base = scratch.baseAddress else { return }
    unsafe body(BlockColumns(base: base))
  }
}
