// The coding tree units of slice segments (section 7.3.8) and the state of entropy decoding between them (section
// 9.3.1).

internal import ImageCoding

/// Decodes the coding tree blocks (CTBs) of slice segments: their syntax, and through ``BlockReconstruction`` their
/// samples.
struct SliceDecoder: Sendable {
  let parameters: CodingParameters
  var reconstruction: BlockReconstruction

  // The slice segment.
  var slice = SliceParameters()
  var cabac = CABACDecoder(end: 0)
  var models = ContextModels(qp: 26)
  /// The models after the second CTB of a row, and at the end of the preceding slice segment.
  var wavefrontModels = ContextModels(qp: 26)
  private var segmentModels = ContextModels(qp: 26)
  private var isDependent = false
  /// Whether no CTB has been decoded since ``start(_:at:byteCount:_:)``.
  private var isAtStart = true
  /// The reason for which the current CTB cannot be decoded.
  var damage: StaticString?

  // The current blocks.
  var position = CodingTreeBlockPosition()
  var neighbours: BlockNeighbours
  var quantization = QuantizationState()
  var unit = CodingUnit()

  init(_ parameters: CodingParameters, _ budget: inout ResourceBudget) throws(CodecError) {
    self.parameters = parameters
    reconstruction = try BlockReconstruction(parameters, &budget)
    try budget.allocate((parameters.width + 7) / 8)
    neighbours = BlockNeighbours(width: parameters.width)
  }

  /// Starts a slice segment, or a row of CTBs in it.
  ///
  /// - Parameters:
  ///   - index: of the first byte of entropy-coded data.
  ///   - byteCount: of the payload.
  ///   - bytes: the payload and padding.
  mutating func start(_ header: SliceHeader, at index: Int, byteCount: Int, _ bytes: Span<UInt8>) {
    slice = header.parameters
    isDependent = header.isDependent
    isAtStart = true
    damage = nil
    // The offsets of a slice continue in its dependent segments.
    if !isDependent { (quantization.cbOffset, quantization.crOffset) = (0, 0) }
    cabac = CABACDecoder(end: byteCount)
    cabac.restart(at: index, bytes)
  }

  /// Decodes a CTB. If it is damaged, ``damage`` is set.
  mutating func decodeCodingTreeBlock(_ address: Int, _ picture: inout DecodedPicture, _ bytes: Span<UInt8>) {
    position = picture.startCodingTreeBlock(address, slice)
    neighbours.modesAbove = InlineArray(repeating: 1)
    if !position.hasLeft { neighbours.modesLeft = InlineArray(repeating: 1) }
    let column = picture.layout.columnInTile(address)
    prepareModels(isFirstInTile: picture.layout.isFirstInTile(address), column: column, bytes)
    guard damage == nil else { return }
    if slice.isSAOLumaEnabled || slice.isSAOChromaEnabled { picture[address].offsets = readSAO(picture, bytes) }
    decodeQuadtree(x: position.x, y: position.y, log2Size: parameters.log2CodingTreeBlock, depth: 0, &picture, bytes)
    if cabac.isExhausted, damage == nil { damage = "a slice segment ends early" }
    if parameters.isWavefront, column == 1 { wavefrontModels = models }
  }

  /// Reads `end_of_slice_segment_flag`.
  mutating func readEnd(_ bytes: Span<UInt8>) -> Bool {
    guard cabac.decodeTerminate(bytes) else { return false }
    segmentModels = models
    return true
  }

  /// Initializes or synchronizes the models before the CTBs that require it.
  ///
  /// - Parameter column: the column of the CTB in its tile.
  private mutating func prepareModels(isFirstInTile: Bool, column: Int, _ bytes: Span<UInt8>) {
    let isFirstInRow = parameters.isWavefront && column == 0
    if !isAtStart, isFirstInTile || isFirstInRow {
      guard cabac.decodeTerminate(bytes) else {
        damage = "end_of_subset_one_bit is 0"
        return
      }
      cabac.restart(at: cabac.alignedIndex, bytes)
    }
    if isFirstInTile || isFirstInRow || isAtStart && !isDependent {
      // A row continues with the models after the second CTB of the row above, if that is in its slice and tile.
      models = isFirstInRow && position.hasTopRight ? wavefrontModels : ContextModels(qp: slice.qp)
      (quantization.qp, quantization.previous) = (slice.qp, slice.qp)
    } else if isAtStart {
      models = segmentModels
    }
    isAtStart = false
  }
}

/// The depths and the modes of the blocks at the left and above.
struct BlockNeighbours {
  /// The depths of coding blocks above, for each eight columns of the picture; at the left, for eight rows each of a
  /// CTB.
  var depthsAbove: [UInt8]
  var depthsLeft = InlineArray<8, UInt8>(repeating: 0)
  /// The luma modes above and at the left, for each four columns or rows of a CTB.
  var modesAbove = InlineArray<16, UInt8>(repeating: 1)
  var modesLeft = InlineArray<16, UInt8>(repeating: 1)

  init(width: Int) {
    depthsAbove = [UInt8](repeating: 0, count: (width + 7) / 8)
  }
}
