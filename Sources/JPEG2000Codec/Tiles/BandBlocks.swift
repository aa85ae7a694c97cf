// The code-blocks of a band that are needed, and their coefficients.

internal import ImageCoding

/// The code-blocks of a band, in strips of rows. The strips are decoded independently.
struct BandBlocks: Sendable {
  private let band: Subband
  private let component: TileComponent
  /// The strips of the coefficients that are needed.
  let grid: StripGrid
  /// The code-blocks with data in each strip.
  private var strips: [[CodeBlock]]

  /// The least number of coefficients of a strip, so that there are not too many strips, and the binary logarithm of its
  /// number of rows with which it may have fewer.
  private static let minimumSampleCount: Int64 = 1 << 12
  private static let maximumHeightExponent = 12

  /// Collects the code-blocks of the precincts that contribute to the band.
  ///
  /// - Parameter window: the coefficients that are needed.
  init(
    _ component: TileComponent, _ band: Subband, index: Int, _ precincts: TilePackets.ResolutionPrecincts,
    window: GridArea, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    (self.component, self.band) = (component, band)
    let needed = window.intersection(band.area)
    var exponent = band.blockHeightExponent
    while exponent < Self.maximumHeightExponent, needed.width << Int64(exponent) < Self.minimumSampleCount {
      exponent += 1
    }
    grid = StripGrid(needed, alignment: 1 << Int64(exponent))
    // The code-blocks, the coefficients, and what is known of a strip while it is decoded.
    try budget.allocate(count: grid.count, bytesEach: 256)
    strips = [[CodeBlock]](repeating: [], count: grid.count)
    for (_, bands) in precincts.precincts.sorted(by: { $0.key < $1.key }) {
      for precinct in bands where precinct.bandIndex == index {
        try budget.chargeWork(count: precinct.blocks.count, unitsEach: 4)
        for block in precinct.blocks where block.passCount > 0 {
          let part = area(block).intersection(grid.area)
          guard !part.isEmpty else { continue }
          try budget.allocate(2 * MemoryLayout<CodeBlock>.stride)
          strips[grid.index(ofRow: part.y0)].append(block)
        }
      }
    }
  }

  /// The coefficients of a code-block.
  private func area(_ block: CodeBlock) -> GridArea {
    let (left, top) = (band.area.x0 + Int64(block.x), band.area.y0 + Int64(block.y))
    return GridArea(x0: left, y0: top, x1: left + Int64(block.width), y1: top + Int64(block.height))
  }

  private func coded(_ block: CodeBlock) -> CodedBlock {
    var style = component.style.blockStyle
    if block.isOrdinary { style.remove(.highThroughput) }
    let maximumPlaneCount = band.planeCount + component.regionShift
    return CodedBlock(
      width: Int(block.width), height: Int(block.height), orientation: band.orientation,
      planeCount: maximumPlaneCount - Int(block.zeroPlaneCount), maximumPlaneCount: maximumPlaneCount,
      regionShift: component.regionShift, style: style)
  }

  /// Decodes a strip. The memory of the coefficients remains charged.
  ///
  /// - Parameters:
  ///   - worker: the memory that is used; `nil` for new memory.
  ///   - pieces: the pieces of all code-blocks.
  ///   - data: the packets of the tile.
  func decode<Kind: Wavelet>(
    strip index: Int, _ worker: inout BlockWorker?, _ pieces: [SegmentPiece], _ data: Span<UInt8>,
    as kind: Kind.Type, _ budget: inout ResourceBudget
  ) throws(CodecError) -> DecodedStrip<Kind.Sample> {
    let rows = grid.rows(ofStrip: index)
    try budget.allocate(grid.byteCount(ofStrip: index))
    try budget.chargeWorkInParts(count: 500 + grid.byteCount(ofStrip: index) / 16, unitsEach: 1)
    var result = DecodedStrip(samples: [Kind.Sample](repeating: Kind.zero, count: grid.width * rows.count))
    // Moved, so that its memory has one owner.
    var own = worker.take() ?? BlockWorker()
    for block in strips[index] {
      if let damage = try own.decode(coded(block), block, pieces, data, &budget) {
        result.damage = result.damage ?? damage
      }
      let whole = area(block)
      let part = whole.intersection(grid.area)
      for y in part.y0..<part.y1 {
        let start = Int(y - whole.y0) * Int(block.width) + Int(part.x0 - whole.x0)
        let source = own.samples.span.extracting(start..<start + Int(part.width))
        let place = Int(y - rows.lowerBound) * grid.width + Int(part.x0 - grid.area.x0)
        var target = result.samples.mutableSpan._consumingExtracting(place..<place + source.count)
        Kind.dequantize(source, stepSize: band.stepSize, into: &target)
      }
    }
    worker = consume own
    return result
  }
}

/// The coefficients of a strip.
struct DecodedStrip<Sample: Sendable>: Sendable {
  var samples: [Sample]
  /// The first defect that was found.
  var damage: CodecError?
}

/// The memory that a thread needs to decode code-blocks.
struct BlockWorker: Sendable {
  private var decoder = CodeBlockDecoder()
  private var segments = BlockSegments()

  /// The coefficients of the last code-block.
  var samples: [Int32] { decoder.samples }

  /// Decodes a code-block.
  ///
  /// - Returns: the defect of a damaged code-block.
  mutating func decode(
    _ coded: CodedBlock, _ block: CodeBlock, _ pieces: [SegmentPiece], _ data: Span<UInt8>,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> CodecError? {
    try segments.collect(block, pieces, data, &budget)
    return try decoder.decode(coded, segments, &budget)
  }
}
