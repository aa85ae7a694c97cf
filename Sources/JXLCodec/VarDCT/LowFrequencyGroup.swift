// The parts of a low-frequency group (ISO/IEC 18181-1, G.2).

internal import ImageCoding

/// Decodes the LF coefficients and the varblocks of a group of at most 256 × 256 blocks.
struct LowFrequencyGroup {
  private let index: Int
  private let groupCount: Int
  private let grid: BlockGrid
  private let region: PixelRegion
  private let tree: DecisionTree?

  init(_ index: Int, _ layout: FrameLayout, _ grid: BlockGrid, _ tree: DecisionTree?) {
    (self.index, self.grid, self.tree) = (index, grid, tree)
    groupCount = layout.lowFrequencyGroupCount
    region = grid.region(ofLowFrequencyGroup: index)
  }

  /// Decodes the LF coefficients.
  ///
  /// - Parameter factors: the factors of the LF coefficients of X, Y and B.
  func decodeCoefficients(
    _ bits: inout BitReader, _ global: LowFrequencyGlobal, factors: [Float], into image: inout LowFrequencyImage,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    let extraPrecision = try bits.readInt(2)
    guard extraPrecision == 0 || image.quantized.isEmpty else {
      throw bits.error(.malformed, "the LF coefficients of a JPEG file have additional precision")
    }
    var part = ModularImage(bitCount: 8)
    for plane in [1, 0, 2] {
      let (right, down) = (grid.horizontalShifts[plane], grid.verticalShifts[plane])
      part.channels.append(
        ModularChannel(
          width: region.width >> right, height: region.height >> down, horizontalShift: right, verticalShift: down))
    }
    let held = budget.heldByteCount
    try decode(&part, &bits, stream: 1 + index, &budget)
    let scale = global.quantizer.lowFrequencyScale / Float(1 << extraPrecision)
    try image.store(part.channels, region, grid, scales: factors.map { $0 * scale }, global, budget: &budget)
    budget.settle(heldByteCount: held)
  }

  /// Decodes the varblocks.
  func decodeBlocks(
    _ bits: inout BitReader, into map: inout BlockMap, budget: inout ResourceBudget
  ) throws(CodecError) {
    let blockCount = region.width * region.height
    let count = 1 + (try bits.readInt(Self.bitCount(blockCount)))
    guard count <= blockCount else { throw bits.error(.malformed, "a group has more varblocks than blocks") }
    let held = budget.heldByteCount
    var part = ModularImage(bitCount: 8)
    let tileColumns = (region.width - 1) >> BlockGrid.tileShift + 1
    let tileRows = (region.height - 1) >> BlockGrid.tileShift + 1
    for (width, height, shift) in [
      (tileColumns, tileRows, 3), (tileColumns, tileRows, 3), (count, 2, 0), (region.width, region.height, 0),
    ] {
      part.channels.append(ModularChannel(width: width, height: height, horizontalShift: shift, verticalShift: shift))
    }
    try decode(&part, &bits, stream: 1 + 2 * groupCount + index, &budget)
    try budget.chargeWork(count: blockCount, unitsEach: 15)
    storeTiles(part, tileColumns, tileRows, &map)
    try storeSharpness(part.channels[3], bits, &map)
    try placeBlocks(part.channels[2], bits, &map)
    budget.settle(heldByteCount: held)
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

  private func storeTiles(_ part: ModularImage, _ tileColumns: Int, _ tileRows: Int, _ map: inout BlockMap) {
    let (left, top) = (region.x >> BlockGrid.tileShift, region.y >> BlockGrid.tileShift)
    for y in 0..<tileRows {
      for x in 0..<tileColumns {
        let index = (top + y) * map.tileColumns + left + x
        map.correlationsX[index] = min(max(part.channels[0].samples[y * tileColumns + x], -128), 127)
        map.correlationsB[index] = min(max(part.channels[1].samples[y * tileColumns + x], -128), 127)
      }
    }
  }

  private func storeSharpness(
    _ channel: ModularChannel, _ bits: borrowing BitReader, _ map: inout BlockMap
  ) throws(CodecError) {
    for y in 0..<region.height {
      for x in 0..<region.width {
        let value = channel.samples[y * region.width + x]
        guard 0..<8 ~= value else { throw bits.error(.malformed, "the sharpness of a block is \(value)") }
        map.sharpness[(region.y + y) * map.columns + region.x + x] = UInt8(truncatingIfNeeded: value)
      }
    }
  }

  /// Assigns varblocks to the blocks in order.
  private func placeBlocks(
    _ channel: ModularChannel, _ bits: borrowing BitReader, _ map: inout BlockMap
  ) throws(CodecError) {
    var next = 0
    for y in region.y..<region.y + region.height {
      for x in region.x..<region.x + region.width
      where map.transforms[y * map.columns + x] == BlockMap.unassigned {
        guard next < channel.width else { throw bits.error(.malformed, "blocks have no transform") }
        let number = channel.samples[next]
        guard 0..<Int32(TransformKind.allCases.count) ~= number, let kind = TransformKind(rawValue: UInt8(number))
        else {
          throw bits.error(.malformed, "the transform \(number) does not exist")
        }
        // Decoders agree on clamping multipliers and correlations, which encoders keep in range.
        let multiplier = min(max(channel.samples[channel.width + next], 0), Self.maximumMultiplier - 1) + 1
        guard map.place(kind, multiplier: multiplier, x: x, y: y, in: region) else {
          throw bits.error(.malformed, "a varblock overlaps another one or the border of its group")
        }
        next += 1
      }
    }
  }

  private static let maximumMultiplier: Int32 = 256

  /// ⌈log2(count)⌉.
  static func bitCount(_ count: Int) -> Int { Int.bitWidth - (count - 1).leadingZeroBitCount }
}
