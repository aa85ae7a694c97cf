// Sample adaptive offset of tree blocks (section 8.7.3) on the way into the result.

internal import ImageCore
internal import PixelPlanes

/// Which tree blocks around one can be compared with.
private struct AdjacentBlocks {
  var left = false
  var right = false
  var top = false
  var bottom = false
  var topLeft = false
  var topRight = false
  var bottomLeft = false
  var bottomRight = false
}

private func applyBands(
  _ samples: [UInt16], _ area: SampleArea, _ offsets: SAOParameters.Component, to tile: inout [UInt16], bitDepth: Int
) {
  var target = tile.mutableSpan
  addBandOffsets(
    samples.span, area, to: &target, firstBand: Int(offsets.position), offsets: offsets.offsets, bitDepth: bitDepth)
}

private func applyEdges(
  _ samples: [UInt16], _ area: SampleArea, _ offsets: SAOParameters.Component, distance: Int,
  to tile: inout [UInt16], bitDepth: Int
) {
  if bitDepth > 14 {
    addWideEdgeOffsets(samples, area, to: &tile, distance: distance, offsets: offsets.offsets, bitDepth: bitDepth)
    return
  }
  var target = tile.mutableSpan
  addEdgeOffsets(
    samples.span, area, to: &target, distance: distance, offsets: offsets.offsets, bitDepth: bitDepth)
}

/// Writes samples to a plane of the result.
private func copy(
  _ samples: [UInt16], _ area: SampleArea, to picture: inout PlanarPicture, _ component: PlanarPicture.Component,
  x: Int, y: Int
) {
  picture.withMutablePlane(component) { plane in
    let stride = plane.stride
    let index = y * stride + x
    if plane.isWide {
      var target = plane.mutableWide
      copySamples(samples.span, area, to: &target, at: index, stride: stride)
    } else {
      var target = plane.mutableNarrow
      narrowSamples(samples.span, area, to: &target, at: index, stride: stride)
    }
  }
}

extension PictureDecoder {
  /// Writes a row of tree blocks.
  mutating func writeRow(_ row: Int) {
    for column in 0..<layout.columnCount {
      for component in 0..<parameters.componentCount { writeTreeBlock(column, row, component) }
    }
  }

  private mutating func writeTreeBlock(_ column: Int, _ row: Int, _ component: Int) {
    let shifts = parameters.shifts(component)
    let log2Size = parameters.log2TreeBlock
    let (x, y) = ((column << log2Size) >> shifts.x, (row << log2Size) >> shifts.y)
    let (width, height) = (parameters.width >> shifts.x, parameters.height >> shifts.y)
    let area = SampleArea(
      index: buffer.index(component, x: x, y: y), stride: buffer.strides[component],
      width: min((1 << log2Size) >> shifts.x, width - x), height: min((1 << log2Size) >> shifts.y, height - y))
    let address = row * layout.columnCount + column
    let offsets = treeBlocks[address].offsets
    let parameters = component == 0 ? offsets.luma : component == 1 ? offsets.cb : offsets.cr
    guard parameters.type > 0, parameters.offsets != SIMD4() else {
      write(area, x: x, y: y, component, fromTile: false)
      return
    }
    if parameters.type == 1 {
      addBands(area, parameters)
    } else {
      addEdges(area, parameters, adjacentBlocks(column, row))
    }
    if self.parameters.hasFinalSamples { restoreFinalSamples(area, x: x, y: y, shifts) }
    write(
      SampleArea(index: 0, stride: 64, width: area.width, height: area.height), x: x, y: y, component, fromTile: true)
  }

  private mutating func addBands(_ area: SampleArea, _ offsets: SAOParameters.Component) {
    applyBands(buffer.samples, area, offsets, to: &filters.tile, bitDepth: parameters.bitDepth)
  }

  private mutating func addEdges(
    _ area: SampleArea, _ offsets: SAOParameters.Component, _ adjacent: AdjacentBlocks
  ) {
    let direction = offsets.position
    let distance: Int
    switch direction {
    case 0: distance = 1
    case 1: distance = area.stride
    case 2: distance = area.stride + 1
    default: distance = area.stride - 1
    }
    applyEdges(buffer.samples, area, offsets, distance: distance, to: &filters.tile, bitDepth: parameters.bitDepth)
    restoreBorders(area, direction, adjacent)
  }

  // MARK: Samples without offsets

  /// Which neighbours are in the picture and may be used across the borders of slices and tiles.
  private func adjacentBlocks(_ column: Int, _ row: Int) -> AdjacentBlocks {
    var adjacent = AdjacentBlocks()
    adjacent.left = isUsable(column, row, -1, 0)
    adjacent.right = isUsable(column, row, 1, 0)
    adjacent.top = isUsable(column, row, 0, -1)
    adjacent.bottom = isUsable(column, row, 0, 1)
    adjacent.topLeft = isUsable(column, row, -1, -1)
    adjacent.topRight = isUsable(column, row, 1, -1)
    adjacent.bottomLeft = isUsable(column, row, -1, 1)
    adjacent.bottomRight = isUsable(column, row, 1, 1)
    return adjacent
  }

  private func isUsable(_ column: Int, _ row: Int, _ dx: Int, _ dy: Int) -> Bool {
    let (x, y) = (column + dx, row + dy)
    guard x >= 0, y >= 0, x < layout.columnCount, y < layout.rowCount else { return false }
    let (address, other) = (row * layout.columnCount + column, y * layout.columnCount + x)
    let (own, neighbour) = (treeBlocks[address], treeBlocks[other])
    guard neighbour.isDecoded else { return false }
    if own.sliceAddress != neighbour.sliceAddress {
      // The later one of two slices says whether their border is filtered.
      let later = layout.decodingOrder[address] > layout.decodingOrder[other] ? own : neighbour
      guard slices[Int(later.slice)].filtersAcross else { return false }
    }
    return parameters.filtersAcrossTiles || layout.tiles[address] == layout.tiles[other]
  }

  /// Restores the samples at borders that cannot be compared.
  private mutating func restoreBorders(_ area: SampleArea, _ direction: UInt8, _ adjacent: AdjacentBlocks) {
    let (lastX, lastY) = (area.width - 1, area.height - 1)
    switch direction {
    case 0:
      if !adjacent.left { restore(area, 0...0, 0...lastY) }
      if !adjacent.right { restore(area, lastX...lastX, 0...lastY) }
    case 1:
      if !adjacent.top { restore(area, 0...lastX, 0...0) }
      if !adjacent.bottom { restore(area, 0...lastX, lastY...lastY) }
    case 2:
      if !adjacent.topLeft { restore(area, 0...0, 0...0) }
      if !adjacent.bottomRight { restore(area, lastX...lastX, lastY...lastY) }
      if lastX > 0 {
        if !adjacent.top { restore(area, 1...lastX, 0...0) }
        if !adjacent.bottom { restore(area, 0...lastX - 1, lastY...lastY) }
      }
      if lastY > 0 {
        if !adjacent.left { restore(area, 0...0, 1...lastY) }
        if !adjacent.right { restore(area, lastX...lastX, 0...lastY - 1) }
      }
    default:
      if !adjacent.topRight { restore(area, lastX...lastX, 0...0) }
      if !adjacent.bottomLeft { restore(area, 0...0, lastY...lastY) }
      if lastX > 0 {
        if !adjacent.top { restore(area, 0...lastX - 1, 0...0) }
        if !adjacent.bottom { restore(area, 1...lastX, lastY...lastY) }
      }
      if lastY > 0 {
        if !adjacent.left { restore(area, 0...0, 0...lastY - 1) }
        if !adjacent.right { restore(area, lastX...lastX, 1...lastY) }
      }
    }
  }

  private mutating func restoreFinalSamples(_ area: SampleArea, x: Int, y: Int, _ shifts: (x: Int, y: Int)) {
    let (width, height) = (8 >> shifts.x, 8 >> shifts.y)
    for top in stride(from: 0, to: area.height, by: height) {
      for left in stride(from: 0, to: area.width, by: width) {
        let square = ((y + top) << shifts.y) / 8 * map.columns + ((x + left) << shifts.x) / 8
        guard map.isFinal[square] else { continue }
        restore(
          area, left...min(left + width, area.width) - 1, top...min(top + height, area.height) - 1)
      }
    }
  }

  private mutating func restore(_ area: SampleArea, _ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>) {
    for y in rows {
      for x in columns { filters.tile[y * 64 + x] = buffer.samples[area.index + y * area.stride + x] }
    }
  }

  // MARK: The result

  /// Writes the part of a tree block that is in the conformance window.
  private mutating func write(_ area: SampleArea, x: Int, y: Int, _ component: Int, fromTile: Bool) {
    let shifts = parameters.shifts(component)
    let (left, right) = (columns.lowerBound >> shifts.x, (columns.upperBound + (1 << shifts.x) - 1) >> shifts.x)
    let (top, bottom) = (rows.lowerBound >> shifts.y, (rows.upperBound + (1 << shifts.y) - 1) >> shifts.y)
    let (firstX, endX) = (max(x, left), min(x + area.width, right))
    let (firstY, endY) = (max(y, top), min(y + area.height, bottom))
    guard firstX < endX, firstY < endY else { return }
    let visible = SampleArea(
      index: area.index + (firstY - y) * area.stride + firstX - x, stride: area.stride, width: endX - firstX,
      height: endY - firstY)
    let plane: PlanarPicture.Component = component == 0 ? .luma : component == 1 ? .cb : .cr
    if fromTile {
      copy(filters.tile, visible, to: &result, plane, x: firstX - left, y: firstY - top)
    } else {
      copy(buffer.samples, visible, to: &result, plane, x: firstX - left, y: firstY - top)
    }
  }
}
