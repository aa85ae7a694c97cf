// The deblocking filter (section 7.14).

internal import ImageCoding

/// Filters the edges of transform blocks.
struct DeblockingFilter {
  private let parameters: FrameParameters
  /// The levels of a block, if all have the same.
  private let levels: SIMD4<UInt8>

  init(_ parameters: FrameParameters) {
    self.parameters = parameters
    var levels = SIMD4<UInt8>()
    for index in 0..<4 {
      levels[index] = UInt8(truncatingIfNeeded: parameters.loopFilterLevel(index, delta: 0, segment: 0))
    }
    self.levels = levels
  }

  /// Filters the superblocks that start with a unit, and keeps what the next ones are predicted from.
  func filterSuperblocks(_ first: Int, _ picture: inout Picture) {
    let end = first + parameters.superblockUnits
    if picture.buffer.keepsEdges, end < parameters.rows {
      for plane in 0..<parameters.planeCount {
        picture.buffer.keepEdge(plane, y: end * 4 >> parameters.shifts(plane).y - 1)
      }
    }
    filterRow(first, &picture)
  }

  /// Filters the vertical, then the horizontal edges of a row of superblocks. Those above must have been filtered.
  ///
  /// - Parameter first: their first unit.
  private func filterRow(_ first: Int, _ picture: inout Picture) {
    let rows = first..<min(first + parameters.superblockUnits, parameters.rows)
    for plane in 0..<parameters.planeCount where plane == 0 || parameters.loopFilter.levels[plane + 1] > 0 {
      let (shiftX, shiftY) = parameters.shifts(plane)
      // Units of the plane whose first luma sample is in the frame.
      let columnCount = ((parameters.size.codedWidth + 3) >> 2 + shiftX) >> shiftX
      let visibleRows = ((parameters.size.height + 3) >> 2 + shiftY) >> shiftY
      let planeRows = rows.lowerBound >> shiftY..<min(rows.upperBound >> shiftY, visibleRows)
      let grid = EdgeGrid(
        plane: plane, columns: columnCount, stride: plane == 0 ? picture.map.columns : picture.map.chromaColumns)
      guard planeRows.lowerBound < planeRows.upperBound else { continue }
      for row in stride(from: planeRows.lowerBound, to: planeRows.upperBound, by: 2) {
        filterVerticalEdges(grid, row, rowCount: min(planeRows.upperBound - row, 2), &picture)
      }
      for row in planeRows where row > 0 { filterHorizontalEdges(grid, row, &picture) }
    }
  }

  /// The units of a plane.
  private struct EdgeGrid {
    let plane: Int
    let columns: Int
    /// Units in a row of the map of transforms.
    let stride: Int
  }

  /// The properties of an edge along one unit.
  private struct UnitEdge: Equatable {
    let length: Int
    let level: Int
  }

  /// Filters the vertical edges of one or two rows of units.
  private func filterVerticalEdges(_ grid: EdgeGrid, _ row: Int, rowCount: Int, _ picture: inout Picture) {
    let plane = grid.plane
    let stride = picture.buffer.strides[plane]
    let origin = picture.buffer.index(plane, x: 0, y: row &* 4)
    var column = nextColumn(grid, after: 0, row: row, rowCount: rowCount, picture.map)
    while column < grid.columns {
      let first = verticalEdge(grid, column: column, row: row, picture.map)
      let second = rowCount > 1 ? verticalEdge(grid, column: column, row: row &+ 1, picture.map) : nil
      let index = origin &+ column &* 4
      column = nextColumn(grid, after: column, row: row, rowCount: rowCount, picture.map)
      if let first, let second, first == second {
        filter(first, lineCount: 8, isVertical: true, &picture.buffer.samples, at: index, stride: stride)
        continue
      }
      if let first {
        filter(first, lineCount: 4, isVertical: true, &picture.buffer.samples, at: index, stride: stride)
      }
      if let second {
        filter(
          second, lineCount: 4, isVertical: true, &picture.buffer.samples, at: index &+ 4 &* stride, stride: stride)
      }
    }
  }

  /// The first column after one in which a transform block of one or two rows of units starts.
  @inline(__always)
  private func nextColumn(
    _ grid: EdgeGrid, after column: Int, row: Int, rowCount: Int, _ map: borrowing BlockMap
  ) -> Int {
    let columns = transform(grid, column: column, row: row, map).columns
    let other = rowCount > 1 ? transform(grid, column: column, row: row &+ 1, map).columns : columns
    let smaller = min(columns, other)
    return (column | (smaller &- 1)) &+ 1
  }

  /// Filters the horizontal edges at the top of a row of units.
  private func filterHorizontalEdges(_ grid: EdgeGrid, _ row: Int, _ picture: inout Picture) {
    let plane = grid.plane
    let stride = picture.buffer.strides[plane]
    let origin = picture.buffer.index(plane, x: 0, y: row &* 4)
    var column = 0
    while column < grid.columns {
      guard let edge = horizontalEdge(grid, column: column, row: row, picture.map) else {
        // If a block crosses the row, so do all of its columns.
        let size = transform(grid, column: column, row: row, picture.map)
        column = row & (size.rows &- 1) == 0 ? column &+ 1 : (column | (size.columns &- 1)) &+ 1
        continue
      }
      let index = origin &+ column &* 4
      column &+= 1
      if column < grid.columns, edge == horizontalEdge(grid, column: column, row: row, picture.map) {
        filter(edge, lineCount: 8, isVertical: false, &picture.buffer.samples, at: index, stride: stride)
        column &+= 1
      } else {
        filter(edge, lineCount: 4, isVertical: false, &picture.buffer.samples, at: index, stride: stride)
      }
    }
  }

  private func filter(
    _ edge: UnitEdge, lineCount: Int, isVertical: Bool, _ samples: inout [UInt16], at index: Int, stride: Int
  ) {
    let edge = TransformEdge(
      strength: strength(edge.level), length: edge.length, lineCount: lineCount, bitDepth: parameters.bitDepth)
    var samples = samples.mutableSpan
    if isVertical {
      filterVerticalEdge(edge, &samples, at: index, stride: stride)
    } else {
      filterHorizontalEdge(edge, &samples, at: index, stride: stride)
    }
  }

  /// The vertical edge at the left of a unit; `nil` if it is not filtered.
  @inline(__always)
  private func verticalEdge(_ grid: EdgeGrid, column: Int, row: Int, _ map: borrowing BlockMap) -> UnitEdge? {
    let size = transform(grid, column: column, row: row, map)
    guard column & (size.columns &- 1) == 0 else { return nil }
    let level = level(
      grid.plane, index: grid.plane == 0 ? 0 : grid.plane &+ 1, column: column, row: row, beforeColumn: column &- 1,
      beforeRow: row, map)
    guard level > 0 else { return nil }
    let before = transform(grid, column: column &- 1, row: row, map)
    return UnitEdge(length: length(min(size.width, before.width), grid.plane), level: level)
  }

  /// The horizontal edge at the top of a unit; `nil` if it is not filtered.
  @inline(__always)
  private func horizontalEdge(_ grid: EdgeGrid, column: Int, row: Int, _ map: borrowing BlockMap) -> UnitEdge? {
    let size = transform(grid, column: column, row: row, map)
    guard row & (size.rows &- 1) == 0 else { return nil }
    let level = level(
      grid.plane, index: grid.plane &+ 1, column: column, row: row, beforeColumn: column, beforeRow: row &- 1, map)
    guard level > 0 else { return nil }
    let before = transform(grid, column: column, row: row &- 1, map)
    return UnitEdge(length: length(min(size.height, before.height), grid.plane), level: level)
  }

  /// `filterLen`, from the shorter side of both transforms across an edge.
  @inline(__always)
  private func length(_ side: Int, _ plane: Int) -> Int {
    side == 4 ? 4 : plane > 0 ? 6 : side == 8 ? 8 : 16
  }

  @inline(__always)
  private func transform(_ grid: EdgeGrid, column: Int, row: Int, _ map: borrowing BlockMap) -> TransformSize {
    let index = row &* grid.stride &+ column
    return TransformSize(rawValue: grid.plane == 0 ? map.lumaTransforms[index] : map.chromaTransforms[index])
  }

  /// The level of an edge: that of the block after it, or of the block before it if that is 0.
  @inline(__always)
  private func level(
    _ plane: Int, index: Int, column: Int, row: Int, beforeColumn: Int, beforeRow: Int, _ map: borrowing BlockMap
  ) -> Int {
    guard parameters.hasBlockLevels else { return Int(levels[index]) }
    let (shiftX, shiftY) = parameters.shifts(plane)
    func level(_ column: Int, _ row: Int) -> Int {
      let (x, y) = (column &<< shiftX | shiftX, row &<< shiftY | shiftY)
      return Int(map.levels[y &* map.columns &+ x][index])
    }
    let after = level(column, row)
    return after > 0 ? after : level(beforeColumn, beforeRow)
  }

  /// `limit`, `blimit` and `thresh` of a level (section 7.14.4).
  @inline(__always)
  private func strength(_ level: Int) -> EdgeStrength {
    let sharpness = parameters.loopFilter.sharpness
    let shift = sharpness > 4 ? 2 : sharpness > 0 ? 1 : 0
    let limit = sharpness > 0 ? min(max(level &>> shift, 1), 9 &- sharpness) : max(level &>> shift, 1)
    return EdgeStrength(limit: limit, edgeLimit: 2 &* (level &+ 2) &+ limit, threshold: level &>> 4)
  }
}
