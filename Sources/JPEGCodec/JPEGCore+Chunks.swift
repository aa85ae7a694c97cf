// The rendering of all scans of an image chunk by chunk, to a bitmap or to a sink.

internal import ImageCoding

extension JPEGCore {
  /// Whether scans can be rendered chunk by chunk. Once all coefficients are charged, they are used.
  private var rendersChunks: Bool {
    guard let frame, !frame.isArithmetic, RowChunks.areWorthwhile(for: frame) else { return false }
    return completedScanCount == 0 && !keepsCoefficients && !rendersDCOnly && buffered?.planes.isCharged == false
  }

  /// Whether to wait for the rest of an image that arrives in parts. A sink receives no rows before the last scan anyway,
  /// and the bytes of the file usually take less memory than all coefficients. If they do not, or take what the
  /// coefficients would need, the scans are decoded as they arrive.
  mutating func awaitsImageEnd(
    _ input: InputWindow, _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    guard !input.isFinal, context.isStreaming, rendersChunks, let frame else { return false }
    var search = imageEnd ?? ImageEndSearch(from: offset)
    try search.advance(input, &context.budget)
    imageEnd = search
    let coefficientByteCount = CoefficientPlanes.count(for: frame).multipliedReportingOverflow(by: 2)
    let (available, needed) = (context.budget.availableByteCount, coefficientByteCount.partialValue)
    if search.isComplete { return false }
    if coefficientByteCount.overflow || available < needed { return true }
    // The memory of the input grows by up to two times its size.
    return input.bytes.count <= needed / 4 && available - needed >= 2 * input.bytes.count
  }

  /// Decodes all scans to pixels, if the first one is about to be decoded, the whole image is there and its segments
  /// are valid. The decoder is still at the first scan afterwards: ``renderedScans`` holds what it needs to move past it
  /// and the others, and to report their damage as if they were decoded one after the other.
  ///
  /// Otherwise the bitmap's pixels are arbitrary, and no row has been delivered.
  mutating func renderScans(
    _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard input.isFinal || imageEnd?.isComplete == true, rendersChunks, let frame, let rendered = renderedFrame,
      let model = info?.colorModel
    else { return }
    let heldByteCount = context.budget.heldByteCount
    guard let plan = ScanPlan(self, input, context.options, &context.budget), let scans = plan.end.buffered,
      plan.work(frame) <= context.budget.availableWork / 2
    else { return context.budget.settle(heldByteCount: heldByteCount) }
    let renderer = makeRenderer(scans, frame: frame)
    let writer = RowWriter(frame: rendered, model: model, format: context.options.pixelFormat ?? model.naturalFormat)
    guard !renderer.estimatesCoefficients,
      let (chunks, byteCount) = allocateChunks(plan, frame: frame, writer, model, &bitmap, &context)
    else { return context.budget.settle(heldByteCount: heldByteCount) }
    let pool = context.budget.bufferPool
    let wavefront = ScanWavefront(plan, frame: frame, chunks) {
      ScanChunkDecoder(renderer, writer, frame: frame, pool: pool)
    }
    try renderChunks(
      chunks, wavefront, lostIn: plan.locatingScan.map { plan.entries[$0].scan.header }, input.bytes, into: &bitmap,
      &context)
    renderedScans = wavefront.finish()
    isRendered = true
    context.budget.release(plan.tableByteCount + byteCount)
  }

  /// Charges the memory of chunks, fewer or smaller ones if there is not enough, and prepares the bitmap.
  ///
  /// - Returns: the chunks and their memory; `nil` if there is not enough for any.
  private func allocateChunks(
    _ plan: ScanPlan, frame: FrameHeader, _ writer: borrowing RowWriter, _ model: ImageInfo.StoredColorModel,
    _ bitmap: inout Bitmap, _ context: inout DecodingContext
  ) -> (RowChunks, byteCount: Int)? {
    let heldByteCount = context.budget.heldByteCount
    // Chunks are delivered one by one. Several at a time would take several times the memory, and hardly less time.
    let usual = RowChunks(
      writer, blocksPerMCU: frame.blocksPerMCU, bytesPerBlock: 128,
      parallelism: context.isStreaming ? 1 : context.options.parallelism)
    for chunks in [usual, usual.smallest] {
      let byteCount = ScanWavefront.byteCount(plan, frame: frame, chunks)
      let rowCount = chunks.rowsPerChunk * writer.frame.mcuHeight + writer.delayedRowCount
      if (try? context.budget.allocate(byteCount)) != nil,
        (try? prepareRows(of: &bitmap, writer.frame, model, bandRowCount: rowCount, &context)) != nil
      {
        return (chunks, byteCount)
      }
      context.budget.settle(heldByteCount: heldByteCount)
    }
    return nil
  }

  /// Decodes all chunks: at once, or one by one if they are written to a window, whose rows are delivered.
  private func renderChunks(
    _ chunks: RowChunks, _ wavefront: ScanWavefront, lostIn scan: ScanHeader?, _ bytes: Span<UInt8>,
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    let step = bitmap.isWindow ? 1 : chunks.count
    var writesPixels = true
    for first in stride(from: 0, to: chunks.count, by: step) {
      let indices = first..<min(first + step, chunks.count)
      try wavefront.decode(indices, bytes, into: &bitmap, writesPixels: writesPixels, &context.budget)
      // The error is that of the first scan with damage, so that all are decoded to their ends. No row is delivered.
      if wavefront.foundDamage, context.isStrict { writesPixels = false }
      guard writesPixels else { continue }
      let rows = chunks.pictureRows(of: indices)
      clear(wavefront.lost, of: scan, in: chunks.frame, rows: rows, &bitmap)
      try context.deliverRows(of: &bitmap, upTo: rows.upperBound)
    }
  }
}
