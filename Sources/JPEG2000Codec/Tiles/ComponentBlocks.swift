// The code-blocks of a tile's component, decoded one after the other or on several threads.

internal import ImageCoding

/// Where the coefficients of a band are in the plane of its component, and which of them are needed.
struct BandPlacement: Sendable {
  let band: Subband
  let component: TileComponent
  /// The column and the row of the band in the plane.
  let x: Int
  let y: Int
  /// The coefficients of the band that are needed.
  let window: GridArea

  /// Whether a code-block has coefficients that are needed.
  func needs(_ block: CodeBlock) -> Bool {
    let (left, top) = (band.area.x0 + Int64(block.x), band.area.y0 + Int64(block.y))
    let area = GridArea(x0: left, y0: top, x1: left + Int64(block.width), y1: top + Int64(block.height))
    return !area.intersection(window).isEmpty
  }

  /// A code-block whose data has not been collected.
  func coded(_ block: CodeBlock) -> CodedBlock {
    var style = component.style.blockStyle
    if block.isOrdinary { style.remove(.highThroughput) }
    let maximumPlaneCount = band.planeCount + component.regionShift
    return CodedBlock(
      width: Int(block.width), height: Int(block.height), orientation: band.orientation,
      planeCount: maximumPlaneCount - Int(block.zeroPlaneCount), maximumPlaneCount: maximumPlaneCount,
      regionShift: component.regionShift, style: style)
  }
}

/// Decodes the code-blocks of a component into its plane.
struct ComponentBlocks {
  /// A code-block that is decoded on another thread.
  private struct Job: Sendable {
    let block: CodedBlock
    let data: BlockSegments
    let x: Int
    let y: Int
    let stepSize: Float
  }

  private var decoder = CodeBlockDecoder()
  private var segments = BlockSegments()
  private var jobs: [Job] = []
  /// The number of bytes that the jobs hold.
  private var jobByteCount = 0

  /// The number of code-blocks that a thread decodes at a time.
  private static let batchSize = 48

  /// Decodes the code-blocks of a precinct in a band, or waits for more of them.
  mutating func decode(
    _ precinct: PrecinctBand, _ placement: BandPlacement, _ pieces: [SegmentPiece], _ data: Span<UInt8>,
    into plane: inout CoefficientPlane, _ context: inout DecodingContext
  ) throws(CodecError) {
    for block in precinct.blocks where block.passCount > 0 && placement.needs(block) {
      let coded = placement.coded(block)
      try segments.collect(block, pieces, data, &context.budget)
      let (x, y) = (placement.x + Int(block.x), placement.y + Int(block.y))
      let stepSize = placement.band.stepSize
      if context.options.parallelism > 1 {
        let byteCount = segments.bytes.count + coded.width * coded.height * 4 + MemoryLayout<Job>.stride + 64
        try context.budget.allocate(byteCount)
        jobByteCount += byteCount
        jobs.append(Job(block: coded, data: segments, x: x, y: y, stepSize: stepSize))
        segments = BlockSegments()
        if jobs.count >= Self.batchSize * context.options.parallelism { try finish(into: &plane, &context) }
        continue
      }
      if let damage = try decoder.decode(coded, segments, &context.budget) {
        try context.tolerateOnce(damage, as: .damage)
      }
      plane.store(
        decoder.samples.span, width: coded.width, height: coded.height, x: x, y: y, stepSize: stepSize)
    }
  }

  /// Decodes the code-blocks that wait.
  mutating func finish(into plane: inout CoefficientPlane, _ context: inout DecodingContext) throws(CodecError) {
    guard !jobs.isEmpty else { return }
    let batch = jobs
    jobs = []
    let threadCount = max(1, min(context.options.parallelism, (batch.count + 3) / 4))
    let share = (batch.count + threadCount - 1) / threadCount
    let results = try parallelResults(count: threadCount, parallelism: threadCount, &context.budget) {
      (index, budget) throws(CodecError) in
      try budget.allocate(CodeBlockDecoder.byteCount)
      defer { budget.release(CodeBlockDecoder.byteCount) }
      var decoder = CodeBlockDecoder()
      var decoded: [(samples: [Int32], damage: CodecError?)] = []
      for job in batch[min(index * share, batch.count)..<min((index + 1) * share, batch.count)] {
        let damage = try decoder.decode(job.block, job.data, &budget)
        decoded.append((Array(decoder.samples.prefix(job.block.width * job.block.height)), damage))
      }
      return decoded
    }
    var index = 0
    for decoded in results {
      for (samples, damage) in decoded {
        if let damage { try context.tolerateOnce(damage, as: .damage) }
        let job = batch[index]
        plane.store(
          samples.span, width: job.block.width, height: job.block.height, x: job.x, y: job.y, stepSize: job.stepSize)
        index += 1
      }
    }
    context.budget.release(jobByteCount)
    jobByteCount = 0
  }
}
