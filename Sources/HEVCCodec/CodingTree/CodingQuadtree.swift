// The division of coding tree blocks into coding blocks (section 7.3.8.4).

extension PictureDecoder {
  /// Decodes a square of coding blocks. Squares are halved at most three times.
  mutating func decodeTree(x: Int, y: Int, log2Size: Int, depth: Int, _ bytes: Span<UInt8>) {
    let size = 1 &<< log2Size
    let isSplit: Bool
    if x &+ size <= parameters.width, y &+ size <= parameters.height, log2Size > parameters.log2MinimumCodingBlock {
      isSplit = readSplit(x: x, y: y, depth: depth, bytes)
    } else {
      isSplit = log2Size > parameters.log2MinimumCodingBlock
    }
    if log2Size >= parameters.log2QuantizationGroup { startQuantizationGroup(x: x, y: y) }
    if log2Size >= parameters.log2ChromaOffsetGroup { quantization.isChromaOffsetCoded = false }
    guard isSplit else {
      decodeUnit(x: x, y: y, log2Size: log2Size, depth: depth, bytes)
      return
    }
    let half = size &>> 1
    let (right, bottom) = (x &+ half, y &+ half)
    decodeTree(x: x, y: y, log2Size: log2Size &- 1, depth: depth &+ 1, bytes)
    guard damage == nil else { return }
    if right < parameters.width { decodeTree(x: right, y: y, log2Size: log2Size &- 1, depth: depth &+ 1, bytes) }
    guard damage == nil else { return }
    if bottom < parameters.height { decodeTree(x: x, y: bottom, log2Size: log2Size &- 1, depth: depth &+ 1, bytes) }
    guard damage == nil, right < parameters.width, bottom < parameters.height else { return }
    decodeTree(x: right, y: bottom, log2Size: log2Size &- 1, depth: depth &+ 1, bytes)
  }

  private mutating func readSplit(x: Int, y: Int, depth: Int, _ bytes: Span<UInt8>) -> Bool {
    var context = ContextIndex.splitCodingUnit
    if x > tree.x || tree.hasLeft, Int(neighbours.depthsLeft[(y &>> 3) & 7]) > depth { context &+= 1 }
    if y > tree.y || tree.hasTop, Int(neighbours.depthsAbove[x &>> 3]) > depth { context &+= 1 }
    return cabac.decode(context, &models, bytes) == 1
  }
}
