// The decoding of a chunk of rows in all scans of an image.

internal import ImageCoding
internal import PixelPlanes

/// The coefficients and samples of a chunk, which serve one chunk after the other.
struct ScanChunkDecoder {
  private var planes: CoefficientPlanes
  private var bands: SampleBands
  private var writer: RowWriter
  private let renderer: BufferedRenderer
  private let frame: FrameHeader
  private let pool: BufferPool?

  /// - Parameter frame: the frame at its stored size.
  init(_ renderer: BufferedRenderer, _ writer: RowWriter, frame: FrameHeader, pool: BufferPool?) {
    planes = CoefficientPlanes(frame: frame)
    bands = SampleBands(frame: writer.frame, pool: pool)
    self.writer = writer
    self.renderer = renderer
    self.frame = frame
    self.pool = pool
  }

  /// The memory of a decoder, and of the samples that it has passed to the next chunk.
  static func byteCount(_ chunks: RowChunks, frame: FrameHeader) -> Int {
    chunks.rowsPerChunk * frame.mcusPerRow * frame.blocksPerMCU * 128
      + (chunks.passEdges ? 2 : 1) * SampleBands.byteCount(for: chunks.frame)
  }

  /// Sets the coefficients of some MCU rows to zero, for their first scan.
  mutating func start(mcuRows: Range<Int>) {
    planes.move(toMCURows: mcuRows, pool)
  }

  /// Decodes the chunk's rows of a scan. Like all rows of a scan, they may be damaged.
  ///
  /// - Parameter cursor: the position after the chunk before.
  /// - Returns: the units that could not be decoded.
  mutating func decode(
    _ entry: ScanPlan.Entry, mcuRows: Range<Int>, _ cursor: inout ScanCursor, _ bytes: Span<UInt8>,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> LostUnits {
    var lost = LostUnits()
    // The units after the end have been lost with those of an earlier chunk.
    if cursor.hasEnded { return lost }
    // Never past the end of the scan.
    let data = bytes.extracting(0..<entry.data.upperBound + 2)
    try entry.scan.decode(
      &cursor, data, rows: entry.scan.rows(inMCURows: mcuRows), into: &planes, lost: &lost, budget: &budget)
    return lost
  }

  /// Makes the pixels of a chunk, whose work has been charged.
  mutating func write(
    _ index: Int, of chunks: RowChunks, edges: ChunkSlots<[UInt8]>, to band: consuming BitmapBand
  ) -> Bool {
    let (planes, renderer) = (planes, renderer)
    return bands.writeChunk(index, of: chunks, edges: edges, &writer, to: band) {
      renderer.render(band: $0, of: planes, into: &$1)
    }
  }

  /// Returns the buffers to the pool.
  mutating func recycleBuffers() {
    pool.recycle(&planes.coefficients)
    bands.recycleBuffers(pool)
  }
}
