// The division of a picture into chunks of MCU rows. Threads take them from top to bottom, and hold the coefficients of
// one chunk each.

internal import ImageCoding
internal import Threading

/// The chunks of a picture.
struct RowChunks {
  /// The frame at the size to be rendered.
  let frame: FrameHeader
  /// The number of rows at the end of a chunk that need samples of the next one, and are written with it.
  private let delayedRowCount: Int
  /// The number of MCU rows in a chunk.
  private(set) var rowsPerChunk: Int
  /// The number of threads that take chunks.
  private(set) var threadCount: Int
  /// The number of MCU rows whose coefficients stay in a core's cache.
  private let cachedRowCount: Int

  /// The size of a chunk's coefficients, with which they stay in a core's cache while they are decoded and transformed.
  private static let coefficientByteCount = 3 << 18
  /// More chunks than threads, so that these are busy for most of the time: they start one after the other.
  private static let chunksPerThread = 8
  /// The usual number of chunks if memory is scarce. More of them would take little less, and the time that a scan of a
  /// chunk takes whatever is in it, which is not charged, could add up.
  private static let smallChunkCount = 64
  /// Below half a megapixel a second thread starts too late to help, and most coefficients stay in the cache anyway.
  private static let minimumPixelCount = 1 << 19

  /// Whether a picture is large enough for chunks.
  static func areWorthwhile(for frame: FrameHeader) -> Bool {
    let (pixelCount, isHuge) = frame.width.multipliedReportingOverflow(by: frame.height)
    return isHuge || pixelCount >= minimumPixelCount
  }

  /// Divides a picture.
  ///
  /// - Parameters:
  ///   - writer: what writes the rows of the chunks.
  ///   - bytesPerBlock: the usual size of a block's coefficients.
  init(_ writer: borrowing RowWriter, blocksPerMCU: Int, bytesPerBlock: Int, parallelism: Int) {
    frame = writer.frame
    delayedRowCount = writer.delayedRowCount
    let rowByteCount = frame.mcusPerRow * blocksPerMCU * bytesPerBlock
    let threads = ParallelRows.threadCount(parallelism)
    cachedRowCount = max(1, Self.coefficientByteCount / rowByteCount)
    rowsPerChunk = max(1, min(cachedRowCount, frame.mcuRowCount / (threads * Self.chunksPerThread)))
    threadCount = threads
    threadCount = min(threadCount, count)
  }

  /// The number of chunks.
  var count: Int { (frame.mcuRowCount + rowsPerChunk - 1) / rowsPerChunk }

  /// Chunks that take less memory: the same for any number of threads.
  var smallest: RowChunks {
    var chunks = self
    chunks.rowsPerChunk = max(1, min(cachedRowCount, frame.mcuRowCount / Self.smallChunkCount))
    chunks.threadCount = 1
    return chunks
  }

  /// Whether a chunk passes its last band to the next one, because rows at the edge need samples of both. A single thread
  /// has it already.
  var passEdges: Bool { delayedRowCount > 0 && threadCount > 1 }

  /// The MCU rows of a chunk.
  func mcuRows(of index: Int) -> Range<Int> {
    index * rowsPerChunk..<min((index + 1) * rowsPerChunk, frame.mcuRowCount)
  }

  /// The rows of the picture that are written with a chunk.
  func pictureRows(of index: Int) -> Range<Int> {
    pictureRows(of: index..<index + 1)
  }

  /// The rows of the picture that are written with adjacent chunks.
  func pictureRows(of chunks: Range<Int>) -> Range<Int> {
    let (first, end) = (chunks.lowerBound * rowsPerChunk, min(chunks.upperBound * rowsPerChunk, frame.mcuRowCount))
    let start = frame.rowCount(ofBands: first, delayedRowCount: delayedRowCount)
    return start..<frame.rowCount(ofBands: end, delayedRowCount: delayedRowCount)
  }
}

extension SampleBands {
  /// Makes the samples of a chunk and writes its rows.
  ///
  /// - Parameters:
  ///   - edges: the last band of each chunk for the next one, if chunks pass it. Otherwise these bands have it.
  ///   - transform: makes the samples of an MCU row. It is called for the last row first, which another thread may wait
  ///     for.
  /// - Returns: `false` if the previous chunk was abandoned.
  mutating func writeChunk(
    _ index: Int, of chunks: RowChunks, edges: ChunkSlots<[UInt8]>, _ writer: inout RowWriter,
    to band: consuming BitmapBand, _ transform: (_ mcuRow: Int, _ bands: inout SampleBands) -> Void
  ) -> Bool {
    let rows = chunks.mcuRows(of: index)
    let last = rows.upperBound - 1
    var lastSamples: [UInt8] = []
    if chunks.passEdges, index + 1 < chunks.count {
      transform(last, &self)
      lastSamples = samples
      edges.pass(lastSamples, to: index + 1)
    }
    if chunks.passEdges, index > 0 {
      guard let edge = edges.take(index) else { return false }
      copyBand(rows.lowerBound - 1, from: edge)
    }
    var written = chunks.pictureRows(of: index).lowerBound
    for row in rows {
      if row == last, !lastSamples.isEmpty {
        copyBand(row, from: lastSamples)
      } else {
        transform(row, &self)
      }
      let end = writer.rowCount(ofBands: row + 1)
      writer.write(rows: written..<end, from: &self, to: &band)
      written = end
    }
    return true
  }
}
