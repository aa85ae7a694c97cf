// A picture in decoding: the values that its blocks are decoded with, its samples, and the state of its blocks.

internal import ImageCoding
internal import PixelPlanes

/// The state of a coding tree block (CTB) that its neighbours and the filters read.
struct CodingTreeBlock {
  /// `SliceAddrRs`; −1 if the CTB has not been decoded.
  var sliceAddress: Int32 = -1
  /// The index of its slice.
  var slice: Int32 = 0
  var offsets = SAOParameters()

  var isDecoded: Bool { sliceAddress >= 0 }
}

/// The position of the current CTB, the availability of its neighbours (section 6.4.1), and its edges to deblock.
struct CodingTreeBlockPosition {
  var address = 0
  /// The first luma column and row.
  var x = 0
  var y = 0
  var hasLeft = false
  var hasTop = false
  var hasTopLeft = false
  var hasTopRight = false
  /// Whether the edges at the left and at the top are deblocked, and those inside.
  var filtersLeft = false
  var filtersTop = false
  var filtersInside = false
}

/// A picture in decoding, or one row of its CTBs in the memory of a thread.
struct DecodedPicture: Sendable {
  let parameters: CodingParameters
  let layout: TileLayout
  /// Scaling factors of coefficients; empty for flat ones.
  let weights: [UInt8]
  /// `cb_qp_offset_list` and `cr_qp_offset_list`.
  let chromaOffsets: [(cb: Int, cr: Int)]

  var samples: SampleBuffer
  var blocks: BlockMap
  /// The slices in the order of their headers.
  private(set) var slices: [SliceParameters] = []
  /// In raster order, from ``firstAddress`` on.
  private var codingTreeBlocks: [CodingTreeBlock]
  /// In a row, the address of the first CTB of the row above.
  private var firstAddress = 0
  private(set) var decodedCount = 0
  /// The place in decoding order after the last CTB that was decoded.
  private(set) var nextPlace = 0

  /// - Throws: `CodecError.Kind.limitExceeded`, `CodecError.Kind.malformed`.
  init(
    _ sequence: SequenceParameterSet, _ picture: PictureParameterSet, _ parameters: CodingParameters,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    self.parameters = parameters
    samples = try SampleBuffer(parameters, &budget)
    layout = try TileLayout(sequence, picture, &budget)
    blocks = try BlockMap(parameters, &budget)
    let count = sequence.codingTreeBlockCount
    try budget.allocate(count: count, bytesEach: MemoryLayout<CodingTreeBlock>.stride)
    codingTreeBlocks = [CodingTreeBlock](repeating: CodingTreeBlock(), count: count)
    chromaOffsets = picture.chromaOffsets
    if let lists = sequence.scalingLists {
      try budget.allocate(ScalingLists.factorByteCount)
      try budget.chargeWork(ScalingLists.factorByteCount)
      weights = (picture.scalingLists ?? lists).factors(hasFullChroma: sequence.chromaFormat == .yuv444)
    } else {
      weights = []
    }
  }

  /// Memory for one row of CTBs of a picture at a time, and for the samples and the CTBs above it.
  init(rowOf picture: DecodedPicture, _ budget: inout ResourceBudget) throws(CodecError) {
    (parameters, layout) = (picture.parameters, picture.layout)
    (weights, chromaOffsets, slices) = (picture.weights, picture.chromaOffsets, picture.slices)
    samples = try SampleBuffer(parameters, isRow: true, &budget)
    blocks = try BlockMap(parameters, isRow: true, &budget)
    let count = 2 * layout.columnCount
    try budget.allocate(count: count, bytesEach: MemoryLayout<CodingTreeBlock>.stride)
    codingTreeBlocks = [CodingTreeBlock](repeating: CodingTreeBlock(), count: count)
  }

  /// The number of CTBs of the picture.
  var count: Int { layout.rasterAddresses.count }

  /// The CTB of a raster address.
  subscript(address: Int) -> CodingTreeBlock {
    get { codingTreeBlocks[address &- firstAddress] }
    set { codingTreeBlocks[address &- firstAddress] = newValue }
  }

  mutating func append(_ slice: SliceParameters, _ budget: inout ResourceBudget) throws(CodecError) {
    try budget.allocate(count: 1, bytesEach: MemoryLayout<SliceParameters>.stride)
    slices.append(slice)
  }

  // MARK: Coding tree blocks

  /// Assigns a CTB to the last slice.
  ///
  /// - Returns: its position, and which neighbours are in its slice and tile.
  mutating func startCodingTreeBlock(_ address: Int, _ slice: SliceParameters) -> CodingTreeBlockPosition {
    let columnCount = layout.columnCount
    let (column, row) = (address % columnCount, address / columnCount)
    func isAvailable(_ neighbour: Int) -> Bool {
      self[neighbour].sliceAddress == slice.address && layout.tiles[neighbour] == layout.tiles[address]
    }
    func filtersEdge(_ neighbour: Int) -> Bool {
      self[neighbour].isDecoded && (slice.filtersAcross || self[neighbour].sliceAddress == slice.address)
        && (parameters.filtersAcrossTiles || layout.tiles[neighbour] == layout.tiles[address])
    }
    var position = CodingTreeBlockPosition()
    position.address = address
    (position.x, position.y) = (column << parameters.log2CodingTreeBlock, row << parameters.log2CodingTreeBlock)
    position.hasLeft = column > 0 && isAvailable(address - 1)
    position.hasTop = row > 0 && isAvailable(address - columnCount)
    position.hasTopLeft = row > 0 && column > 0 && isAvailable(address - columnCount - 1)
    position.hasTopRight = row > 0 && column + 1 < columnCount && isAvailable(address - columnCount + 1)
    position.filtersInside = !slice.isDeblockingDisabled
    position.filtersLeft = position.filtersInside && column > 0 && filtersEdge(address - 1)
    position.filtersTop = position.filtersInside && row > 0 && filtersEdge(address - columnCount)
    self[address] = CodingTreeBlock(sliceAddress: slice.address, slice: Int32(slices.count - 1))
    return position
  }

  /// Counts a CTB as decoded.
  mutating func finishCodingTreeBlock(atPlace place: Int) {
    decodedCount += 1
    nextPlace = place + 1
  }

  /// Discards a CTB that cannot be decoded. Its samples become those of a missing one.
  mutating func discard(_ position: CodingTreeBlockPosition) {
    self[position.address] = CodingTreeBlock()
    let size = parameters.codingTreeBlockSize
    blocks.clearEdges(x: position.x, y: position.y, size: size)
    let right = min(position.x + size, parameters.width)
    let bottom = min(position.y + size, parameters.height)
    for component in 0..<parameters.componentCount {
      let shifts = parameters.shifts(component)
      for y in position.y >> shifts.y..<bottom >> shifts.y {
        let row = samples.index(component, x: 0, y: y)
        for x in position.x >> shifts.x..<right >> shifts.x {
          samples.values[row + x] = parameters.missingSample(component)
        }
      }
    }
  }

  // MARK: Rows

  /// Makes the memory of a row that of another one.
  mutating func moveToRow(_ row: Int) {
    firstAddress = (row - 1) * layout.columnCount
    samples.moveToRow(row, parameters)
    blocks.moveToRow(row, parameters)
  }

  /// Copies a row that was decoded elsewhere.
  mutating func copyRow(_ row: Int, of other: DecodedPicture) {
    let top = row << parameters.log2CodingTreeBlock
    let bottom = min(top + parameters.codingTreeBlockSize, parameters.height)
    samples.copyRows(top..<bottom, of: other.samples, parameters)
    blocks.copyRows(top / 8..<(bottom + 7) / 8, of: other.blocks)
    let first = row * layout.columnCount
    for address in first..<first + layout.columnCount { self[address] = other[address] }
    decodedCount += layout.columnCount
    nextPlace = decodedCount
  }
}
