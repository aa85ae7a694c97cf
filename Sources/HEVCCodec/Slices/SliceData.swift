// The coding tree blocks of a slice segment (section 7.3.8.1) and the entropy coder's state between them (section 9.3.1).

internal import ImageCore

/// Work for each byte of entropy-coded data, in the budget's units.
private let workPerByte = 40

extension PictureDecoder {
  /// The factor of the work for samples of more than 12 bits.
  private static var wideFactor: Int { 4 }

  /// The work for the bytes of a segment, in addition to that for its blocks.
  static func work(ofSegment header: SliceHeader, byteCount: Int) -> Int {
    max(0, byteCount - header.dataOffset) * workPerByte
  }

  /// The work for a coding tree block: that of each luma sample, which grows with the samples of chroma.
  static func workPerBlock(_ parameters: CodingParameters) -> Int {
    let workPerSample =
      switch parameters.chromaType {
      case 0: 10
      case 1: 13
      case 2: 16
      default: 22
      }
    return (workPerSample * (parameters.isWide ? wideFactor : 1)) << (2 * parameters.log2TreeBlock)
  }

  /// Decodes a slice segment.
  ///
  /// - Parameters:
  ///   - bytes: the payload of its NAL unit and padding.
  ///   - byteCount: of the payload.
  /// - Returns: why decoding stopped early; `nil` if it did not.
  mutating func decodeSegment(
    _ header: SliceHeader, _ bytes: Span<UInt8>, byteCount: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> String? {
    var place = Int(layout.decodingOrder[header.address])
    guard place >= nextPlace else { return "a slice segment overlaps the one before" }
    var work = SegmentWork(rest: Self.work(ofSegment: header, byteCount: byteCount))
    try budget.requireWork(count: work.rest, unitsEach: 1)
    let reason = try decodeBlocks(of: header, from: &place, bytes, byteCount: byteCount, &work, &budget)
    // What was not read, because the segment is damaged.
    try budget.chargeWorkInParts(count: work.rest, unitsEach: 1)
    return reason
  }

  /// The work for the bytes of a segment, which is charged as they are read.
  private struct SegmentWork {
    var rest: Int
    /// The number of bytes that have been charged, up to which they have been read.
    var position = 0

    mutating func units(upTo position: Int) -> Int {
      let units = min(rest, max(0, position &- self.position) &* workPerByte)
      self.position = max(self.position, position)
      rest &-= units
      return units
    }
  }

  private mutating func decodeBlocks(
    of header: SliceHeader, from place: inout Int, _ bytes: Span<UInt8>, byteCount: Int, _ work: inout SegmentWork,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> String? {
    slice = header.parameters
    if !header.isDependent { try appendSlice(&budget) }
    cabac = CABACDecoder(end: byteCount)
    cabac.restart(at: header.dataOffset, bytes)
    work.position = header.dataOffset
    quantization.cbOffset = 0
    quantization.crOffset = 0
    var isStart = true
    while true {
      let address = Int(layout.rasterAddresses[place])
      startBlock(address)
      try budget.chargeWork(Self.workPerBlock(parameters) &+ work.units(upTo: cabac.alignedIndex))
      if let reason = prepareModels(header, isStart: isStart, bytes) { return reason }
      isStart = false
      decodeTreeBlock(bytes)
      if cabac.isExhausted, damage == nil { damage = "a slice segment ends early" }
      if let damage {
        dropTreeBlock()
        return "\(damage)"
      }
      decodedBlockCount += 1
      place += 1
      nextPlace = place
      finishRow(address)
      if parameters.isWavefront, tileColumn(address) == 1 { wavefrontModels = models }
      if cabac.decodeTerminate(bytes) {
        try budget.chargeWork(work.units(upTo: byteCount))
        break
      }
      guard place < blockCount else { return "a slice segment exceeds the picture" }
    }
    segmentModels = models
    return nil
  }

  private mutating func appendSlice(_ budget: inout ResourceBudget) throws(CodecError) {
    workingByteCount += try budget.allocate(count: 1, bytesEach: MemoryLayout<SliceParameters>.stride)
    slices.append(slice)
  }

  /// Sets the current tree block and finds out which neighbours are in its slice and tile.
  mutating func startBlock(_ address: Int) {
    let columnCount = layout.columnCount
    let (column, row) = (address % columnCount, address / columnCount)
    var tree = TreePosition()
    tree.address = address
    (tree.x, tree.y) = (column << parameters.log2TreeBlock, row << parameters.log2TreeBlock)
    tree.hasLeft = column > 0 && isAvailable(address - 1, from: address)
    tree.hasTop = row > 0 && isAvailable(address - columnCount, from: address)
    tree.hasTopLeft = row > 0 && column > 0 && isAvailable(address - columnCount - 1, from: address)
    tree.hasTopRight =
      row > 0 && column + 1 < columnCount && isAvailable(address - columnCount + 1, from: address)
    tree.filtersInside = !slice.isDeblockingDisabled
    tree.filtersLeft = tree.filtersInside && column > 0 && filtersEdge(address, address - 1)
    tree.filtersTop = tree.filtersInside && row > 0 && filtersEdge(address, address - columnCount)
    self.tree = tree
    treeBlocks[address] = TreeBlock(sliceAddress: slice.address, slice: Int32(slices.count - 1))
    neighbours.modesAbove = InlineArray(repeating: 1)
    if !tree.hasLeft { neighbours.modesLeft = InlineArray(repeating: 1) }
  }

  private func isAvailable(_ neighbour: Int, from address: Int) -> Bool {
    treeBlocks[neighbour].sliceAddress == slice.address && layout.tiles[neighbour] == layout.tiles[address]
  }

  private func filtersEdge(_ address: Int, _ neighbour: Int) -> Bool {
    treeBlocks[neighbour].isDecoded
      && (slice.filtersAcross || treeBlocks[neighbour].sliceAddress == slice.address)
      && (parameters.filtersAcrossTiles || layout.tiles[neighbour] == layout.tiles[address])
  }

  /// The column of a tree block in its tile.
  private func tileColumn(_ address: Int) -> Int {
    Int(layout.columnsInTile[address % layout.columnCount])
  }

  /// Initializes or synchronizes the models where the current tree block requires it.
  ///
  /// - Returns: what is wrong with the end of the substream before.
  private mutating func prepareModels(
    _ header: SliceHeader, isStart: Bool, _ bytes: Span<UInt8>
  ) -> String? {
    let address = tree.address
    let place = Int(layout.decodingOrder[address])
    let isFirstInTile =
      place == 0 || layout.tiles[address] != layout.tiles[Int(layout.rasterAddresses[place - 1])]
    let isFirstInRow = parameters.isWavefront && tileColumn(address) == 0
    if !isStart, isFirstInTile || isFirstInRow {
      guard cabac.decodeTerminate(bytes) else { return "end_of_subset_one_bit is 0" }
      cabac.restart(at: cabac.alignedIndex, bytes)
    }
    if isFirstInTile {
      models = ContextModels(qp: slice.qp)
    } else if isFirstInRow {
      // What the second block of the row above left, if that is in the same slice and tile.
      if tree.hasTopRight { models = wavefrontModels } else { models = ContextModels(qp: slice.qp) }
    } else if isStart {
      models = header.isDependent ? segmentModels : ContextModels(qp: slice.qp)
    }
    if isFirstInTile || isFirstInRow || isStart && !header.isDependent {
      quantization.qp = slice.qp
      quantization.previous = slice.qp
    }
    return nil
  }

  mutating func decodeTreeBlock(_ bytes: Span<UInt8>) {
    if slice.isSAOLumaEnabled || slice.isSAOChromaEnabled { readSAO(bytes) }
    decodeTree(x: tree.x, y: tree.y, log2Size: parameters.log2TreeBlock, depth: 0, bytes)
  }

  /// Forgets a tree block that cannot be decoded. Its samples become those of a missing one.
  private mutating func dropTreeBlock() {
    treeBlocks[tree.address] = TreeBlock()
    map.clearEdges(x: tree.x, y: tree.y, size: parameters.treeBlockSize)
    for component in 0..<parameters.componentCount {
      let shifts = parameters.shifts(component)
      let value: UInt16 = component == 0 ? 0 : 1 << UInt16(parameters.bitDepth - 1)
      let size = parameters.treeBlockSize
      let (right, bottom) = (min(tree.x + size, parameters.width), min(tree.y + size, parameters.height))
      for y in tree.y >> shifts.y..<bottom >> shifts.y {
        let row = buffer.index(component, x: 0, y: y)
        for x in tree.x >> shifts.x..<right >> shifts.x { buffer.samples[row + x] = value }
      }
    }
    damage = nil
  }
}
