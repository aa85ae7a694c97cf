// Decodes a scan with all components on several threads. Bits can be read in order only, so a thread reads those of a
// chunk of rows, passes the position on, and makes the pixels of its chunk while another thread reads on.

internal import ImageCoding
internal import PixelPlanes
internal import Threading

/// The position at the start of a chunk.
private struct ChunkStart: Sendable {
  var cursor: ScanCursor
  var lost: LostUnits
}

/// The state that a thread keeps from one chunk to the next.
private struct ChunkDecoder {
  private var decoding: RowDecoding
  private var list: CoefficientList
  private var bands: SampleBands
  private var writer: RowWriter
  /// The locations of an MCU's blocks, in even and odd bands.
  private let targets: [[SampleTarget]]

  init(_ decoding: RowDecoding, _ chunks: RowChunks) {
    self.decoding = decoding
    list = CoefficientList(blocksPerRow: chunks.frame.mcusPerRow * decoding.tables.blocks.count)
    bands = SampleBands(frame: chunks.frame, pool: nil)
    writer = decoding.reconstruction.writer
    targets = [decoding.reconstruction.targets(ofBand: 0), decoding.reconstruction.targets(ofBand: 1)]
  }

  /// The memory of one thread, and of what it has passed to another.
  static func byteCount(_ decoding: RowDecoding, _ chunks: RowChunks) -> Int {
    let blocksPerRow = chunks.frame.mcusPerRow * decoding.tables.blocks.count
    return CoefficientList.byteCount(blocksPerRow: blocksPerRow, rowCount: chunks.rowsPerChunk)
      + 2 * SampleBands.byteCount(for: chunks.frame)
  }

  /// Reads the coefficients of a chunk.
  ///
  /// - Returns: `nil` if the data ends, or the decode is interrupted.
  mutating func read(
    _ index: Int, of chunks: RowChunks, from start: ChunkStart, _ bytes: Span<UInt8>,
    _ interruption: Interruption
  ) -> ChunkStart? {
    list.removeAll()
    decoding.cursor = start.cursor
    decoding.lost = start.lost
    for _ in chunks.mcuRows(of: index) {
      guard (try? interruption.check()) != nil,
        case .completed = decoding.decodeBand(bytes, into: &list, mcusPerRow: chunks.frame.mcusPerRow)
      else { return nil }
    }
    return ChunkStart(cursor: decoding.cursor, lost: decoding.lost)
  }

  /// Makes the pixels of a chunk.
  mutating func write(
    _ index: Int, of chunks: RowChunks, edges: ChunkSlots<[UInt8]>, to band: consuming BitmapBand
  ) -> Bool {
    let first = chunks.mcuRows(of: index).lowerBound
    let (list, targets) = (list, targets)
    return bands.writeChunk(index, of: chunks, edges: edges, &writer, to: band) {
      $1.transform(list.row($0 - first), mcusPerRow: chunks.frame.mcusPerRow, targets[$0 & 1])
    }
  }
}

extension RowDecoding {
  /// Decodes all bands. If the scan has valid restart intervals, they are decoded independently of each other;
  /// otherwise one thread after the other reads the bits of a chunk of rows. The work of all bands is already charged.
  mutating func decodeInParallel(
    _ bytes: Span<UInt8>, frame: FrameHeader, into bitmap: inout Bitmap, parallelism: Int,
    _ context: inout DecodingContext
  ) throws(CodecError) -> RowOutcome {
    if try decodeIntervalsInParallel(
      bytes, frame: frame, into: &bitmap, parallelism: parallelism, budget: &context.budget)
    {
      return .completed
    }
    let chunks = RowChunks(
      reconstruction.writer, blocksPerMCU: tables.blocks.count, bytesPerBlock: CoefficientList.usualByteCount,
      parallelism: parallelism)
    if chunks.threadCount > 1 { try decodeChunks(chunks, bytes, into: &bitmap, &context.budget) }
    // The rest, if the data ends early.
    return try decodeSerially(bytes, isFinal: true, frame: frame, into: &bitmap, &context)
  }

  /// Decodes chunk after chunk, up to one in which the data ends. Without memory for the threads, nothing is decoded.
  private mutating func decodeChunks(
    _ chunks: RowChunks, _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let slotByteCount =
      ChunkSlots<ChunkStart>.byteCount(slotCount: chunks.count + 1)
      + ChunkSlots<[UInt8]>.byteCount(slotCount: chunks.count + 1)
    let heldByteCount = budget.heldByteCount
    defer { budget.settle(heldByteCount: heldByteCount) }
    guard (try? budget.allocate(count: chunks.threadCount, bytesEach: ChunkDecoder.byteCount(self, chunks))) != nil,
      (try? budget.allocate(slotByteCount)) != nil
    else { return }
    let starts = ChunkSlots<ChunkStart>(count: chunks.count + 1)
    let edges = ChunkSlots<[UInt8]>(count: chunks.count + 1)
    starts.pass(ChunkStart(cursor: cursor, lost: lost), to: 0)
    let (template, interruption) = (self, budget.interruption)
    // The first chunk that could not be read. All chunks before it are complete.
    let stop = Mutex<(index: Int, start: ChunkStart)?>(nil)
    bitmap.withBands((0..<chunks.count).map { chunks.pictureRows(of: $0) }) { picture in
      _ = ParallelRows.takeTurns(
        count: chunks.count, parallelism: chunks.threadCount, makeState: { ChunkDecoder(template, chunks) }
      ) { decoder, index in
        guard let start = starts.take(index) else {
          starts.pass(nil, to: index + 1)
          return false
        }
        let next = decoder.read(index, of: chunks, from: start, bytes, interruption)
        if next == nil { stop.withLock { $0 = (index, start) } }
        let isRead = next != nil
        starts.pass(next, to: index + 1)
        return isRead && decoder.write(index, of: chunks, edges: edges, to: picture.take(index))
      }
    }
    if let (index, start) = stop.withLock({ $0 }) {
      (cursor, lost) = (start.cursor, start.lost)
      let edge = chunks.passEdges && index > 0 ? edges.take(index) : nil
      reconstruction.resume(atBand: chunks.mcuRows(of: index).lowerBound, after: edge ?? [])
      try budget.checkpoint()
    } else if let end = starts.take(chunks.count) {
      (cursor, lost) = (end.cursor, end.lost)
      reconstruction.resume(atBand: chunks.frame.mcuRowCount, after: [])
    }
  }
}
