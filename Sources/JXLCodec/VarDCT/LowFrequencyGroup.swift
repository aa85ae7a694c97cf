// The parts of a low-frequency group (ISO/IEC 18181-1, G.2).

internal import ImageCoding

/// Decodes the LF coefficients and the varblocks of a group of at most 256 × 256 blocks.
struct LowFrequencyGroup: Sendable {
  let index: Int
  private let groupCount: Int
  private let grid: BlockGrid
  private let region: PixelRegion
  private let tree: DecisionTree?

  init(_ index: Int, _ layout: FrameLayout, _ grid: BlockGrid, _ tree: DecisionTree?) {
    (self.index, self.grid, self.tree) = (index, grid, tree)
    groupCount = layout.lowFrequencyGroupCount
    region = grid.region(ofLowFrequencyGroup: index)
  }

  /// The parts of a group; those after damage are absent.
  struct Decoded: Sendable {
    /// The quantised LF coefficients of Y, X and B, and the binary logarithm of the factor by which they are finer.
    fileprivate(set) var coefficients: (channels: [ModularChannel], extraPrecision: Int)?
    /// The rectangles of the extra channels.
    var extra: ModularGroup.Decoded?
    /// The correlations, the varblocks and the sharpness.
    fileprivate(set) var blocks: [ModularChannel]?
    var damage: CodecError?

    init(damage: CodecError? = nil) {
      self.damage = damage
    }
  }

  /// Decodes a group, whose memory remains charged.
  ///
  /// - Parameters:
  ///   - hasCoefficients: whether the group has LF coefficients.
  ///   - extra: the part of the extra channels that the section contains.
  ///   - shapes: the extra channels without samples.
  func decode(
    _ bits: inout BitReader, hasCoefficients: Bool, extra: ModularGroup, _ shapes: ModularImage,
    budget: inout ResourceBudget
  ) throws(CodecError) -> Decoded {
    var decoded = Decoded()
    do throws(CodecError) {
      if hasCoefficients { decoded.coefficients = try decodeCoefficients(&bits, &budget) }
      if extra.isUsed(shapes) {
        let part = try extra.decode(&bits, shapes, tree, budget: &budget)
        decoded.extra = part
        if let damage = part.damage { throw damage }
      }
      decoded.blocks = try decodeBlocks(&bits, &budget)
    } catch {
      guard error.isDamage else { throw error }
      decoded.damage = error
    }
    return decoded
  }

  /// Stores the LF coefficients and the varblocks.
  ///
  /// - Parameter factors: the factors of the LF coefficients of X, Y and B.
  func store(
    _ decoded: Decoded, _ global: LowFrequencyGlobal, factors: [Float], into image: inout LowFrequencyImage,
    _ map: inout BlockMap, budget: inout ResourceBudget
  ) throws(CodecError) {
    if let (channels, extraPrecision) = decoded.coefficients {
      guard extraPrecision == 0 || image.quantized.isEmpty else {
        throw Self.error("the LF coefficients of a JPEG file have additional precision")
      }
      let scale = global.quantizer.lowFrequencyScale / Float(1 << extraPrecision)
      try image.store(channels, region, grid, scales: factors.map { $0 * scale }, global, budget: &budget)
    }
    guard let channels = decoded.blocks else { return }
    try budget.chargeWork(count: region.width * region.height, unitsEach: 15)
    storeTiles(channels, &map)
    try storeSharpness(channels[3], &map)
    try placeBlocks(channels[2], &map)
  }

  private static func error(_ reason: String) -> CodecError { CodecError(malformed: reason) }

  private func decodeCoefficients(
    _ bits: inout BitReader, _ budget: inout ResourceBudget
  ) throws(CodecError) -> (channels: [ModularChannel], extraPrecision: Int) {
    let extraPrecision = try bits.readInt(2)
    var part = ModularImage(bitCount: 8)
    for plane in [1, 0, 2] {
      let (right, down) = (grid.horizontalShifts[plane], grid.verticalShifts[plane])
      part.channels.append(
        ModularChannel(
          width: region.width >> right, height: region.height >> down, horizontalShift: right, verticalShift: down))
    }
    try decode(&part, &bits, stream: 1 + index, &budget)
    return (part.channels, extraPrecision)
  }

  private var tileColumns: Int { (region.width - 1) >> BlockGrid.tileShift + 1 }
  private var tileRows: Int { (region.height - 1) >> BlockGrid.tileShift + 1 }

  private func decodeBlocks(
    _ bits: inout BitReader, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [ModularChannel] {
    let blockCount = region.width * region.height
    let count = 1 + (try bits.readInt(Self.bitCount(blockCount)))
    guard count <= blockCount else { throw bits.error(.malformed, "a group has more varblocks than blocks") }
    var part = ModularImage(bitCount: 8)
    for (width, height, shift) in [
      (tileColumns, tileRows, 3), (tileColumns, tileRows, 3), (count, 2, 0), (region.width, region.height, 0),
    ] {
      part.channels.append(ModularChannel(width: width, height: height, horizontalShift: shift, verticalShift: shift))
    }
    try decode(&part, &bits, stream: 1 + 2 * groupCount + index, &budget)
    return part.channels
  }

  private func decode(
    _ part: inout ModularImage, _ bits: inout BitReader, stream index: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let count = part.channels.count
    let shapes = part.channels
    let stream = try ModularStream(parsing: &bits, &part, budget: &budget)
    _ = try stream.decode(&bits, &part, index: index, globalTree: tree, budget: &budget)
    try stream.undoTransforms(&part, budget: &budget)
    guard part.channels.count == count, zip(shapes, part.channels).allSatisfy({ $0.hasSameShape(as: $1) }),
      part.channels.allSatisfy({ $0.samples.count == $0.width * $0.height })
    else { throw bits.error(.malformed, "the transforms of a group change its channels") }
  }

  private func storeTiles(_ channels: [ModularChannel], _ map: inout BlockMap) {
    let (left, top) = (region.x >> BlockGrid.tileShift, region.y >> BlockGrid.tileShift)
    for y in 0..<tileRows {
      for x in 0..<tileColumns {
        let index = (top + y) * map.tileColumns + left + x
        map.correlationsX[index] = min(max(channels[0].samples[y * tileColumns + x], -128), 127)
        map.correlationsB[index] = min(max(channels[1].samples[y * tileColumns + x], -128), 127)
      }
    }
  }

  private func storeSharpness(
    _ channel: ModularChannel, _ map: inout BlockMap
  ) throws(CodecError) {
    for y in 0..<region.height {
      for x in 0..<region.width {
        let value = channel.samples[y * region.width + x]
        guard 0..<8 ~= value else { throw Self.error("the sharpness of a block is \(value)") }
        map.sharpness[(region.y + y) * map.columns + region.x + x] = UInt8(truncatingIfNeeded: value)
      }
    }
  }

  /// Assigns varblocks to the blocks in order.
  private func placeBlocks(
    _ channel: ModularChannel, _ map: inout BlockMap
  ) throws(CodecError) {
    var next = 0
    for y in region.y..<region.y + region.height {
      for x in region.x..<region.x + region.width
      where map.transforms[y * map.columns + x] == BlockMap.unassigned {
        guard next < channel.width else { throw Self.error("blocks have no transform") }
        let number = channel.samples[next]
        guard 0..<Int32(TransformKind.allCases.count) ~= number, let kind = TransformKind(rawValue: UInt8(number))
        else {
          throw Self.error("the transform \(number) does not exist")
        }
        // Decoders agree on clamping multipliers and correlations, which encoders keep in range.
        let multiplier = min(max(channel.samples[channel.width + next], 0), Self.maximumMultiplier - 1) + 1
        guard map.place(kind, multiplier: multiplier, x: x, y: y, in: region) else {
          throw Self.error("a varblock overlaps another one or the border of its group")
        }
        next += 1
      }
    }
  }

  private static let maximumMultiplier: Int32 = 256

  /// ⌈log2(count)⌉.
  static func bitCount(_ count: Int) -> Int { Int.bitWidth - (count - 1).leadingZeroBitCount }
}
