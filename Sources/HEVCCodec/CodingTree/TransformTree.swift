// The division of coding units into transform blocks (sections 7.3.8.8 and 7.3.8.10).

/// A square of the transform tree.
struct TransformNode {
  var x: Int
  var y: Int
  /// The parent's place, where the chroma of four small luma blocks is.
  var baseX: Int
  var baseY: Int
  var log2Size: Int
  var depth: Int
  /// Which quarter of its parent it is.
  var index: Int
  /// `cbf_cb` and `cbf_cr`: bit 0 for the block, or its upper half in 4:2:2; bit 1 for the lower half.
  var cb: Int
  var cr: Int
}

extension PictureDecoder {
  /// Decodes a square of transform blocks. Squares are halved at most four times.
  mutating func decodeTransformTree(_ node: TransformNode, _ bytes: Span<UInt8>) {
    let (log2Size, depth) = (node.log2Size, node.depth)
    let isPartitioned = unit.isPartitioned
    let isSplit: Bool
    if log2Size <= parameters.log2MaximumTransform, log2Size > parameters.log2MinimumTransform,
      depth < parameters.maximumTransformDepth &+ (isPartitioned ? 1 : 0), !(isPartitioned && depth == 0)
    {
      isSplit = cabac.decode(ContextIndex.splitTransform &+ 5 &- log2Size, &models, bytes) == 1
    } else {
      isSplit = log2Size > parameters.log2MaximumTransform || isPartitioned && depth == 0
    }

    var (cb, cr) = (node.cb, node.cr)
    let chromaType = parameters.chromaType
    if log2Size > 2 && chromaType > 0 || chromaType == 3 {
      let hasTwo = chromaType == 2 && (!isSplit || log2Size == 3)
      if cb != 0 { cb = readCodedFlags(depth: depth, hasTwo: hasTwo, bytes) }
      if cr != 0 { cr = readCodedFlags(depth: depth, hasTwo: hasTwo, bytes) }
    } else if chromaType == 0 {
      (cb, cr) = (0, 0)
    }

    guard isSplit else {
      let isCoded = cabac.decode(ContextIndex.codedLuma &+ (depth == 0 ? 1 : 0), &models, bytes) == 1
      var leaf = node
      (leaf.cb, leaf.cr) = (cb, cr)
      decodeTransformUnit(leaf, isLumaCoded: isCoded, bytes)
      return
    }
    let half = (1 &<< log2Size) &>> 1
    for index in 0..<4 {
      decodeTransformTree(
        TransformNode(
          x: node.x &+ (index & 1) &* half, y: node.y &+ (index &>> 1) &* half, baseX: node.x, baseY: node.y,
          log2Size: log2Size &- 1, depth: depth &+ 1, index: index, cb: cb, cr: cr), bytes)
      guard damage == nil else { return }
    }
  }

  private mutating func readCodedFlags(depth: Int, hasTwo: Bool, _ bytes: Span<UInt8>) -> Int {
    let first = cabac.decode(ContextIndex.codedChroma &+ depth, &models, bytes)
    guard hasTwo else { return first }
    return first | cabac.decode(ContextIndex.codedChroma &+ depth, &models, bytes) &<< 1
  }

  /// Predicts a transform block of luma and those of chroma that belong to it, and adds their residuals.
  private mutating func decodeTransformUnit(_ node: TransformNode, isLumaCoded: Bool, _ bytes: Span<UInt8>) {
    if isLumaCoded || node.cb | node.cr != 0 {
      if parameters.log2QuantizationGroup < 7, !quantization.isDeltaCoded { readQPDelta(bytes) }
      if slice.hasBlockChromaOffsets, node.cb | node.cr != 0, !unit.isBypass, !quantization.isChromaOffsetCoded {
        readChromaOffsets(bytes)
      }
    }
    map.markEdges(
      x: node.x, y: node.y, log2Size: node.log2Size, left: node.x > tree.x ? tree.filtersInside : tree.filtersLeft,
      top: node.y > tree.y ? tree.filtersInside : tree.filtersTop)

    let part = unit.isPartitioned ? partIndex(x: node.x, y: node.y) : 0
    let lumaMode = Int(unit.lumaModes[part])
    predict(0, x: node.x, y: node.y, log2Size: node.log2Size, mode: lumaMode)
    let hasChromaPrediction = parameters.hasCrossComponentPrediction && unit.isChromaDerived[part]
    if isLumaCoded {
      decodeResidual(0, x: node.x, y: node.y, log2Size: node.log2Size, mode: lumaMode, bytes)
      if hasChromaPrediction { keepLumaResiduals(log2Size: node.log2Size) }
    }
    if parameters.chromaType == 3 {
      decodeFullChroma(node, mode: Int(unit.chromaModes[part]), isPredicted: hasChromaPrediction && isLumaCoded, bytes)
    } else if parameters.chromaType > 0 {
      if node.log2Size > 2 {
        decodeChroma(node, x: node.x, y: node.y, log2Size: node.log2Size &- 1, bytes)
      } else if node.index == 3 {
        decodeChroma(node, x: node.baseX, y: node.baseY, log2Size: 2, bytes)
      }
    }
  }

  private func partIndex(x: Int, y: Int) -> Int {
    let half = (1 &<< unit.log2Size) &>> 1
    return (x >= unit.x &+ half ? 1 : 0) | (y >= unit.y &+ half ? 2 : 0)
  }

  /// Chroma of fewer samples than luma.
  private mutating func decodeChroma(_ node: TransformNode, x: Int, y: Int, log2Size: Int, _ bytes: Span<UInt8>) {
    let mode = Int(unit.chromaModes[0])
    let blockCount = parameters.chromaType == 2 ? 2 : 1
    let (chromaX, chromaY) = (x &>> 1, y &>> parameters.chromaShiftY)
    for component in 1...2 {
      let coded = component == 1 ? node.cb : node.cr
      for block in 0..<blockCount {
        let blockY = chromaY &+ block &<< log2Size
        predict(component, x: chromaX, y: blockY, log2Size: log2Size, mode: mode)
        if (coded &>> block) & 1 == 1 {
          decodeResidual(component, x: chromaX, y: blockY, log2Size: log2Size, mode: mode, bytes)
        }
      }
    }
  }

  /// Chroma of as many samples as luma.
  private mutating func decodeFullChroma(
    _ node: TransformNode, mode: Int, isPredicted: Bool, _ bytes: Span<UInt8>
  ) {
    for component in 1...2 {
      let scale = isPredicted ? readResidualScale(component, bytes) : 0
      predict(component, x: node.x, y: node.y, log2Size: node.log2Size, mode: mode)
      let isCoded = (component == 1 ? node.cb : node.cr) != 0
      if isCoded || scale != 0 {
        decodeResidual(
          component, x: node.x, y: node.y, log2Size: node.log2Size, mode: mode, isCoded: isCoded, lumaScale: scale,
          bytes)
      }
    }
  }

  /// `cross_comp_pred` (section 7.3.8.12): the eighths of luma's residuals that are added to chroma's.
  private mutating func readResidualScale(_ component: Int, _ bytes: Span<UInt8>) -> Int {
    var magnitude = 0
    while magnitude < 4,
      cabac.decode(
        ContextIndex.residualScale &+ 4 &* (component &- 1) &+ magnitude, &models, bytes) == 1
    { magnitude += 1 }
    guard magnitude > 0 else { return 0 }
    let isNegative = cabac.decode(ContextIndex.residualScaleSign &+ component &- 1, &models, bytes) == 1
    return isNegative ? -(1 << (magnitude - 1)) : 1 << (magnitude - 1)
  }
}
