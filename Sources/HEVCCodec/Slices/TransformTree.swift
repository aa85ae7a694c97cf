// The division of coding units into transform units (sections 7.3.8.8 and 7.3.8.10).

/// A transform unit (TU), or a square of the transform tree that is divided into several.
struct TransformUnit {
  var x: Int
  var y: Int
  /// The parent's place, where the chroma of four small luma blocks is.
  var baseX: Int
  var baseY: Int
  var log2Size: Int
  var depth: Int
  /// The index of the quarter of its parent, `blkIdx`.
  var index: Int
  /// `cbf_cb` and `cbf_cr`: bit 0 for the block, or its upper half in 4:2:2; bit 1 for the lower half.
  var cb: Int
  var cr: Int
}

@inline(__always)
private func readBlock(
  _ cabac: inout CABACDecoder, _ models: inout ContextModels, _ bytes: Span<UInt8>, _ block: ResidualBlock,
  _ tools: ResidualTools, _ weights: [UInt8], at start: Int, into coefficients: inout [Int16]
) -> ResidualExtent {
  var target = coefficients.mutableSpan
  return readResidual(
    &cabac, &models, bytes, block, tools, weights: weights.span.extracting(start..<weights.count), into: &target)
}

extension SliceDecoder {
  /// Decodes a square of transform units. Squares are halved at most four times.
  mutating func decodeTransformTree(
    _ node: TransformUnit, _ picture: inout DecodedPicture, _ bytes: Span<UInt8>
  ) {
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
      decodeTransformUnit(leaf, isLumaCoded: isCoded, &picture, bytes)
      return
    }
    let half = (1 &<< log2Size) &>> 1
    for index in 0..<4 {
      decodeTransformTree(
        TransformUnit(
          x: node.x &+ (index & 1) &* half, y: node.y &+ (index &>> 1) &* half, baseX: node.x, baseY: node.y,
          log2Size: log2Size &- 1, depth: depth &+ 1, index: index, cb: cb, cr: cr), &picture, bytes)
      guard damage == nil else { return }
    }
  }

  private mutating func readCodedFlags(depth: Int, hasTwo: Bool, _ bytes: Span<UInt8>) -> Int {
    let first = cabac.decode(ContextIndex.codedChroma &+ depth, &models, bytes)
    guard hasTwo else { return first }
    return first | cabac.decode(ContextIndex.codedChroma &+ depth, &models, bytes) &<< 1
  }

  /// Predicts the blocks of a transform unit and adds their residuals.
  private mutating func decodeTransformUnit(
    _ node: TransformUnit, isLumaCoded: Bool, _ picture: inout DecodedPicture, _ bytes: Span<UInt8>
  ) {
    if isLumaCoded || node.cb | node.cr != 0 {
      if parameters.log2QuantizationGroup < 7, !quantization.isDeltaCoded { readQPDelta(bytes) }
      if slice.hasBlockChromaOffsets, node.cb | node.cr != 0, !unit.isBypass, !quantization.isChromaOffsetCoded {
        readChromaOffsets(picture.chromaOffsets, bytes)
      }
    }
    markEdges(x: node.x, y: node.y, log2Size: node.log2Size, &picture.blocks)

    let part = unit.isPartitioned ? partIndex(x: node.x, y: node.y) : 0
    let lumaMode = Int(unit.lumaModes[part])
    predict(0, x: node.x, y: node.y, log2Size: node.log2Size, mode: lumaMode, &picture)
    let hasChromaPrediction = parameters.hasCrossComponentPrediction && unit.isChromaDerived[part]
    if isLumaCoded {
      decodeResidual(0, x: node.x, y: node.y, log2Size: node.log2Size, mode: lumaMode, &picture, bytes)
      if hasChromaPrediction { reconstruction.keepLumaResiduals(log2Size: node.log2Size) }
    }
    if parameters.chromaType == 3 {
      decodeFullChroma(
        node, mode: Int(unit.chromaModes[part]), isPredicted: hasChromaPrediction && isLumaCoded, &picture, bytes)
    } else if parameters.chromaType > 0 {
      if node.log2Size > 2 {
        decodeChroma(node, x: node.x, y: node.y, log2Size: node.log2Size &- 1, &picture, bytes)
      } else if node.index == 3 {
        decodeChroma(node, x: node.baseX, y: node.baseY, log2Size: 2, &picture, bytes)
      }
    }
  }

  private func partIndex(x: Int, y: Int) -> Int {
    let half = (1 &<< unit.log2Size) &>> 1
    return (x >= unit.x &+ half ? 1 : 0) | (y >= unit.y &+ half ? 2 : 0)
  }

  /// Decodes the chroma blocks of 4:2:0 and 4:2:2.
  private mutating func decodeChroma(
    _ node: TransformUnit, x: Int, y: Int, log2Size: Int, _ picture: inout DecodedPicture, _ bytes: Span<UInt8>
  ) {
    let mode = Int(unit.chromaModes[0])
    let blockCount = parameters.chromaType == 2 ? 2 : 1
    let (chromaX, chromaY) = (x &>> 1, y &>> parameters.chromaShiftY)
    for component in 1...2 {
      let coded = component == 1 ? node.cb : node.cr
      for block in 0..<blockCount {
        let blockY = chromaY &+ block &<< log2Size
        predict(component, x: chromaX, y: blockY, log2Size: log2Size, mode: mode, &picture)
        if (coded &>> block) & 1 == 1 {
          decodeResidual(component, x: chromaX, y: blockY, log2Size: log2Size, mode: mode, &picture, bytes)
        }
      }
    }
  }

  /// Decodes the chroma blocks of 4:4:4.
  private mutating func decodeFullChroma(
    _ node: TransformUnit, mode: Int, isPredicted: Bool, _ picture: inout DecodedPicture, _ bytes: Span<UInt8>
  ) {
    for component in 1...2 {
      let scale = isPredicted ? readResidualScale(component, bytes) : 0
      predict(component, x: node.x, y: node.y, log2Size: node.log2Size, mode: mode, &picture)
      let isCoded = (component == 1 ? node.cb : node.cr) != 0
      if isCoded || scale != 0 {
        decodeResidual(
          component, x: node.x, y: node.y, log2Size: node.log2Size, mode: mode, isCoded: isCoded, lumaScale: scale,
          &picture, bytes)
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

  /// Marks the edges of a transform block that are deblocked.
  @inline(__always)
  func markEdges(x: Int, y: Int, log2Size: Int, _ blocks: inout BlockMap) {
    blocks.markEdges(
      x: x, y: y, log2Size: log2Size, left: x > position.x ? position.filtersInside : position.filtersLeft,
      top: y > position.y ? position.filtersInside : position.filtersTop)
  }

  @inline(__always)
  private mutating func predict(
    _ component: Int, x: Int, y: Int, log2Size: Int, mode: Int, _ picture: inout DecodedPicture
  ) {
    reconstruction.predict(
      component, x: x, y: y, log2Size: log2Size, mode: mode, isBypass: unit.isBypass, position, &picture.samples)
  }

  /// Reads the residuals of a block and adds them to its prediction.
  ///
  /// - Parameters:
  ///   - x, y: of the block, in samples of the component.
  ///   - mode: of the prediction.
  ///   - isCoded: whether there are coefficients.
  ///   - lumaScale: the eighths of luma's residuals that are added.
  private mutating func decodeResidual(
    _ component: Int, x: Int, y: Int, log2Size: Int, mode: Int, isCoded: Bool = true, lumaScale: Int = 0,
    _ picture: inout DecodedPicture, _ bytes: Span<UInt8>
  ) {
    var block = ResidualBlock(component: component, log2Size: log2Size, mode: mode, isBypass: unit.isBypass)
    if log2Size == 2 || log2Size == 3 && (component == 0 || parameters.chromaType == 3) {
      block.scan = (6...14).contains(mode) ? 2 : (22...30).contains(mode) ? 1 : 0
    }
    (block.scale, block.shift) = scaling(component, log2Size: log2Size)
    block.hasWeights = parameters.hasWeights
    var extent: ResidualExtent?
    if isCoded {
      let start = block.hasWeights ? ((log2Size &- 2) &* 3 &+ component) &* ScalingLists.blockByteCount : 0
      extent = readBlock(
        &cabac, &models, bytes, block, parameters.tools, picture.weights, at: start,
        into: &reconstruction.coefficients)
    }
    reconstruction.addResidual(block, extent, lumaScale: lumaScale, x: x, y: y, to: &picture.samples)
  }
}
