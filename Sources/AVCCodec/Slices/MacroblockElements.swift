// The syntax elements of the macroblock layer (section 7.3.5) in both codings.

extension SliceDecoder {
  /// `mb_field_decoding_flag` of a pair.
  mutating func readFieldFlag(_ address: Int, _ map: MacroblockMap, _ bytes: Span<UInt8>) -> Bool {
    guard isCABAC else { return cavlc.readFlag(bytes) }
    let (column, row) = layout.place(address)
    func isFieldPair(_ column: Int, _ row: Int) -> Int {
      guard column >= 0, row >= 0 else { return 0 }
      let macroblock = map.macroblocks[planeStart + layout.address(column: column, row: row)]
      return macroblock.slice == slice && macroblock.isField ? 1 : 0
    }
    let increment = isFieldPair(column - 1, row) + isFieldPair(column, row - 2)
    return cabac.decode(ContextIndex.fieldMacroblock + increment, &models, bytes) == 1
  }

  /// The number of the neighbours at the left and above that meet a condition.
  @inline(__always)
  private func count(_ map: MacroblockMap, _ condition: (Macroblock) -> Bool) -> Int {
    (neighbours.hasLeft && condition(map.macroblocks[neighbours.left]) ? 1 : 0)
      &+ (neighbours.hasAbove && condition(map.macroblocks[neighbours.above]) ? 1 : 0)
  }

  /// `mb_type`.
  mutating func readKind(_ map: MacroblockMap, _ bytes: Span<UInt8>) {
    let type = isCABAC ? readKindBins(map, bytes) : cavlc.readUnsigned(bytes)
    switch type {
    case 0: data.kind = .intra4x4
    case 1...24:
      data.kind = .intra16x16
      data.mode16x16 = (type - 1) & 3
      data.codedPattern = ((type - 1) / 4 % 3) << 4 | (type > 12 ? 15 : 0)
      if format.chromaType == 0 || format.chromaType == 3, data.codedPattern > 15 { damage = "mb_type has chroma" }
    case 25: data.kind = .pcm
    default: damage = "mb_type is reserved"
    }
  }

  private mutating func readKindBins(_ map: MacroblockMap, _ bytes: Span<UInt8>) -> Int {
    let first = ContextIndex.macroblockType
    let increment = count(map) { !$0.kind.hasBlockModes }
    guard cabac.decode(first + increment, &models, bytes) == 1 else { return 0 }
    if cabac.decodeTerminate(bytes) { return 25 }
    var type = 1 + 12 * cabac.decode(first + 3, &models, bytes)
    if cabac.decode(first + 4, &models, bytes) == 1 { type += 4 + 4 * cabac.decode(first + 5, &models, bytes) }
    type += 2 * cabac.decode(first + 6, &models, bytes)
    return type + cabac.decode(first + 7, &models, bytes)
  }

  /// `transform_size_8x8_flag`.
  mutating func readLargeTransformFlag(_ map: MacroblockMap, _ bytes: Span<UInt8>) -> Bool {
    guard isCABAC else { return cavlc.readFlag(bytes) }
    let increment = count(map) { $0.hasLargeTransform }
    return cabac.decode(ContextIndex.largeTransform + increment, &models, bytes) == 1
  }

  /// `intra_chroma_pred_mode`.
  mutating func readChromaMode(_ map: MacroblockMap, _ bytes: Span<UInt8>) -> Int {
    guard isCABAC else {
      let mode = cavlc.readUnsigned(bytes)
      if mode > 3 { damage = "intra_chroma_pred_mode is out of range" }
      return mode & 3
    }
    let first = ContextIndex.chromaMode
    let increment = count(map) { $0.kind != .pcm && $0.chromaMode != 0 }
    guard cabac.decode(first + increment, &models, bytes) == 1 else { return 0 }
    guard cabac.decode(first + 3, &models, bytes) == 1 else { return 1 }
    return 2 + cabac.decode(first + 3, &models, bytes)
  }

  // MARK: Prediction modes

  /// The prediction modes of 4 × 4 or 8 × 8 blocks (sections 8.3.1.1 and 8.3.2.1).
  mutating func readModes(_ map: inout MacroblockMap, _ bytes: Span<UInt8>) {
    let isLarge = data.hasLargeTransform
    let first = neighbours.current * MacroblockMap.modesPerMacroblock
    for block in stride(from: 0, to: 16, by: isLarge ? 4 : 1) {
      let (x, y) = MacroblockData.place(block)
      let predicted = predictedMode(x, y, map)
      var mode = predicted
      if let remaining = readRemainingMode(bytes) { mode = remaining + (remaining >= predicted ? 1 : 0) }
      for row in y...(isLarge ? y + 1 : y) {
        for column in x...(isLarge ? x + 1 : x) {
          data.modes[row * 4 + column] = Int8(truncatingIfNeeded: mode)
          map.modes[first + row * 4 + column] = Int8(truncatingIfNeeded: mode)
        }
      }
    }
  }

  /// - Parameters:
  ///   - x: column and row of the block in units of 4 × 4 blocks.
  private func predictedMode(_ x: Int, _ y: Int, _ map: MacroblockMap) -> Int {
    let size = MacroblockMap.modesPerMacroblock
    let current = neighbours.current * size
    let left: Int8
    if x > 0 {
      left = map.modes[current + y * 4 + x - 1]
    } else {
      guard neighbours.hasLeft else { return 2 }
      let (index, row) = neighbours.left(ofRow: y * 4, height: 16)
      left = map.modes[index * size + (row >> 2) * 4 + 3]
    }
    let above: Int8
    if y > 0 {
      above = map.modes[current + y * 4 - 4 + x]
    } else {
      guard neighbours.hasAbove else { return 2 }
      above = map.modes[neighbours.above * size + 12 + x]
    }
    return Int(min(left, above))
  }

  /// `rem_intra4x4_pred_mode`; `nil` if the mode is as predicted.
  private mutating func readRemainingMode(_ bytes: Span<UInt8>) -> Int? {
    guard isCABAC else { return cavlc.readFlag(bytes) ? nil : cavlc.read(3, bytes) }
    if cabac.decode(ContextIndex.predictedMode, &models, bytes) == 1 { return nil }
    var mode = cabac.decode(ContextIndex.remainingMode, &models, bytes)
    mode |= cabac.decode(ContextIndex.remainingMode, &models, bytes) << 1
    return mode | cabac.decode(ContextIndex.remainingMode, &models, bytes) << 2
  }

  // MARK: Coded blocks and quantization

  /// `coded_block_pattern`.
  mutating func readCodedPattern(_ map: MacroblockMap, _ bytes: Span<UInt8>) -> Int {
    guard !isCABAC else { return readCodedPatternBins(map, bytes) }
    let patterns = format.hasSubsampledChroma ? codedBlockPatterns : codedBlockPatternsWithoutChroma
    let code = cavlc.readUnsigned(bytes)
    guard code < patterns.count else {
      damage = "coded_block_pattern is out of range"
      return 0
    }
    return Int(patterns[code])
  }

  private mutating func readCodedPatternBins(_ map: MacroblockMap, _ bytes: Span<UInt8>) -> Int {
    var pattern = 0
    for block in 0..<4 {
      let (x, y) = (block & 1, block >> 1)
      // Blocks without coefficients count; those outside the slice do not.
      var left = 0
      if x > 0 {
        left = pattern >> (block - 1) & 1 ^ 1
      } else if neighbours.hasLeft {
        let (index, row) = neighbours.left(ofRow: y * 8, height: 16)
        left = Int(map.macroblocks[index].codedPattern >> (UInt8(row >> 3) * 2 + 1)) & 1 ^ 1
      }
      var above = 0
      if y > 0 {
        above = pattern >> (block - 2) & 1 ^ 1
      } else if neighbours.hasAbove {
        above = Int(map.macroblocks[neighbours.above].codedPattern >> UInt8(2 + x)) & 1 ^ 1
      }
      pattern |= cabac.decode(ContextIndex.codedLuma + left + 2 * above, &models, bytes) << block
    }
    guard format.hasSubsampledChroma else { return pattern }
    let first = ContextIndex.codedChroma
    guard cabac.decode(first + chromaIncrement(map, minimum: 1), &models, bytes) == 1 else { return pattern }
    return pattern | (1 + cabac.decode(first + 4 + chromaIncrement(map, minimum: 2), &models, bytes)) << 4
  }

  private func chromaIncrement(_ map: MacroblockMap, minimum: UInt8) -> Int {
    (neighbours.hasLeft && map.macroblocks[neighbours.left].chromaPattern >= minimum ? 1 : 0)
      + (neighbours.hasAbove && map.macroblocks[neighbours.above].chromaPattern >= minimum ? 2 : 0)
  }

  /// `mb_qp_delta`.
  mutating func readQPDelta(_ bytes: Span<UInt8>) -> Int {
    guard isCABAC else { return cavlc.readSigned(bytes) }
    let first = ContextIndex.qpDelta
    guard cabac.decode(first + (hasPreviousDelta ? 1 : 0), &models, bytes) == 1 else { return 0 }
    var code = 1
    while code < 256, cabac.decode(first + (code == 1 ? 2 : 3), &models, bytes) == 1 { code += 1 }
    return code & 1 == 1 ? (code + 1) >> 1 : -(code >> 1)
  }
}
