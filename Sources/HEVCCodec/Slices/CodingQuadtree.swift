// The division of coding tree blocks into coding units (section 7.3.8.4).

extension SliceDecoder {
  /// Decodes a square of coding units. Squares are halved at most three times.
  mutating func decodeQuadtree(
    x: Int, y: Int, log2Size: Int, depth: Int, _ picture: inout DecodedPicture, _ bytes: Span<UInt8>
  ) {
    let size = 1 &<< log2Size
    let isSplit: Bool
    if x &+ size <= parameters.width, y &+ size <= parameters.height, log2Size > parameters.log2MinimumCodingBlock {
      isSplit = readSplit(x: x, y: y, depth: depth, bytes)
    } else {
      isSplit = log2Size > parameters.log2MinimumCodingBlock
    }
    if log2Size >= parameters.log2QuantizationGroup { startQuantizationGroup(x: x, y: y, picture) }
    if log2Size >= parameters.log2ChromaOffsetGroup { quantization.isChromaOffsetCoded = false }
    guard isSplit else {
      decodeCodingUnit(x: x, y: y, log2Size: log2Size, depth: depth, &picture, bytes)
      return
    }
    let half = size &>> 1
    for part in 0..<4 {
      let (partX, partY) = (x &+ (part & 1) &* half, y &+ (part &>> 1) &* half)
      guard partX < parameters.width, partY < parameters.height else { continue }
      decodeQuadtree(x: partX, y: partY, log2Size: log2Size &- 1, depth: depth &+ 1, &picture, bytes)
      guard damage == nil else { return }
    }
  }

  private mutating func readSplit(x: Int, y: Int, depth: Int, _ bytes: Span<UInt8>) -> Bool {
    var context = ContextIndex.splitCodingUnit
    if x > position.x || position.hasLeft, Int(neighbours.depthsLeft[(y &>> 3) & 7]) > depth { context &+= 1 }
    if y > position.y || position.hasTop, Int(neighbours.depthsAbove[x &>> 3]) > depth { context &+= 1 }
    return cabac.decode(context, &models, bytes) == 1
  }
}
