// Sample adaptive offset (SAO) of coding tree blocks (section 8.7.3) on the way to the planes.

internal import ImageCoding
internal import PixelPlanes

/// The neighbours with whose samples those of a CTB can be compared.
private struct AdjacentBlocks {
  let left: Bool
  let right: Bool
  let top: Bool
  let bottom: Bool
  let topLeft: Bool
  let topRight: Bool
  let bottomLeft: Bool
  let bottomRight: Bool
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

/// Writes samples to a plane.
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

extension InLoopFilter {
  /// Writes a row of CTBs to the planes.
  mutating func writeRow(_ row: Int, of picture: borrowing DecodedPicture) {
    for column in 0..<picture.layout.columnCount {
      for component in 0..<parameters.componentCount { writeCodingTreeBlock(column, row, component, picture) }
    }
  }

  private mutating func writeCodingTreeBlock(
    _ column: Int, _ row: Int, _ component: Int, _ picture: borrowing DecodedPicture
  ) {
    let shifts = parameters.shifts(component)
    let log2Size = parameters.log2CodingTreeBlock
    let (x, y) = ((column << log2Size) >> shifts.x, (row << log2Size) >> shifts.y)
    let (width, height) = (parameters.width >> shifts.x, parameters.height >> shifts.y)
    let area = SampleArea(
      index: picture.samples.index(component, x: x, y: y), stride: picture.samples.strides[component],
      width: min((1 << log2Size) >> shifts.x, width - x), height: min((1 << log2Size) >> shifts.y, height - y))
    let sao = picture[row * picture.layout.columnCount + column].offsets
    let offsets = component == 0 ? sao.luma : component == 1 ? sao.cb : sao.cr
    guard offsets.type > 0, offsets.offsets != SIMD4() else {
      write(picture.samples.values, area, x: x, y: y, component)
      return
    }
    if offsets.type == 1 {
      applyBands(picture.samples.values, area, offsets, to: &tile, bitDepth: parameters.bitDepth)
    } else {
      addEdges(area, offsets, picture.samples, adjacentBlocks(column, row, picture))
    }
    if parameters.hasFinalSamples { restoreFinalSamples(area, x: x, y: y, shifts, picture) }
    write(tile, SampleArea(index: 0, stride: 64, width: area.width, height: area.height), x: x, y: y, component)
  }

  private mutating func addEdges(
    _ area: SampleArea, _ offsets: SAOParameters.Component, _ samples: SampleBuffer, _ adjacent: AdjacentBlocks
  ) {
    let direction = offsets.position
    let distance: Int
    switch direction {
    case 0: distance = 1
    case 1: distance = area.stride
    case 2: distance = area.stride + 1
    default: distance = area.stride - 1
    }
    applyEdges(samples.values, area, offsets, distance: distance, to: &tile, bitDepth: parameters.bitDepth)
    restoreBorders(area, direction, samples, adjacent)
  }

  // MARK: Samples without offsets

  /// The neighbours in the picture that may be used across the borders of slices and tiles.
  private func adjacentBlocks(_ column: Int, _ row: Int, _ picture: borrowing DecodedPicture) -> AdjacentBlocks {
    func isUsable(_ dx: Int, _ dy: Int) -> Bool { self.isUsable(column, row, dx, dy, picture) }
    return AdjacentBlocks(
      left: isUsable(-1, 0), right: isUsable(1, 0), top: isUsable(0, -1), bottom: isUsable(0, 1),
      topLeft: isUsable(-1, -1), topRight: isUsable(1, -1), bottomLeft: isUsable(-1, 1), bottomRight: isUsable(1, 1))
  }

  private func isUsable(
    _ column: Int, _ row: Int, _ dx: Int, _ dy: Int, _ picture: borrowing DecodedPicture
  ) -> Bool {
    let (x, y) = (column + dx, row + dy)
    let columnCount = picture.layout.columnCount
    guard x >= 0, y >= 0, x < columnCount, y < picture.layout.rowCount else { return false }
    let (address, other) = (row * columnCount + column, y * columnCount + x)
    let (own, neighbour) = (picture[address], picture[other])
    guard neighbour.isDecoded else { return false }
    if own.sliceAddress != neighbour.sliceAddress {
      // The later one of two slices says whether their border is filtered.
      let later = picture.layout.decodingOrder[address] > picture.layout.decodingOrder[other] ? own : neighbour
      guard picture.slices[Int(later.slice)].filtersAcross else { return false }
    }
    return parameters.filtersAcrossTiles || picture.layout.tiles[address] == picture.layout.tiles[other]
  }

  /// Restores the samples at borders that cannot be compared.
  private mutating func restoreBorders(
    _ area: SampleArea, _ direction: UInt8, _ samples: SampleBuffer, _ adjacent: AdjacentBlocks
  ) {
    let (lastX, lastY) = (area.width - 1, area.height - 1)
    switch direction {
    case 0:
      if !adjacent.left { restore(area, 0...0, 0...lastY, samples) }
      if !adjacent.right { restore(area, lastX...lastX, 0...lastY, samples) }
    case 1:
      if !adjacent.top { restore(area, 0...lastX, 0...0, samples) }
      if !adjacent.bottom { restore(area, 0...lastX, lastY...lastY, samples) }
    case 2:
      if !adjacent.topLeft { restore(area, 0...0, 0...0, samples) }
      if !adjacent.bottomRight { restore(area, lastX...lastX, lastY...lastY, samples) }
      if lastX > 0 {
        if !adjacent.top { restore(area, 1...lastX, 0...0, samples) }
        if !adjacent.bottom { restore(area, 0...lastX - 1, lastY...lastY, samples) }
      }
      if lastY > 0 {
        if !adjacent.left { restore(area, 0...0, 1...lastY, samples) }
        if !adjacent.right { restore(area, lastX...lastX, 0...lastY - 1, samples) }
      }
    default:
      if !adjacent.topRight { restore(area, lastX...lastX, 0...0, samples) }
      if !adjacent.bottomLeft { restore(area, 0...0, lastY...lastY, samples) }
      if lastX > 0 {
        if !adjacent.top { restore(area, 0...lastX - 1, 0...0, samples) }
        if !adjacent.bottom { restore(area, 1...lastX, lastY...lastY, samples) }
      }
      if lastY > 0 {
        if !adjacent.left { restore(area, 0...0, 0...lastY - 1, samples) }
        if !adjacent.right { restore(area, lastX...lastX, 1...lastY, samples) }
      }
    }
  }

  private mutating func restoreFinalSamples(
    _ area: SampleArea, x: Int, y: Int, _ shifts: (x: Int, y: Int), _ picture: borrowing DecodedPicture
  ) {
    let (width, height) = (8 >> shifts.x, 8 >> shifts.y)
    for top in stride(from: 0, to: area.height, by: height) {
      for left in stride(from: 0, to: area.width, by: width) {
        let square = picture.blocks.index(x: (x + left) << shifts.x, y: (y + top) << shifts.y)
        guard picture.blocks.isFinal[square] else { continue }
        restore(
          area, left...min(left + width, area.width) - 1, top...min(top + height, area.height) - 1, picture.samples)
      }
    }
  }

  private mutating func restore(
    _ area: SampleArea, _ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>, _ samples: SampleBuffer
  ) {
    for y in rows {
      for x in columns { tile[y * 64 + x] = samples.values[area.index + y * area.stride + x] }
    }
  }

  // MARK: Planes

  /// Writes the part of a CTB that is in the conformance window.
  private mutating func write(_ samples: [UInt16], _ area: SampleArea, x: Int, y: Int, _ component: Int) {
    let shifts = parameters.shifts(component)
    let (left, right) = (columns.lowerBound >> shifts.x, (columns.upperBound + (1 << shifts.x) - 1) >> shifts.x)
    let (top, bottom) = (rows.lowerBound >> shifts.y, (rows.upperBound + (1 << shifts.y) - 1) >> shifts.y)
    let (firstX, endX) = (max(x, left), min(x + area.width, right))
    let (firstY, endY) = (max(y, top), min(y + area.height, bottom))
    guard firstX < endX, firstY < endY else { return }
    let visible = SampleArea(
      index: area.index + (firstY - y) * area.stride + firstX - x, stride: area.stride, width: endX - firstX,
      height: endY - firstY)
    copy(
      samples, visible, to: &planes, component == 0 ? .luma : component == 1 ? .cb : .cr, x: firstX - left,
      y: firstY - top)
  }
}
