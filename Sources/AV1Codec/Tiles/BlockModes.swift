// The modes of a block (sections 5.11.8 to 5.11.14, 5.11.24, 5.11.42 to 5.11.45 and 5.11.56).

extension TileDecoder {
  private var leftUnit: EdgeUnit { mutating get { left[block.row & 31] } }
  private var aboveUnit: EdgeUnit { mutating get { above[block.column] } }

  /// `read_segment_id`.
  mutating func readSegment(_ bytes: Span<UInt8>) {
    guard parameters.segmentation.isEnabled else { return }
    let (row, column) = (block.row, block.column)
    let above = block.hasAbove ? segments[column: column, row: row - 1] : -1
    let left = block.hasLeft ? segments[column: column - 1, row: row] : -1
    let corner = block.hasAbove && block.hasLeft ? segments[column: column - 1, row: row - 1] : -1
    let predicted = above < 0 ? max(left, 0) : left < 0 ? above : corner == above ? above : left
    guard !block.isSkipped else {
      block.segment = predicted
      return
    }
    let context: Int
    if corner < 0 {
      context = 0
    } else if corner == above, corner == left {
      context = 2
    } else {
      context = corner == above || corner == left || above == left ? 1 : 0
    }
    let symbol = symbols.decodeSymbol8(CDFIndex.segmentID + context * 2, count: 8, contexts, bytes)
    let count = parameters.segmentation.lastActive + 1
    block.segment = min(max(Self.deinterleaved(symbol, around: predicted, count: count), 0), count - 1)
  }

  /// `neg_deinterleave`: numbers around a predicted one have the lowest codes.
  private static func deinterleaved(_ code: Int, around predicted: Int, count: Int) -> Int {
    guard predicted > 0 else { return code }
    if predicted >= count - 1 { return count - code - 1 }
    let isLow = 2 * predicted < count
    if code <= 2 * (isLow ? predicted : count - predicted - 1) {
      return code & 1 == 1 ? predicted + (code + 1) >> 1 : predicted - code >> 1
    }
    return isLow ? code : count - code - 1
  }

  /// `read_skip`.
  mutating func readSkip(_ bytes: Span<UInt8>) {
    let segmentation = parameters.segmentation
    if segmentation.precedesSkip, segmentation.value(Segmentation.Feature.skip, of: block.segment) != nil {
      block.isSkipped = true
      return
    }
    let context = Int(leftUnit.skip) &+ Int(aboveUnit.skip)
    block.isSkipped = symbols.decodeFlag(CDFIndex.skip &+ context, contexts, bytes)
  }

  /// `read_cdef`.
  mutating func readCDEFIndex(_ map: inout BlockMap, _ bytes: Span<UInt8>) {
    guard !block.isSkipped, parameters.hasCDEFIndices else { return }
    let (row, column) = (block.row &>> 4, block.column &>> 4)
    guard map.cdefIndices[map.cdefIndex(column: column, row: row)] < 0 else { return }
    let index = Int8(truncatingIfNeeded: symbols.decodeLiteral(parameters.cdef.indexBitCount, bytes))
    let columnEnd = min(column &+ max(block.size.columns &>> 4, 1), (parameters.columns &+ 15) &>> 4)
    let rowEnd = min(row &+ max(block.size.rows &>> 4, 1), (parameters.rows &+ 15) &>> 4)
    for y in row..<rowEnd {
      for x in column..<columnEnd { map.cdefIndices[map.cdefIndex(column: x, row: y)] = index }
    }
  }

  /// `read_delta_qindex` and `read_delta_lf`.
  mutating func readDeltas(_ bytes: Span<UInt8>) {
    guard readsDeltas else { return }
    readsDeltas = false
    let isWholeSuperblock = block.size.columns == parameters.superblockUnits && block.size.rows == block.size.columns
    guard !(isWholeSuperblock && block.isSkipped) else { return }
    let delta = readDelta(CDFIndex.deltaQ, bytes)
    if delta != 0 {
      quantizerIndex = min(max(quantizerIndex + delta << parameters.deltas.quantizerShift, 1), 255)
    }
    guard parameters.deltas.hasLoopFilter else { return }
    let isSeparate = parameters.deltas.isLoopFilterSeparate
    for index in 0..<(isSeparate ? (parameters.planeCount > 1 ? 4 : 2) : 1) {
      let change = readDelta(CDFIndex.deltaLF + (isSeparate ? index + 1 : 0), bytes)
      loopFilterDeltas[index] = min(
        max(loopFilterDeltas[index] + change << parameters.deltas.loopFilterShift, -63), 63)
    }
  }

  private mutating func readDelta(_ group: Int, _ bytes: Span<UInt8>) -> Int {
    var magnitude = symbols.decodeSymbol4(group, count: 4, contexts, bytes)
    if magnitude == 3 {
      let count = symbols.decodeLiteral(3, bytes) + 1
      magnitude = symbols.decodeLiteral(count, bytes) + 1 << count + 1
    }
    guard magnitude > 0 else { return 0 }
    return symbols.decodeBit(bytes) == 1 ? -magnitude : magnitude
  }

  /// The modes of luma and chroma with their angles.
  mutating func readIntraModes(_ bytes: Span<UInt8>) {
    let context = aboveUnit.mode.context &* 5 &+ leftUnit.mode.context
    let symbol = symbols.decodeSymbol16(CDFIndex.intraFrameYMode &+ context &* 4, count: 13, contexts, bytes)
    block.mode = IntraMode(rawValue: UInt8(truncatingIfNeeded: symbol)) ?? .dc
    block.angleDelta = readAngleDelta(block.mode, bytes)
    guard block.hasChroma else { return }
    let allowsCfL: Bool
    if block.isLossless {
      let chroma = block.size.subsampled(parameters.subsamplingX, parameters.subsamplingY)
      allowsCfL = chroma.columns == 1 && chroma.rows == 1
    } else {
      allowsCfL = max(block.size.columns, block.size.rows) <= 8
    }
    let group = (allowsCfL ? CDFIndex.uvModeCfL : CDFIndex.uvMode) &+ Int(block.mode.rawValue) &* 4
    let chroma = symbols.decodeSymbol16(group, count: allowsCfL ? 14 : 13, contexts, bytes)
    block.chromaMode = IntraMode(rawValue: UInt8(truncatingIfNeeded: chroma)) ?? .dc
    if block.chromaMode == .chromaFromLuma { readAlphas(bytes) }
    block.chromaAngleDelta = readAngleDelta(block.chromaMode, bytes)
  }

  private mutating func readAngleDelta(_ mode: IntraMode, _ bytes: Span<UInt8>) -> Int {
    guard block.size.isAtLeast8x8, mode.isDirectional else { return 0 }
    let group = CDFIndex.angleDelta &+ (Int(mode.rawValue) &- 1) &* 2
    return symbols.decodeSymbol8(group, count: 7, contexts, bytes) &- 3
  }

  /// `read_cfl_alphas`.
  private mutating func readAlphas(_ bytes: Span<UInt8>) {
    let signs = symbols.decodeSymbol8(CDFIndex.cflSign, count: 8, contexts, bytes) + 1
    let (signU, signV) = (signs / 3, signs % 3)
    if signU > 0 {
      let group = CDFIndex.cflAlpha + ((signU - 1) * 3 + signV) * 4
      let magnitude = symbols.decodeSymbol16(group, count: 16, contexts, bytes) + 1
      block.alphaU = signU == 1 ? -magnitude : magnitude
    }
    if signV > 0 {
      let group = CDFIndex.cflAlpha + ((signV - 1) * 3 + signU) * 4
      let magnitude = symbols.decodeSymbol16(group, count: 16, contexts, bytes) + 1
      block.alphaV = signV == 1 ? -magnitude : magnitude
    }
  }

  /// `filter_intra_mode_info`.
  mutating func readFilterMode(_ bytes: Span<UInt8>) {
    guard parameters.isFilterIntraEnabled, block.mode == .dc, block.paletteSize == 0,
      max(block.size.columns, block.size.rows) <= 8,
      symbols.decodeFlag(CDFIndex.filterIntra &+ Int(block.size.rawValue), contexts, bytes)
    else { return }
    block.filterMode = symbols.decodeSymbol8(CDFIndex.filterIntraMode, count: 5, contexts, bytes)
  }
}
