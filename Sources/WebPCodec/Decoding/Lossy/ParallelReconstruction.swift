// Decodes a key frame on two threads: the caller's thread reads bits, and another reconstructs and converts pixels.

internal import ImageCoding
internal import Threading

/// A row of macroblocks that has been read.
struct ParsedRow: Sendable {
  /// The number of rows that the first thread may be ahead of the second, enough to absorb differences in their cost.
  static let queueLength = 4
  static let bytesPerMacroblock = MemoryLayout<MacroblockHeader>.stride + MemoryLayout<Residuals>.stride + 800

  var headers: [MacroblockHeader]
  var residuals: [Residuals]

  init(columnCount: Int) {
    headers = [MacroblockHeader](repeating: MacroblockHeader(), count: columnCount)
    residuals = (0..<columnCount).map { _ in Residuals() }
  }
}

/// The destination of rows: a region of a bitmap.
struct PictureTarget: Sendable {
  var bitmap: Bitmap
  var colors: ColorRows
  let region: PixelRegion
}

/// The work of the second thread: the reconstruction of macroblocks and the conversion to pixels.
struct ParallelReconstruction: Sendable {
  /// Below a quarter of a megapixel the second thread starts too late to help.
  private static let minimumPixelCount = 1 << 18

  var reconstruction: LossyReconstruction
  var target: PictureTarget

  /// Whether a second thread speeds up the decode of a picture.
  static func isWorthwhile(for region: PixelRegion, _ parallelism: Int) -> Bool {
    ParallelRows.threadCount(parallelism) > 1 && region.width * region.height >= minimumPixelCount
  }

  mutating func process(_ row: inout ParsedRow) {
    for column in row.headers.indices {
      reconstruction.reconstruct(row.headers[column], &row.residuals[column], column: column)
    }
    // The target does not throw.
    try? reconstruction.endRow { y, samples in target.colors.store(samples, y: y, into: &target.bitmap, target.region) }
  }
}

extension LossyDecoder {
  /// Decodes rows of macroblocks on two threads to the end of the picture, or to damage. If the system has no thread to
  /// spare, rows remain for ``advance(_:offset:isFinal:_:_:)``.
  ///
  /// - Parameters:
  ///   - window: the bytes of the chunk from ``byteOffset`` or earlier to its end, or to the end of the input.
  ///   - target: receives the rows.
  mutating func decodeInParallel(
    _ window: Span<UInt8>, offset: Int, into target: inout PictureTarget, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    guard readHeaders(window, offset: offset, isFinal: true) else { return }
    let byteCount = try budget.allocate(
      count: ParsedRow.queueLength * columnCount, bytesEach: ParsedRow.bytesPerMacroblock)
    defer { budget.release(byteCount) }
    let rows = (0..<ParsedRow.queueLength).map { _ in ParsedRow(columnCount: columnCount) }
    let pipeline = ProcessingPipeline(
      ParallelReconstruction(reconstruction: reconstruction, target: target), items: rows,
      process: { (work: inout ParallelReconstruction, row: inout ParsedRow) in work.process(&row) })
    // The pipeline must be the only owner.
    target.bitmap = Bitmap()
    reconstruction = LossyReconstruction()
    pipeline.start()
    let failure = readRows(window, into: pipeline, &budget)
    if let work = pipeline.takeBack() {
      reconstruction = work.reconstruction
      target = work.target
    }
    if let failure { throw failure }
  }

  /// Reads rows until the picture or the stream ends, or no free row is left.
  private mutating func readRows(
    _ window: Span<UInt8>, into pipeline: ProcessingPipeline<ParsedRow, ParallelReconstruction>,
    _ budget: inout ResourceBudget
  ) -> CodecError? {
    while !isEnded, damage == nil, var row = pipeline.takeFreeItem() {
      do {
        guard try readRow(into: &row, window, &budget) else { break }
      } catch {
        return error
      }
      pipeline.submit(row)
    }
    return nil
  }
}
