// The deblocking filter (section 7.14).

internal import ImageCore

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

  /// Filters the vertical, then the horizontal edges of a row of superblocks. Those above must have been filtered.
  func filterRow(_ superblockRow: Int, _ picture: inout Picture) {
    let units = parameters.superblockUnits
    let rows = superblockRow * units..<min((superblockRow + 1) * units, parameters.rows)
    for plane in 0..<parameters.planeCount where plane == 0 || parameters.loopFilter.levels[plane + 1] > 0 {
      let (shiftX, shiftY) = parameters.shifts(plane)
      // Units of the plane whose first luma sample is in the frame.
      let columnCount = ((parameters.size.codedWidth + 3) >> 2 + shiftX) >> shiftX
      let visibleRows = ((parameters.size.height + 3) >> 2 + shiftY) >> shiftY
      let planeRows = rows.lowerBound >> shiftY..<min(rows.upperBound >> shiftY, visibleRows)
      let grid = EdgeGrid(
        plane: plane, columns: columnCount, stride: plane == 0 ? picture.map.columns : picture.map.chromaColumns)
      guard planeRows.lowerBound < planeRows.upperBound else { continue }
      for row in planeRows { filterVerticalEdges(grid, row, &picture) }
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

  private func filterVerticalEdges(_ grid: EdgeGrid, _ row: Int, _ picture: inout Picture) {
    let plane = grid.plane
    let stride = picture.buffer.strides[plane]
    let origin = picture.buffer.index(plane, x: 0, y: row &* 4)
    var previous = transform(grid, column: 0, row: row, picture.map)
    for column in 1..<max(grid.columns, 1) {
      let size = transform(grid, column: column, row: row, picture.map)
      defer { previous = size }
      guard column & (size.columns &- 1) == 0 else { continue }
      let level = level(
        plane, index: plane == 0 ? 0 : plane &+ 1, column: column, row: row, beforeColumn: column &- 1, beforeRow: row,
        picture.map)
      guard level > 0 else { continue }
      let edge = Edge(
        strength(level), length: min(size.width, previous.width), isChroma: plane > 0, acrossStride: 1,
        alongStride: stride, bitDepth: parameters.bitDepth)
      var samples = picture.buffer.samples.mutableSpan
      edge.filter(&samples, at: origin &+ column &* 4)
    }
  }

  private func filterHorizontalEdges(_ grid: EdgeGrid, _ row: Int, _ picture: inout Picture) {
    let plane = grid.plane
    let stride = picture.buffer.strides[plane]
    let origin = picture.buffer.index(plane, x: 0, y: row &* 4)
    for column in 0..<grid.columns {
      let size = transform(grid, column: column, row: row, picture.map)
      guard row & (size.rows &- 1) == 0 else { continue }
      let level = level(
        plane, index: plane &+ 1, column: column, row: row, beforeColumn: column, beforeRow: row &- 1, picture.map)
      guard level > 0 else { continue }
      let previous = transform(grid, column: column, row: row &- 1, picture.map)
      let edge = Edge(
        strength(level), length: min(size.height, previous.height), isChroma: plane > 0, acrossStride: stride,
        alongStride: 1, bitDepth: parameters.bitDepth)
      var samples = picture.buffer.samples.mutableSpan
      edge.filter(&samples, at: origin &+ column &* 4)
    }
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

/// The thresholds of an edge, for samples of 8 bits.
struct EdgeStrength {
  let limit: Int
  let edgeLimit: Int
  let threshold: Int
}

/// Four samples along an edge between two transform blocks (section 7.14.6).
private struct Edge {
  private let limit: Int32
  private let edgeLimit: Int32
  private let threshold: Int32
  private let flatLimit: Int32
  /// `filterLen`: 4, 6, 8 or 16.
  private let length: Int
  private let acrossStride: Int
  private let alongStride: Int
  private let bitDepth: Int32

  /// - Parameter length: the shorter side of both transforms across the edge.
  @inline(__always)
  init(
    _ strength: EdgeStrength, length: Int, isChroma: Bool, acrossStride: Int, alongStride: Int, bitDepth: Int
  ) {
    let shift = Int32(truncatingIfNeeded: bitDepth &- 8)
    limit = Int32(truncatingIfNeeded: strength.limit) &<< shift
    edgeLimit = Int32(truncatingIfNeeded: strength.edgeLimit) &<< shift
    threshold = Int32(truncatingIfNeeded: strength.threshold) &<< shift
    flatLimit = 1 &<< shift
    self.length = length == 4 ? 4 : isChroma ? 6 : length == 8 ? 8 : 16
    (self.acrossStride, self.alongStride) = (acrossStride, alongStride)
    self.bitDepth = Int32(truncatingIfNeeded: bitDepth)
  }

  @inline(__always)
  func filter(_ samples: inout MutableSpan<UInt16>, at first: Int) {
    for offset in 0..<4 { filterLine(&samples, first &+ offset &* alongStride) }
  }

  @inline(__always)
  private func filterLine(_ samples: inout MutableSpan<UInt16>, _ q: Int) {
    let step = acrossStride
    let (p1, p0) = (Int32(samples[q &- 2 &* step]), Int32(samples[q &- step]))
    let (q0, q1) = (Int32(samples[q]), Int32(samples[q &+ step]))
    guard abs(p1 &- p0) <= limit, abs(q1 &- q0) <= limit, abs(p0 &- q0) &* 2 &+ abs(p1 &- q1) / 2 <= edgeLimit
    else { return }
    if length > 4 {
      let (p2, q2) = (Int32(samples[q &- 3 &* step]), Int32(samples[q &+ 2 &* step]))
      guard abs(p2 &- p1) <= limit, abs(q2 &- q1) <= limit else { return }
      var isFlat =
        abs(p1 &- p0) <= flatLimit && abs(q1 &- q0) <= flatLimit && abs(p2 &- p0) <= flatLimit
        && abs(q2 &- q0) <= flatLimit
      if length > 6 {
        let (p3, q3) = (Int32(samples[q &- 4 &* step]), Int32(samples[q &+ 3 &* step]))
        guard abs(p3 &- p2) <= limit, abs(q3 &- q2) <= limit else { return }
        isFlat = isFlat && abs(p3 &- p0) <= flatLimit && abs(q3 &- q0) <= flatLimit
      }
      if isFlat {
        if length == 6 {
          filterWide(&samples, q, reach: 2, doubled: 1, log2Sum: 3)
        } else if length == 16, isFlatOutside(samples, q, p0, q0) {
          filterWide(&samples, q, reach: 6, doubled: 1, log2Sum: 4)
        } else {
          filterWide(&samples, q, reach: 3, doubled: 0, log2Sum: 3)
        }
        return
      }
    }
    filterNarrow(&samples, q, (p1, p0, q0, q1))
  }

  /// `flatMask2`.
  @inline(__always)
  private func isFlatOutside(_ samples: borrowing MutableSpan<UInt16>, _ q: Int, _ p0: Int32, _ q0: Int32) -> Bool {
    for distance in 4..<7 {
      let before = Int32(samples[q &- (distance &+ 1) &* acrossStride])
      let after = Int32(samples[q &+ distance &* acrossStride])
      if abs(before &- p0) > flatLimit || abs(after &- q0) > flatLimit { return false }
    }
    return true
  }

  /// The narrow filter (section 7.14.6.3).
  @inline(__always)
  private func filterNarrow(
    _ samples: inout MutableSpan<UInt16>, _ q: Int, _ values: (Int32, Int32, Int32, Int32)
  ) {
    let (p1, p0, q0, q1) = values
    let half = (1 as Int32) &<< (bitDepth &- 1)
    @inline(__always)
    func limited(_ value: Int32) -> Int32 { min(max(value, 0 &- half), half &- 1) }
    @inline(__always)
    func sample(_ value: Int32) -> UInt16 { UInt16(truncatingIfNeeded: limited(value &- half) &+ half) }
    let hasVariance = abs(p1 &- p0) > threshold || abs(q1 &- q0) > threshold
    let base = limited((hasVariance ? limited(p1 &- q1) : 0) &+ 3 &* (q0 &- p0))
    let first = limited(base &+ 4) &>> 3
    let second = limited(base &+ 3) &>> 3
    samples[q] = sample(q0 &- first)
    samples[q &- acrossStride] = sample(p0 &+ second)
    guard !hasVariance else { return }
    let outer = (first &+ 1) &>> 1
    samples[q &+ acrossStride] = sample(q1 &- outer)
    samples[q &- 2 &* acrossStride] = sample(p1 &+ outer)
  }

  /// The wide filter (section 7.14.6.4).
  ///
  /// - Parameters:
  ///   - reach: n, samples on each side of the edge that change.
  ///   - doubled: n2, taps of 2 on each side of the centre.
  @inline(__always)
  private func filterWide(_ samples: inout MutableSpan<UInt16>, _ q: Int, reach: Int, doubled: Int, log2Sum: Int32) {
    var values = InlineArray<16, Int32>(repeating: 0)
    // The samples from −(n + 1) to n.
    for index in 0..<2 &* reach &+ 2 {
      values[index] = Int32(samples[q &+ (index &- reach &- 1) &* acrossStride])
    }
    for index in 0 &- reach..<reach {
      var sum = (1 as Int32) &<< (log2Sum &- 1)
      for tap in 0 &- reach...reach {
        let position = min(max(index &+ tap, 0 &- reach &- 1), reach)
        let value = values[position &+ reach &+ 1]
        sum &+= abs(tap) <= doubled ? 2 &* value : value
      }
      samples[q &+ index &* acrossStride] = UInt16(truncatingIfNeeded: sum &>> log2Sum)
    }
  }
}
