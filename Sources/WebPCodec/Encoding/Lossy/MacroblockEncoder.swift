// The mode decision of a macroblock by rate and distortion, its levels and its reconstruction.

internal import ImageCoding

/// A rate with a distortion.
private struct ModeScore {
  var distortion: Int64 = 0
  var rate: Int64 = 0

  @inline(__always)
  func value(_ multiplier: Int64) -> Int64 { rate &* multiplier &+ 256 &* distortion }
}

/// Encodes macroblocks in raster order.
struct MacroblockEncoder {
  private let effort: LossyEffort
  private let costs = BitCosts.shared
  /// The macroblock to encode, and its reconstruction with the neighbours, in the layout of ``MacroblockLayout``.
  private var source = [UInt8](repeating: 0, count: MacroblockLayout.byteCount)
  private(set) var samples = [UInt8](repeating: 0, count: MacroblockLayout.byteCount)
  private var rowAbove: RowAbove
  /// The modes of the subblocks above, four per column, and to the left.
  private var modesAbove: [UInt8]
  private var modesLeft = InlineArray<4, UInt8>(repeating: PredictionMode.dc)
  /// Levels of candidates.
  private var levels = [Int16](repeating: 0, count: CodedMacroblocks.levelsPerMacroblock)
  private var bestLevels = [Int16](repeating: 0, count: CodedMacroblocks.levelsPerMacroblock)
  private var coefficients = [Int16](repeating: 0, count: 384)
  private let noCoefficients = [Int16](repeating: 0, count: 256)
  private let zeroPair = BlockPair(r0: .zero, r1: .zero, r2: .zero, r3: .zero)
  /// Two blocks of luma each: the source, and the best reconstruction of a whole prediction.
  private var sourcePairs: [BlockPair]
  private var textures = [Int32](repeating: 0, count: 16)
  private var predictions: [BlockPair]
  private var reconstructions: [BlockPair]
  private var bestReconstructions: [BlockPair]
  private var row = 0
  /// The largest difference between blocks without AC coefficients in each segment.
  private(set) var visibleEdges = [Int](repeating: 0, count: 4)

  init(columns: Int, effort: LossyEffort) {
    self.effort = effort
    rowAbove = RowAbove(macroblockColumns: columns)
    modesAbove = [UInt8](repeating: PredictionMode.dc, count: columns * 4)
    sourcePairs = [BlockPair](repeating: zeroPair, count: 12)
    predictions = [BlockPair](repeating: zeroPair, count: 12)
    reconstructions = sourcePairs
    bestReconstructions = sourcePairs
  }

  mutating func beginRow(_ row: Int) {
    self.row = row
    modesLeft = InlineArray(repeating: PredictionMode.dc)
    if row > 0 { rowAbove.extendRight() }
  }

  /// Encodes the next macroblock of the row.
  ///
  /// - Parameters:
  ///   - header: has the segment; receives the modes.
  ///   - output: receives the levels.
  mutating func encode(
    _ picture: LossySource, column: Int, _ header: inout MacroblockHeader, _ parameters: SegmentParameters,
    _ model: TokenModel, _ contexts: TokenContexts, into output: inout MutableSpan<Int16>
  ) {
    picture.copyMacroblock(column: column, row: row, to: &source)
    rowAbove.setBorders(of: &samples, column: column, corner: row == 0 ? 127 : 129)
    loadSource()
    let edges = MacroblockEdges(hasAbove: row > 0, hasLeft: column > 0)
    let flags = contexts.flags(column: column)
    let tables = CostTables(
      levels: model.levelCosts, ends: model.endCosts, fixed: costs.fixedLevels, probabilities: model.probabilities)
    let isTrellis = effort.trellis == .always
    var score = decideWhole(&header, edges, parameters, tables, flags, isTrellis)
    if effort.subblockModeCount > 0 {
      decideSubblocks(&header, column: column, &score, parameters, tables, flags, isTrellis)
    }
    if effort.trellis == .finally {
      requantize(header, edges, parameters, tables, flags)
    }
    if !header.hasSubblocks { storeWhole() }
    decideChroma(&header, edges, parameters, tables, flags)
    keepModes(header, column: column)
    for index in 0..<output.count { output[index] = bestLevels[index] }
    header.isSkipped = !bestLevels.contains { $0 != 0 }
    rowAbove.keepLastRow(of: samples, column: column)
  }

  private mutating func keepModes(_ header: MacroblockHeader, column: Int) {
    for index in 0..<4 {
      modesAbove[column * 4 + index] = header.hasSubblocks ? header.subblockModes[12 + index] : header.lumaMode
      modesLeft[index] = header.hasSubblocks ? header.subblockModes[index * 4 + 3] : header.lumaMode
    }
  }

  private mutating func loadSource() {
    let blocks = MacroblockBlocks.luma
    for pair in 0..<8 {
      sourcePairs[pair] = loadBlocks(source.span, blocks[pair &* 2], blocks[pair &* 2 &+ 1])
      (textures[pair &* 2], textures[pair &* 2 &+ 1]) = sourcePairs[pair].textureSums()
    }
    let chroma = MacroblockBlocks.chroma
    for pair in 0..<4 {
      sourcePairs[8 &+ pair] = loadBlocks(source.span, chroma[pair &* 2], chroma[pair &* 2 &+ 1])
    }
  }

  // MARK: Whole macroblocks

  /// Decides the mode of a prediction of luma as a whole. Levels and reconstruction of the best are kept.
  private mutating func decideWhole(
    _ header: inout MacroblockHeader, _ edges: MacroblockEdges, _ parameters: SegmentParameters,
    _ tables: CostTables, _ flags: InlineArray<18, UInt8>, _ isTrellis: Bool
  ) -> Int64 {
    var best = (score: Int64.max, total: ModeScore())
    for mode in 0..<4 as Range<UInt8> {
      let score = codeWhole(mode, edges, parameters, tables, flags, isTrellis)
      let value = score.value(parameters.wholeMultiplier)
      if value < best.score {
        best = (value, score)
        header.lumaMode = mode
        swap(&levels, &bestLevels)
        swap(&reconstructions, &bestReconstructions)
      }
    }
    header.hasSubblocks = false
    noteVisibleEdges(header, best.total, parameters)
    return best.total.value(parameters.modeMultiplier)
  }

  /// Predicts, transforms, quantizes and reconstructs luma with one mode.
  private mutating func codeWhole(
    _ mode: UInt8, _ edges: MacroblockEdges, _ parameters: SegmentParameters, _ tables: CostTables,
    _ flags: InlineArray<18, UInt8>, _ isTrellis: Bool
  ) -> ModeScore {
    predictWhole(mode, edges)
    let first = transformWhole(parameters)
    if isTrellis { optimizeWhole(parameters, tables, flags) }
    return reconstructWhole(first, mode, parameters, tables, flags)
  }

  private mutating func predictWhole(_ mode: UInt8, _ edges: MacroblockEdges) {
    let zeros = noCoefficients
    var span = samples.mutableSpan
    reconstructLuma(&span, mode: mode, edges: edges, coefficients: zeros.span, codes: 0)
    let blocks = MacroblockBlocks.luma
    for pair in 0..<8 { predictions[pair] = loadBlocks(samples.span, blocks[pair &* 2], blocks[pair &* 2 &+ 1]) }
  }

  /// Transforms the differences from the prediction and quantizes them. Returns the coefficients of the Y2 block.
  private mutating func transformWhole(_ parameters: SegmentParameters) -> [16 of Int32] {
    var first = [16 of Int32](repeating: 0)
    for pair in 0..<8 {
      var transformed = (sourcePairs[pair] - predictions[pair]).forwardTransformed()
      first[pair &* 2] = Int32(transformed.r0[0])
      first[pair &* 2 &+ 1] = Int32(transformed.r0[4])
      transformed.r0[0] = 0
      transformed.r0[4] = 0
      var raw = coefficients.mutableSpan
      storeCoefficients(transformed, &raw, at: pair &* 32)
      var output = levels.mutableSpan
      storeCoefficients(parameters.luma.levels(transformed), &output, at: pair &* 32)
    }
    return first
  }

  /// Chooses the levels of all luma blocks by cost.
  private mutating func optimizeWhole(
    _ parameters: SegmentParameters, _ tables: CostTables, _ flags: InlineArray<18, UInt8>
  ) {
    var flags = flags
    let coefficients = coefficients
    for block in 0..<16 {
      let context = Int(flags[block & 3] &+ flags[9 &+ block &>> 2])
      let hasCoefficients = optimizeLevels(
        coefficients.span, at: block &* 16, &levels, kind: 0, context: context, parameters.lumaSteps, tables,
        multiplier: parameters.wholeTrellisMultiplier)
      flags[block & 3] = hasCoefficients ? 1 : 0
      flags[9 &+ block &>> 2] = flags[block & 3]
    }
  }

  /// Quantizes the Y2 block, reconstructs luma, and returns rate and distortion.
  private mutating func reconstructWhole(
    _ first: [16 of Int32], _ mode: UInt8, _ parameters: SegmentParameters, _ tables: CostTables,
    _ flags: InlineArray<18, UInt8>
  ) -> ModeScore {
    let secondary = forwardWalshHadamard(first)
    var dequantized = [16 of Int16](repeating: 0)
    for index in 0..<16 {
      let level = parameters.secondary.level(secondary[index], isFirst: index == 0)
      levels[CodedMacroblocks.secondary &+ index] = Int16(truncatingIfNeeded: level)
      let step = index == 0 ? parameters.secondary.first : parameters.secondary.others
      dequantized[index] = Int16(truncatingIfNeeded: level &* step)
    }
    var constants = coefficients.mutableSpan
    let dequantizedSpan = dequantized.span
    invertWalshHadamard(dequantizedSpan, into: &constants)
    var score = ModeScore()
    var texture: Int32 = 0
    for pair in 0..<8 {
      let base = pair &* 32
      var residuals = parameters.luma.coefficients(loadCoefficients(levels.span, at: base))
      residuals.r0[0] = coefficients[base]
      residuals.r0[4] = coefficients[base &+ 16]
      let result = (residuals.inverted() + predictions[pair]).saturated
      reconstructions[pair] = result
      let squares = (sourcePairs[pair] - result).squareSums()
      score.distortion &+= Int64(squares.0 &+ squares.1)
      if effort.weighsTexture {
        let sums = result.textureSums()
        texture &+= abs(sums.0 &- textures[pair &* 2]) &>> 5 &+ abs(sums.1 &- textures[pair &* 2 &+ 1]) &>> 5
      }
    }
    score.distortion &+= Int64((texture &* parameters.textureWeight &+ 128) &>> 8)
    score.rate = Int64(costs.lumaModes[Int(mode)]) &+ rateOfWhole(tables, flags)
    return score
  }

  private func rateOfWhole(_ tables: CostTables, _ flags: InlineArray<18, UInt8>) -> Int64 {
    var flags = flags
    let levels = levels.span
    let (levelCosts, endCosts, fixed) = (tables.levels.span, tables.ends.span, tables.fixed.span)
    var rate = TokenModel.cost(
      TokenBlock(kind: 1, base: CodedMacroblocks.secondary, levels), levels, context: Int(flags[8] &+ flags[17]),
      levelCosts, endCosts, fixed)
    for index in 0..<16 {
      let block = TokenBlock(kind: 0, base: index &* 16, levels)
      let context = Int(flags[index & 3] &+ flags[9 &+ index &>> 2])
      rate &+= TokenModel.cost(block, levels, context: context, levelCosts, endCosts, fixed)
      flags[index & 3] = block.hasCoefficients ? 1 : 0
      flags[9 &+ index &>> 2] = flags[index & 3]
    }
    return Int64(rate)
  }

  private mutating func noteVisibleEdges(
    _ header: MacroblockHeader, _ score: ModeScore, _ parameters: SegmentParameters
  ) {
    guard score.distortion > Int64(parameters.visibleDistortion),
      !bestLevels[0..<256].contains(where: { $0 != 0 }),
      bestLevels[CodedMacroblocks.secondary...].contains(where: { $0 != 0 })
    else { return }
    let base = CodedMacroblocks.secondary
    let largest = max(abs(Int(bestLevels[base + 1])), abs(Int(bestLevels[base + 2])), abs(Int(bestLevels[base + 4])))
    let segment = Int(header.segment)
    visibleEdges[segment] = max(visibleEdges[segment], largest)
  }

  /// Stores the best reconstruction of luma as a whole.
  private mutating func storeWhole() {
    let blocks = MacroblockBlocks.luma
    let reconstructions = bestReconstructions
    var span = samples.mutableSpan
    for pair in 0..<8 {
      storeBlocks(reconstructions[pair], &span, blocks[pair &* 2], blocks[pair &* 2 &+ 1])
    }
  }

  // MARK: Subblocks

  /// Decides the modes of subblocks. If they are better than a whole prediction, the header, the levels and the samples
  /// are theirs.
  private mutating func decideSubblocks(
    _ header: inout MacroblockHeader, column: Int, _ wholeScore: inout Int64, _ parameters: SegmentParameters,
    _ tables: CostTables, _ flags: InlineArray<18, UInt8>, _ isTrellis: Bool
  ) {
    var flags = flags
    var modes = InlineArray<16, UInt8>(repeating: PredictionMode.dc)
    var total = Int64(costs.subblockFlag) &* parameters.modeMultiplier
    var span = samples.mutableSpan
    extendSubblockNeighbors(&span)
    for index in CodedMacroblocks.secondary..<CodedMacroblocks.levelsPerMacroblock { levels[index] = 0 }
    for block in 0..<16 {
      let above = block < 4 ? modesAbove[column &* 4 &+ block] : modes[block &- 4]
      let left = block & 3 == 0 ? modesLeft[block &>> 2] : modes[block &- 1]
      let context = Int(flags[block & 3] &+ flags[9 &+ block &>> 2])
      let result = decideSubblock(
        block, modeContext: Int(above) &* 10 &+ Int(left), parameters, tables, context: context, isTrellis)
      modes[block] = result.mode
      total &+= result.score.value(parameters.modeMultiplier)
      if total >= wholeScore { return }
      flags[block & 3] = result.hasCoefficients ? 1 : 0
      flags[9 &+ block &>> 2] = flags[block & 3]
    }
    header.hasSubblocks = true
    header.subblockModes = modes
    wholeScore = total
    swap(&levels, &bestLevels)
  }

  /// Decides the mode of one subblock, and stores its levels and its samples.
  private mutating func decideSubblock(
    _ block: Int, modeContext: Int, _ parameters: SegmentParameters, _ tables: CostTables, context: Int,
    _ isTrellis: Bool
  ) -> (mode: UInt8, score: ModeScore, hasCoefficients: Bool) {
    let place = MacroblockBlocks.luma[block]
    let sourcePair = loadBlocks(source.span, place, place)
    let texture = textures[block]
    var best = (value: Int64.max, mode: PredictionMode.dc, score: ModeScore(), hasCoefficients: false)
    var bestReconstruction = zeroPair
    var bestIsSecond = false
    var storedLevels = zeroPair
    var mode = 0
    while mode < effort.subblockModeCount {
      let prediction = predictedPair(samples.span, block: block, mode: UInt8(truncatingIfNeeded: mode))
      let transformed = (sourcePair - prediction).forwardTransformed()
      var pairLevels = parameters.luma.levels(transformed)
      if isTrellis { pairLevels = optimizePair(transformed, context, parameters, tables) }
      let residuals = parameters.luma.coefficients(pairLevels).inverted()
      let result = (residuals + prediction).saturated
      let squares = (sourcePair - result).squareSums()
      let sums = effort.weighsTexture ? result.textureSums() : (0, 0)
      var output = coefficients.mutableSpan
      storeCoefficients(pairLevels, &output, at: 0)
      for half in 0..<2 {
        let candidate = UInt8(truncatingIfNeeded: mode &+ half)
        var score = ModeScore()
        score.distortion = Int64(half == 0 ? squares.0 : squares.1)
        if effort.weighsTexture {
          let difference = abs((half == 0 ? sums.0 : sums.1) &- texture) &>> 5
          score.distortion &+= Int64((difference &* parameters.textureWeight &+ 128) &>> 8)
        }
        score.rate = Int64(costs.subblockModes[modeContext &* 10 &+ Int(candidate)])
        let tokens = TokenBlock(kind: 3, base: half &* 16, coefficients.span)
        // Flat blocks are not predicted by complex modes: errors would spread.
        if candidate > 0, tokens.isFlat { score.rate &+= 140 }
        if score.value(parameters.subblockMultiplier) >= best.value { continue }
        score.rate &+= Int64(
          TokenModel.cost(
            tokens, coefficients.span, context: context, tables.levels.span, tables.ends.span, tables.fixed.span))
        let value = score.value(parameters.subblockMultiplier)
        if value < best.value {
          best = (value, candidate, score, tokens.hasCoefficients)
          bestReconstruction = result
          bestIsSecond = half == 1
          storedLevels = pairLevels
        }
      }
      mode &+= 2
    }
    store(storedLevels, isSecond: bestIsSecond, block)
    var span = samples.mutableSpan
    if bestIsSecond {
      // Both blocks go to the same place: the second one remains.
      storeBlocks(bestReconstruction, &span, place, place)
    } else {
      storeBlocks(bestReconstruction.swapped, &span, place, place)
    }
    return (best.mode, best.score, best.hasCoefficients)
  }

  /// Chooses the levels of two blocks by cost.
  private mutating func optimizePair(
    _ transformed: BlockPair, _ context: Int, _ parameters: SegmentParameters, _ tables: CostTables
  ) -> BlockPair {
    var input = [Int16](repeating: 0, count: 32)
    var output = input
    var span = input.mutableSpan
    storeCoefficients(transformed, &span, at: 0)
    for half in 0..<2 {
      _ = optimizeLevels(
        input.span, at: half * 16, &output, kind: 3, context: context, parameters.lumaSteps, tables,
        multiplier: parameters.subblockTrellisMultiplier)
    }
    return loadCoefficients(output.span, at: 0)
  }

  private mutating func store(_ pair: BlockPair, isSecond: Bool, _ block: Int) {
    var output = coefficients.mutableSpan
    storeCoefficients(pair, &output, at: 0)
    let base = isSecond ? 16 : 0
    for index in 0..<16 { levels[block &* 16 &+ index] = coefficients[base &+ index] }
  }

  // MARK: Final trellis

  /// Chooses the levels of luma by cost, with the modes that were decided.
  private mutating func requantize(
    _ header: MacroblockHeader, _ edges: MacroblockEdges, _ parameters: SegmentParameters, _ tables: CostTables,
    _ flags: InlineArray<18, UInt8>
  ) {
    guard header.hasSubblocks else {
      _ = codeWhole(header.lumaMode, edges, parameters, tables, flags, true)
      swap(&levels, &bestLevels)
      swap(&reconstructions, &bestReconstructions)
      return
    }
    var flags = flags
    var span = samples.mutableSpan
    extendSubblockNeighbors(&span)
    for index in CodedMacroblocks.secondary..<CodedMacroblocks.levelsPerMacroblock { levels[index] = 0 }
    for block in 0..<16 {
      let place = MacroblockBlocks.luma[block]
      let context = Int(flags[block & 3] &+ flags[9 &+ block &>> 2])
      var target = samples.mutableSpan
      predictSubblock(&target, block: block, mode: header.subblockModes[block])
      let prediction = loadBlocks(samples.span, place, place)
      let transformed = (loadBlocks(source.span, place, place) - prediction).forwardTransformed()
      let pair = optimizePair(transformed, context, parameters, tables)
      store(pair, isSecond: false, block)
      let result = parameters.luma.coefficients(pair).inverted() + prediction
      var output = samples.mutableSpan
      storeBlocks(result, &output, place, place)
      let hasCoefficients = TokenBlock(kind: 3, base: block &* 16, levels.span).hasCoefficients
      flags[block & 3] = hasCoefficients ? 1 : 0
      flags[9 &+ block &>> 2] = flags[block & 3]
    }
    swap(&levels, &bestLevels)
  }

  // MARK: Chroma

  /// Decides the mode of chroma and stores levels and samples.
  private mutating func decideChroma(
    _ header: inout MacroblockHeader, _ edges: MacroblockEdges, _ parameters: SegmentParameters,
    _ tables: CostTables, _ flags: InlineArray<18, UInt8>
  ) {
    var best = Int64.max
    let blocks = MacroblockBlocks.chroma
    for mode in 0..<4 as Range<UInt8> {
      let zeros = noCoefficients
      var span = samples.mutableSpan
      reconstructChroma(&span, mode: mode, edges: edges, coefficients: zeros.span, codes: 0)
      var score = ModeScore()
      for pair in 0..<4 {
        let prediction = loadBlocks(samples.span, blocks[pair &* 2], blocks[pair &* 2 &+ 1])
        let transformed = (sourcePairs[8 &+ pair] - prediction).forwardTransformed()
        let pairLevels = parameters.chroma.levels(transformed)
        var output = levels.mutableSpan
        storeCoefficients(pairLevels, &output, at: 256 &+ pair &* 32)
        let result = (parameters.chroma.coefficients(pairLevels).inverted() + prediction).saturated
        reconstructions[8 &+ pair] = result
        let squares = (sourcePairs[8 &+ pair] - result).squareSums()
        score.distortion &+= Int64(squares.0 &+ squares.1)
      }
      score.rate = Int64(costs.chromaModes[Int(mode)]) &+ rateOfChroma(tables, flags, isFirst: mode == 0)
      let value = score.value(parameters.chromaMultiplier)
      if value < best {
        best = value
        header.chromaMode = mode
        for index in 256..<384 { bestLevels[index] = levels[index] }
        for pair in 8..<12 { bestReconstructions[pair] = reconstructions[pair] }
      }
    }
    let reconstructions = bestReconstructions
    var span = samples.mutableSpan
    for pair in 0..<4 {
      storeBlocks(reconstructions[8 &+ pair], &span, blocks[pair &* 2], blocks[pair &* 2 &+ 1])
    }
  }

  private func rateOfChroma(_ tables: CostTables, _ flags: InlineArray<18, UInt8>, isFirst: Bool) -> Int64 {
    var flags = flags
    let levels = levels.span
    var rate: Int32 = 0
    var levelCount = 0
    for index in 0..<8 {
      let block = TokenBlock(kind: 2, base: 256 &+ index &* 16, levels)
      let above = 4 &+ (index &>> 2) &* 2 &+ (index & 1)
      let left = 13 &+ (index &>> 2) &* 2 &+ ((index &>> 1) & 1)
      rate &+= TokenModel.cost(
        block, levels, context: Int(flags[above] &+ flags[left]), tables.levels.span, tables.ends.span,
        tables.fixed.span)
      flags[above] = block.hasCoefficients ? 1 : 0
      flags[left] = flags[above]
      if levelCount <= 2, block.last > 0 {
        for place in 1..<16 where levels[block.base &+ place] != 0 { levelCount &+= 1 }
      }
    }
    if !isFirst, levelCount <= 2 { rate &+= 140 * 8 }
    return Int64(rate)
  }
}
