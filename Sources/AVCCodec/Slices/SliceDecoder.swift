// The macroblocks of a slice (sections 7.3.4 and 7.3.5): the order of their syntax elements.

internal import ImageCoding

/// Reads the macroblocks of slices.
struct SliceDecoder: ~Copyable {
  let format: PictureFormat
  let layout: PictureLayout

  // The slice.
  var isCABAC = false
  var hasLargeTransform = false
  /// Whether the contexts of 8 × 8 blocks in 4:4:4 take neighbours of smaller blocks for coded, as those of x264 before
  /// build 151 do.
  var countsSmallBlocks = false
  var cabac = CABACDecoder(end: 0)
  var cavlc = CAVLCReader(position: 0, end: 0)
  var models = ContextModels(qp: 26)
  let contexts = BlockContexts.all
  let tables = ResidualTables.all
  private(set) var slice: Int32 = 0
  /// The index of the first macroblock of the plane in the map.
  private(set) var planeStart = 0
  /// `QPY,PRED`.
  private var previousQP = 26
  /// Whether `mb_qp_delta` of the preceding macroblock is not 0.
  var hasPreviousDelta = false
  /// Whether the current pair of macroblocks belongs to fields.
  private var isFieldPair = false
  /// The reason for which the current macroblock cannot be decoded.
  var damage: StaticString?

  // The macroblock.
  var neighbours = MacroblockNeighbours()
  var data = MacroblockData()
  var levels = MacroblockLevels()
  /// The levels of a block in variable-length codes.
  var block = BlockLevels()
  /// The number of coefficients of the current block.
  var blockCount = 0
  /// The bins of residual blocks that have been read, to which the time of arithmetic coding is proportional.
  private var binCount = 0

  init(_ format: PictureFormat, _ layout: PictureLayout, _ budget: inout ResourceBudget) throws(CodecError) {
    try budget.allocate(MacroblockLevels.byteCount)
    (self.format, self.layout) = (format, layout)
  }

  /// Starts a slice.
  ///
  /// - Parameters:
  ///   - slice: its number in the picture.
  ///   - bytes: the payload and padding.
  ///   - byteCount: of the payload.
  mutating func start(
    _ header: SliceHeader, _ picture: PictureParameterSet, slice: Int32, _ bytes: Span<UInt8>, byteCount: Int
  ) {
    self.slice = slice
    if damage != nil { levels = MacroblockLevels() }
    planeStart = header.plane * layout.count
    (isCABAC, hasLargeTransform) = (picture.isCABAC, picture.hasLargeTransform)
    (previousQP, hasPreviousDelta, isFieldPair, damage) = (header.qp, false, false, nil)
    if isCABAC {
      cabac = CABACDecoder(end: byteCount)
      cabac.restart(at: (header.dataBitIndex + 7) / 8, bytes)
      models = ContextModels(qp: header.qp)
    } else {
      cavlc = CAVLCReader(position: header.dataBitIndex, end: Self.stopBitIndex(bytes, byteCount: byteCount))
    }
  }

  /// The index of the last bit that is set.
  private static func stopBitIndex(_ bytes: Span<UInt8>, byteCount: Int) -> Int {
    var count = byteCount
    while count > 0, bytes[count - 1] == 0 { count -= 1 }
    return count == 0 ? 0 : count * 8 - 1 - bytes[count - 1].trailingZeroBitCount
  }

  /// Returns the number of bins of residual blocks since the last call.
  mutating func takeBinCount() -> Int {
    defer { binCount = 0 }
    return binCount
  }

  mutating func countBins(_ count: Int) { binCount &+= count }

  /// The index of the first byte that has not been read.
  var byteIndex: Int { isCABAC ? cabac.alignedIndex : cavlc.alignedIndex }
  private var isExhausted: Bool { isCABAC ? cabac.isExhausted : cavlc.isExhausted }

  /// Whether the slice ends after the macroblock that was read.
  mutating func readEnd(_ address: Int, _ bytes: Span<UInt8>) -> Bool {
    guard isCABAC else { return !cavlc.hasMore }
    // A pair of macroblocks is not separated.
    if layout.hasPairs, address & 1 == 0 { return false }
    return cabac.decodeTerminate(bytes)
  }

  // MARK: Macroblocks

  /// Reads `macroblock_layer`, and enters the macroblock in the map. If it is damaged, ``damage`` is set.
  mutating func readMacroblock(_ address: Int, _ map: inout MacroblockMap, _ bytes: Span<UInt8>) {
    if layout.hasPairs, address & 1 == 0 { isFieldPair = readFieldFlag(address, map, bytes) }
    data = MacroblockData()
    data.isField = isFieldPair || layout.isField
    neighbours = MacroblockNeighbours(
      address, first: planeStart, slice: slice, isField: isFieldPair, layout, map.macroblocks.span)
    var macroblock = Macroblock()
    macroblock.slice = slice
    macroblock.isField = isFieldPair
    map.macroblocks[neighbours.current] = macroblock
    map.setCounts(of: neighbours.current, to: 0)
    data.qp = previousQP

    readKind(map, bytes)
    if damage == nil {
      if data.kind == .pcm { readPCM(&map, bytes) } else { readPrediction(&map, bytes) }
    }
    if isExhausted, damage == nil { damage = "a slice ends early" }
  }

  private mutating func readPrediction(_ map: inout MacroblockMap, _ bytes: Span<UInt8>) {
    let current = neighbours.current
    if data.kind.hasBlockModes {
      if hasLargeTransform, readLargeTransformFlag(map, bytes) { data.kind = .intra8x8 }
      data.hasLargeTransform = data.kind == .intra8x8
      readModes(&map, bytes)
    } else {
      setModes(ofMacroblock: &map)
    }
    map.macroblocks[current].kind = data.kind
    map.macroblocks[current].hasLargeTransform = data.hasLargeTransform
    if format.hasSubsampledChroma {
      data.chromaMode = readChromaMode(map, bytes)
      map.macroblocks[current].chromaMode = UInt8(truncatingIfNeeded: data.chromaMode)
    }
    if data.kind.hasBlockModes { data.codedPattern = readCodedPattern(map, bytes) }
    guard damage == nil else { return }
    map.macroblocks[current].codedPattern = UInt8(truncatingIfNeeded: data.codedPattern)
    if data.codedPattern > 0 || data.kind == .intra16x16 {
      updateQP(by: readQPDelta(bytes))
    } else {
      hasPreviousDelta = false
    }
    map.macroblocks[current].qp = Int8(truncatingIfNeeded: data.qp)
    data.isLossless = format.isLosslessAllowed && data.qp == -format.depthOffset
    guard damage == nil, data.codedPattern > 0 || data.kind == .intra16x16 else { return }
    readResidual(&map, bytes)
  }

  private mutating func updateQP(by delta: Int) {
    hasPreviousDelta = delta != 0
    let offset = format.depthOffset
    guard delta >= -(26 + offset / 2), delta <= 25 + offset / 2 else {
      damage = "mb_qp_delta is out of range"
      return
    }
    previousQP = (previousQP + delta + 52 + 2 * offset) % (52 + offset) - offset
    data.qp = previousQP
  }

  /// Stores the samples of a macroblock, which are not predicted, in place of levels.
  private mutating func readPCM(_ map: inout MacroblockMap, _ bytes: Span<UInt8>) {
    let current = neighbours.current
    if isCABAC {
      cavlc = CAVLCReader(position: cabac.alignedIndex * 8, end: cabac.end * 8)
    } else {
      cavlc.align()
    }
    for component in 0..<(format.chromaType == 0 ? 1 : 3) {
      let count = format.macroblockWidth(component) * format.macroblockHeight(component)
      for index in 0..<count {
        levels.values[component * 256 + index] = Int32(truncatingIfNeeded: cavlc.read(format.bitDepth, bytes))
      }
    }
    if isCABAC {
      if cavlc.isExhausted { damage = "a slice ends early" }
      cabac.restart(at: cavlc.alignedIndex, bytes)
    }
    setModes(ofMacroblock: &map)
    map.macroblocks[current].kind = .pcm
    // To neighbours, all blocks have coefficients; to the deblocking filter, it has the lowest parameter.
    map.macroblocks[current].codedPattern = 47
    map.macroblocks[current].codedDC = 7
    map.macroblocks[current].qp = Int8(truncatingIfNeeded: -format.depthOffset)
    map.setCounts(of: current, to: 16)
    hasPreviousDelta = false
  }

  /// Blocks next to macroblocks without modes of blocks are predicted to have mode DC.
  private func setModes(ofMacroblock map: inout MacroblockMap) {
    let first = neighbours.current * MacroblockMap.modesPerMacroblock
    for index in first..<first + MacroblockMap.modesPerMacroblock { map.modes[index] = 2 }
  }
}
