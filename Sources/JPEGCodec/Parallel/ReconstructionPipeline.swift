// Decodes one image on two threads: the caller's thread reads bits, and another converts the coefficients to pixels.

internal import ImageCoding
internal import PixelPlanes
internal import Threading

/// The work of the second thread: the inverse transform and the conversion to pixels.
private struct ReconstructionWork: Sendable {
  var reconstruction: Reconstruction
  var bitmap: Bitmap

  /// Converts a row of coefficients to pixels.
  mutating func process(_ row: CoefficientRow) {
    reconstruction.transform(row)
    if !row.isLast { reconstruction.finishBand(into: &bitmap) }
  }
}

/// The conditions for the use of a second thread, and the number of rows that the first may be ahead of it.
enum ReconstructionPipeline {
  /// The number of rows in the queue: enough to absorb differences in the cost of rows.
  fileprivate static let rowCount = 6
  /// Below half a megapixel the second thread starts too late to help.
  private static let minimumPixelCount = 1 << 19

  /// Whether a second thread speeds up the decode.
  static func isWorthwhile(for frame: FrameHeader, _ parallelism: Int) -> Bool {
    ParallelRows.threadCount(parallelism) > 1 && frame.width * frame.height >= minimumPixelCount
  }
}

extension RowDecoding {
  /// Decodes all bands. If the scan has valid restart intervals, they are decoded on several threads; otherwise this
  /// thread reads bits while another produces pixels. The work of all bands is already charged.
  mutating func decodeInParallel(
    _ bytes: Span<UInt8>, frame: FrameHeader, into bitmap: inout Bitmap, parallelism: Int,
    _ context: inout DecodingContext
  ) throws(CodecError) -> RowOutcome {
    if try decodeIntervalsInParallel(
      bytes, frame: frame, into: &bitmap, parallelism: parallelism, budget: &context.budget)
    {
      return .completed
    }
    try context.budget.allocate(
      count: ReconstructionPipeline.rowCount * frame.mcusPerRow * tables.blocks.count,
      bytesEach: CoefficientRow.bytesPerBlock)
    let blocksPerRow = frame.mcusPerRow * tables.blocks.count
    let pipeline = ProcessingPipeline(
      ReconstructionWork(reconstruction: reconstruction, bitmap: bitmap),
      items: (0..<ReconstructionPipeline.rowCount).map { _ in CoefficientRow(blockCount: blocksPerRow) },
      process: { (work: inout ReconstructionWork, row: inout CoefficientRow) in work.process(row) })
    // The pipeline must be the only owner.
    bitmap = Bitmap()
    reconstruction.bands.samples = []
    pipeline.start()
    var outcome = RowOutcome.completed
    var isCancelled = false
    var decodedBandCount = 0
    while decodedBandCount < frame.mcuRowCount, case .completed = outcome {
      isCancelled = (try? context.budget.checkpoint()) == nil
      guard !isCancelled, var row = pipeline.takeFreeItem() else { break }
      outcome = decodeBand(bytes, into: &row, mcusPerRow: frame.mcusPerRow)
      if case .completed = outcome { decodedBandCount += 1 } else { row.isLast = true }
      pipeline.submit(row)
    }
    if let work = pipeline.takeBack() {
      reconstruction = work.reconstruction
      bitmap = work.bitmap
    }
    if isCancelled { try context.budget.checkpoint() }
    guard case .completed = outcome else { return outcome }
    // Process what the second thread never took.
    return try decodeSerially(bytes, isFinal: true, frame: frame, into: &bitmap, &context)
  }
}
