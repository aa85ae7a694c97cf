// Decodes the scans of a progressive or non-interleaved image chunk by chunk. Each scan can be read in order only, but rows
// of a scan need no more than the same rows of earlier scans. A chunk of rows is therefore decoded in all scans and becomes
// pixels; the position in each scan is passed to the next chunk, which another thread may decode one scan later. Only
// the coefficients of a chunk are held, which stay in the cache of a core.
//
// This applies to valid files only: on any irregularity the image is decoded scan by scan, which handles damage.

internal import ImageCoding
internal import PixelPlanes
internal import Threading

/// The state that a thread keeps from one chunk to the next.
private struct ScanChunkDecoder {
  private var planes: CoefficientPlanes
  private var bands: SampleBands
  private var writer: RowWriter
  private let renderer: BufferedRenderer
  private let frame: FrameHeader

  init(_ renderer: BufferedRenderer, _ writer: RowWriter, _ chunks: RowChunks, frame: FrameHeader) {
    planes = CoefficientPlanes(frame: frame, mcuRows: chunks.mcuRows(of: 0))
    bands = SampleBands(frame: chunks.frame, pool: nil)
    self.writer = writer
    self.renderer = renderer
    self.frame = frame
  }

  /// The memory of one thread, and of what it has passed to another.
  static func byteCount(_ chunks: RowChunks, frame: FrameHeader) -> Int {
    chunks.rowsPerChunk * frame.mcusPerRow * frame.blocksPerMCU * 128 + 2 * SampleBands.byteCount(for: chunks.frame)
  }

  /// Decodes a chunk in all scans, and charges the work of its pixels.
  ///
  /// - Parameter cursors: for each scan, the position at the start of every chunk.
  /// - Returns: whether all of it is valid.
  mutating func decode(
    _ index: Int, of chunks: RowChunks, _ scans: [ScanPlan.Entry], cursors: [ChunkSlots<ScanCursor>],
    _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Bool {
    let mcuRows = chunks.mcuRows(of: index)
    planes.move(toMCURows: mcuRows)
    for (entry, slots) in zip(scans, cursors) {
      var next: ScanCursor?
      defer { slots.pass(next, to: index + 1) }
      guard var cursor = slots.take(index) else { return false }
      var lost = LostUnits()
      // Never past the end of the scan.
      let data = bytes.extracting(0..<entry.data.upperBound + 2)
      try entry.scan.decode(
        &cursor, data, rows: entry.scan.rows(inMCURows: mcuRows), into: &planes, lost: &lost, budget: &budget)
      guard lost.ranges.isEmpty, !cursor.hasEnded else { return false }
      next = cursor
    }
    try budget.chargeWork(
      count: mcuRows.count * frame.mcusPerRow * frame.blocksPerMCU, unitsEach: BufferedDecoding.workPerRenderedBlock)
    return true
  }

  /// Makes the pixels of a chunk.
  mutating func write(
    _ index: Int, of chunks: RowChunks, edges: ChunkSlots<[UInt8]>, to picture: BitmapBands
  ) -> Bool {
    let (planes, renderer) = (planes, renderer)
    return bands.writeChunk(index, of: chunks, edges: edges, &writer, to: picture) {
      renderer.render(band: $0, of: planes, into: &$1)
    }
  }
}

/// The outcome of all chunks.
private struct ScanChunkResults: Sendable {
  var spending: [BudgetSpending] = []
  var isValid = true
}

extension JPEGCore {
  /// Decodes all scans to pixels, if the first one is about to be decoded, the whole file is there and nothing in it is
  /// irregular.
  ///
  /// - Returns: whether that was done. If not, the bitmap's pixels are arbitrary.
  mutating func renderScans(
    _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    let parallelism = context.options.parallelism
    guard input.isFinal, completedScanCount == 0, !keepsCoefficients, !rendersDCOnly, !context.isStreaming,
      let frame, !frame.isArithmetic, RowChunks.areWorthwhile(for: frame), let rendered = renderedFrame,
      let model = info?.colorModel
    else { return false }
    let heldByteCount = context.budget.heldByteCount
    guard let plan = ScanPlan(self, input, context.options, &context.budget), let scans = plan.end.buffered,
      plan.work(frame) <= context.budget.availableWork / 2
    else {
      context.budget.settle(heldByteCount: heldByteCount)
      return false
    }
    let renderer = makeRenderer(scans, frame: frame)
    guard !renderer.estimatesCoefficients, (try? prepareRows(of: &bitmap, rendered, model, &context)) != nil,
      (try? context.budget.allocate(SampleBands.byteCount(for: rendered))) != nil,
      try renderScans(
        plan, renderer, RowWriter(frame: rendered, model: model, format: bitmap.format), input.bytes, into: &bitmap,
        parallelism: parallelism, &context.budget)
    else {
      context.budget.settle(heldByteCount: heldByteCount)
      return false
    }
    context.budget.release(plan.tableByteCount)
    self = plan.end
    isRendered = true
    return true
  }

  /// Decodes the scans of a plan. Returns `false` unless all of them are valid.
  private func renderScans(
    _ plan: ScanPlan, _ renderer: BufferedRenderer, _ writer: RowWriter, _ bytes: Span<UInt8>,
    into bitmap: inout Bitmap, parallelism: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Bool {
    guard let frame else { return false }
    let chunks = RowChunks(writer, blocksPerMCU: frame.blocksPerMCU, bytesPerBlock: 128, parallelism: parallelism)
    let byteCount =
      plan.slotByteCount(chunkCount: chunks.count)
      + chunks.threadCount * ScanChunkDecoder.byteCount(chunks, frame: frame)
    // The coefficients of all rows have been charged.
    guard byteCount <= 2 * CoefficientPlanes.count(for: frame) else { return false }
    let edges = ChunkSlots<[UInt8]>(chunkCount: chunks.count)
    let cursors = plan.entries.map { _ in ChunkSlots<ScanCursor>(chunkCount: chunks.count) }
    for (entry, slots) in zip(plan.entries, cursors) {
      slots.pass(ScanCursor(position: entry.data.lowerBound, restartInterval: entry.restartInterval), to: 0)
    }
    let scans = plan.entries
    let split = budget.split()
    let results = Mutex(ScanChunkResults())
    bitmap.withBands((0..<chunks.count).map { chunks.pictureRows(of: $0) }) { picture in
      _ = ParallelRows.takeTurns(
        count: chunks.count, parallelism: chunks.threadCount,
        makeState: { ScanChunkDecoder(renderer, writer, chunks, frame: frame) }
      ) { decoder, index in
        var share = split.share()
        var isValid = (try? decoder.decode(index, of: chunks, scans, cursors: cursors, bytes, &share)) == true
        if isValid {
          isValid = decoder.write(index, of: chunks, edges: edges, to: picture)
        } else {
          edges.pass(nil, to: index + 1)
        }
        let spending = split.close(share)
        results.withLock {
          $0.spending.append(spending)
          if !isValid { $0.isValid = false }
        }
        return isValid
      }
    }
    let (spending, isValid) = results.withLock { ($0.spending, $0.isValid) }
    try budget.join(spending)
    return isValid && zip(scans, cursors).allSatisfy { $0.isEnd($1.take(chunks.count), bytes) }
  }
}
