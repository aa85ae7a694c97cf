// The deblocking filter (section 8.7): which edges of macroblocks are filtered, and with which thresholds.

internal import ImageCoding

/// The parameters of a slice that the filter reads.
struct FilteredSlice {
  var deblocking: DeblockingParameters
  /// `chroma_qp_index_offset` of Cb and Cr.
  var cbOffset: Int
  var crOffset: Int
}

/// Filters the macroblocks of a picture in the order of their addresses.
struct DeblockingFilter {
  let format: PictureFormat
  let layout: PictureLayout
  /// The first macroblock of a separate plane in the map, and the plane; 0 otherwise.
  let planeStart: Int
  let plane: Int

  /// Filters a row of macroblocks, or of pairs.
  func filterRow(_ row: Int, _ map: MacroblockMap, _ slices: [FilteredSlice], _ samples: inout SampleBuffer) {
    let count = layout.columnCount * (layout.hasPairs ? 2 : 1)
    for address in row * count..<row * count + count { filter(address, map, slices, &samples) }
  }

  /// The number of rows of macroblocks or of pairs.
  var rowCount: Int { layout.hasPairs ? layout.rowCount / 2 : layout.rowCount }

  private func filter(
    _ address: Int, _ map: MacroblockMap, _ slices: [FilteredSlice], _ samples: inout SampleBuffer
  ) {
    let macroblock = map.macroblocks[planeStart + address]
    guard macroblock.isDecoded else { return }
    let slice = slices[Int(macroblock.slice)]
    guard slice.deblocking.isEnabled else { return }
    let edges = MacroblockEdges(address, self, macroblock, slice, map)
    for component in 0..<(format.chromaType == 0 ? 1 : 3) {
      let position = layout.position(
        address, isField: macroblock.isField, plane: plane + component, format, samples)
      var values = samples.values.mutableSpan
      edges.filter(component, position, map, &values)
    }
  }
}

/// The edges of a macroblock.
private struct MacroblockEdges {
  let filter: DeblockingFilter
  let address: Int
  let macroblock: Macroblock
  let slice: FilteredSlice
  /// The macroblock at the left, or the first one of its pair; −1 if that edge is not filtered.
  private(set) var left = -1
  private(set) var leftRows = LeftRows.same
  /// The macroblocks above; −1 if that edge is not filtered. Two fields above a macroblock of a frame are filtered one
  /// after the other.
  private(set) var above = -1
  private(set) var isBelowFields = false

  init(
    _ address: Int, _ filter: DeblockingFilter, _ macroblock: Macroblock, _ slice: FilteredSlice, _ map: MacroblockMap
  ) {
    (self.address, self.filter, self.macroblock, self.slice) = (address, filter, macroblock, slice)
    let layout = filter.layout
    func find(column: Int, row: Int) -> Int {
      guard column >= 0, row >= 0 else { return -1 }
      let index = filter.planeStart + layout.address(column: column, row: row)
      let neighbour = map.macroblocks[index]
      return neighbour.isDecoded && (slice.deblocking.crossesSlices || neighbour.slice == macroblock.slice) ? index : -1
    }
    let (column, row) = layout.place(address)
    left = find(column: column - 1, row: row)
    guard layout.hasPairs else {
      above = find(column: column, row: row - 1)
      return
    }
    let isBottom = address & 1 == 1
    if left >= 0 {
      leftRows = LeftRows(
        isField: macroblock.isField, isBottom: isBottom, isLeftField: map.macroblocks[left].isField)
      // The second macroblock of a pair may be missing.
      if !map.macroblocks[left + 1].isDecoded { left = -1 }
    }
    if isBottom, !macroblock.isField {
      above = filter.planeStart + address - 1
      return
    }
    let pair = find(column: column, row: row - 2)
    guard pair >= 0, map.macroblocks[pair + 1].isDecoded else { return }
    let isAboveField = map.macroblocks[pair].isField
    if macroblock.isField {
      above = isAboveField && !isBottom ? pair : pair + 1
    } else {
      isBelowFields = isAboveField
      above = isAboveField ? pair : pair + 1
    }
  }

  func filter(
    _ component: Int, _ position: SamplePosition, _ map: MacroblockMap, _ values: inout MutableSpan<UInt16>
  ) {
    let format = filter.format
    let (width, height) = (format.macroblockWidth(component), format.macroblockHeight(component))
    let isChroma = component > 0 && format.hasSubsampledChroma
    let maximum = format.maximumSample
    let own = thresholds(component, macroblock, macroblock)
    let step = macroblock.hasLargeTransform && !isChroma ? 8 : 4
    filterLeft(component, position, height: height, isChroma, map, &values)
    for x in stride(from: step, to: width, by: step) {
      FilterEdge(
        index: position.index &+ x, across: 1, along: position.stride, count: height, isStrong: false,
        isChroma: isChroma
      ).filter(&values, own, maximum: maximum)
    }
    filterTop(component, position, width: width, isChroma, map, &values)
    for y in stride(from: step, to: height, by: step) {
      FilterEdge(
        index: position.index &+ y &* position.stride, across: position.stride, along: 1, count: width,
        isStrong: false, isChroma: isChroma
      ).filter(&values, own, maximum: maximum)
    }
  }

  private func thresholds(_ component: Int, _ first: Macroblock, _ second: Macroblock) -> EdgeThresholds {
    var (firstQP, secondQP) = (Int(first.qp), Int(second.qp))
    if component > 0 {
      let offset = component == 1 ? slice.cbOffset : slice.crOffset
      firstQP = ChromaQP.value(firstQP, offset: offset, depthOffset: filter.format.depthOffset)
      secondQP = ChromaQP.value(secondQP, offset: offset, depthOffset: filter.format.depthOffset)
    }
    return EdgeThresholds(firstQP, secondQP, slice.deblocking, bitDepth: filter.format.bitDepth)
  }

  private func filterLeft(
    _ component: Int, _ position: SamplePosition, height: Int, _ isChroma: Bool, _ map: MacroblockMap,
    _ values: inout MutableSpan<UInt16>
  ) {
    guard left >= 0 else { return }
    // The rows of a pair that is coded otherwise alternate, or are those of one macroblock and then of the other.
    let isMixed =
      switch leftRows {
      case .same, .samePair: false
      case .fieldsOfFrame, .framesOfField: true
      }
    let count = isMixed ? 1 : height
    for row in stride(from: 0, to: height, by: count) {
      let neighbour = map.macroblocks[left &+ leftRows.place(ofRow: row, height: height).macroblock]
      FilterEdge(
        index: position.index &+ row &* position.stride, across: 1, along: position.stride, count: count,
        isStrong: true, isChroma: isChroma
      ).filter(&values, thresholds(component, neighbour, macroblock), maximum: filter.format.maximumSample)
    }
  }

  private func filterTop(
    _ component: Int, _ position: SamplePosition, width: Int, _ isChroma: Bool, _ map: MacroblockMap,
    _ values: inout MutableSpan<UInt16>
  ) {
    guard above >= 0 else { return }
    let maximum = filter.format.maximumSample
    if isBelowFields {
      for field in 0..<2 {
        FilterEdge(
          index: position.index &+ field &* position.stride, across: 2 &* position.stride, along: 1, count: width,
          isStrong: false, isChroma: isChroma
        ).filter(&values, thresholds(component, map.macroblocks[above &+ field], macroblock), maximum: maximum)
      }
      return
    }
    FilterEdge(
      index: position.index, across: position.stride, along: 1, count: width,
      isStrong: !filter.layout.isField && !macroblock.isField, isChroma: isChroma
    ).filter(&values, thresholds(component, map.macroblocks[above], macroblock), maximum: maximum)
  }
}
