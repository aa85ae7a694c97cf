// One picture: its state while slices are decoded, block by block, and what becomes of the samples then.

internal import ImageCore
internal import PixelPlanes

/// Decodes the slices of one picture.
///
/// `decodeSegment` (Slices/) reads coding tree blocks, `decodeTree` (CodingTree/) divides them into blocks that are
/// predicted (Intra/) and to which residuals are added (Residual/, Transform/); `filterRows` (Filters/) deblocks rows of
/// tree blocks and writes them to the result.
struct PictureDecoder: ~Copyable, Sendable {
  let parameters: CodingParameters
  let layout: TileLayout
  let weights: [UInt8]
  let chromaOffsets: [(cb: Int, cr: Int)]
  /// The conformance window.
  let columns: Range<Int>
  let rows: Range<Int>

  var buffer: SampleBuffer
  var map: BlockMap
  var result: PlanarPicture
  /// The slices in the order of their headers.
  var slices: [SliceParameters] = []
  /// Of each coding tree block, in raster order.
  var treeBlocks: [TreeBlock]
  var decodedBlockCount = 0
  /// The place in decoding order after the last block that was decoded.
  var nextPlace = 0
  var filters: FilterProgress
  /// Bytes that are charged besides the result.
  var workingByteCount: Int

  // The current slice segment.
  var slice = SliceParameters()
  var cabac = CABACDecoder(end: 0)
  var models = ContextModels(qp: 26)
  var wavefrontModels = ContextModels(qp: 26)
  var segmentModels = ContextModels(qp: 26)
  /// Why the current block cannot be decoded.
  var damage: StaticString?

  // The current blocks.
  var tree = TreePosition()
  var neighbours: BlockNeighbours
  var quantization = QuantizationState()
  var unit = CodingUnit()
  var coefficients = [Int16](repeating: 0, count: 1024)
  var residuals = [Int16](repeating: 0, count: 1024)
  var lumaResiduals: [Int16]
  var wide: WideResiduals
  var transformScratch = [Int16](repeating: 0, count: transformScratchCount)
  var intraScratch = [UInt16](repeating: 0, count: intraScratchCount)

  /// - Throws: ``CodecError/Kind/limitExceeded``, ``CodecError/Kind/malformed``.
  init(
    _ sequence: SequenceParameterSet, _ picture: PictureParameterSet, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let parameters = CodingParameters(sequence, picture)
    try Self.checkWork(ofPicture: sequence, parameters, &budget)
    var result = try PlanarPicture(
      width: sequence.columns.count, height: sequence.rows.count, bitDepth: sequence.bitDepth,
      chromaFormat: sequence.chromaFormat, coding: sequence.coding, budget: &budget)
    result.colorSpace = sequence.usability.codePoints.map(ColorSpace.codePoints) ?? .unspecified
    let resultByteCount = budget.heldByteCount
    let buffer = try SampleBuffer(parameters, &budget)
    let layout = try TileLayout(sequence, picture, &budget)
    let map = try BlockMap(parameters, &budget)
    let count = layout.columnCount * layout.rowCount
    try budget.allocate(count: count, bytesEach: MemoryLayout<TreeBlock>.stride)
    try budget.allocate(Self.fixedByteCount + (parameters.width / 8) * (MemoryLayout<FilterEdge>.stride + 1))
    var weights: [UInt8] = []
    if let lists = sequence.scalingLists {
      try budget.chargeWork(ScalingLists.workOfFactors)
      weights = (picture.scalingLists ?? lists).factors(hasFullChroma: sequence.chromaFormat == .yuv444)
    }
    workingByteCount = budget.heldByteCount - resultByteCount
    self.parameters = parameters
    (columns, rows) = (sequence.columns, sequence.rows)
    self.weights = weights
    chromaOffsets = picture.chromaOffsets
    (self.result, self.buffer, self.layout, self.map) = (result, buffer, layout, map)
    treeBlocks = [TreeBlock](repeating: TreeBlock(), count: count)
    neighbours = BlockNeighbours(width: parameters.width)
    lumaResiduals = parameters.hasCrossComponentPrediction ? [Int16](repeating: 0, count: 1024) : []
    wide = parameters.isWide ? WideResiduals() : WideResiduals.none
    filters = FilterProgress(parameters)
  }

  /// The decoder of a thread that decodes single rows of a picture. Its result has only one sample.
  init(_ seed: LaneSeed, _ budget: inout ResourceBudget) throws(CodecError) {
    let parameters = seed.parameters
    let result = try PlanarPicture(
      width: 1, height: 1, bitDepth: parameters.bitDepth, chromaFormat: .monochrome, budget: &budget)
    let buffer = try SampleBuffer(windowOf: parameters, &budget)
    let map = try BlockMap(parameters, &budget)
    self.parameters = parameters
    (layout, weights, chromaOffsets, slice) = (seed.layout, seed.weights, seed.chromaOffsets, seed.slice)
    (columns, rows, workingByteCount) = (0..<1, 0..<1, 0)
    (self.result, self.buffer, self.map) = (result, buffer, map)
    slices = [seed.slice]
    treeBlocks = [TreeBlock](repeating: TreeBlock(), count: layout.columnCount * layout.rowCount)
    neighbours = BlockNeighbours(width: parameters.width)
    lumaResiduals = parameters.hasCrossComponentPrediction ? [Int16](repeating: 0, count: 1024) : []
    wide = parameters.isWide ? WideResiduals() : WideResiduals.none
    filters = FilterProgress(parameters)
  }

  /// Raises the work limit for a picture, and refuses one whose blocks are known to exceed it: deep samples cost much, and
  /// hardly any bytes.
  private static func checkWork(
    ofPicture sequence: SequenceParameterSet, _ parameters: CodingParameters, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    budget.allowWork(
      forPixelCount: try budget.limits.checkedByteCount(
        width: sequence.width, height: sequence.height, bytesPerPixel: 1, format: budget.format))
    let work = work(ofPicture: parameters)
    guard work <= budget.availableWork else {
      throw CodecError(
        .limitExceeded,
        "\(sequence.width) × \(sequence.height) samples of \(sequence.bitDepth) bits take \(work) units of work, and \(budget.availableWork) are left",
        format: budget.format)
    }
  }

  /// The work for all blocks of a picture.
  static func work(ofPicture parameters: CodingParameters) -> Int64 {
    Int64(parameters.treeBlockColumns) * Int64(parameters.treeBlockRows) * Int64(workPerBlock(parameters))
  }

  /// Working memory whose size does not depend on the picture.
  static let fixedByteCount = 64 << 10

  /// Coding tree blocks of the picture.
  var blockCount: Int { treeBlocks.count }
  var isComplete: Bool { decodedBlockCount == treeBlocks.count }
}

/// What is kept of a coding tree block.
struct TreeBlock {
  /// `SliceAddrRs`; −1 if the block has not been decoded.
  var sliceAddress: Int32 = -1
  /// The index of its slice.
  var slice: Int32 = 0
  var offsets = SAOParameters()

  var isDecoded: Bool { sliceAddress >= 0 }
}

/// The current coding tree block and which of its neighbours are available.
struct TreePosition {
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

/// What is known of the blocks at the left and above.
struct BlockNeighbours {
  /// The depths of coding blocks above, for each eight columns of the picture; at the left, for eight rows each of a tree
  /// block.
  var depthsAbove: [UInt8]
  var depthsLeft = InlineArray<8, UInt8>(repeating: 0)
  /// The luma modes above and at the left, for each four columns or rows of a tree block.
  var modesAbove = InlineArray<16, UInt8>(repeating: 1)
  var modesLeft = InlineArray<16, UInt8>(repeating: 1)

  init(width: Int) {
    depthsAbove = [UInt8](repeating: 0, count: (width + 7) / 8)
  }
}
