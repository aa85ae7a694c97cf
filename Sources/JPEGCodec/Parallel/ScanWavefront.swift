// Decodes the scans of a progressive or non-interleaved image chunk by chunk. Each scan can be read in order only, but rows
// of a scan need no more than the same rows of earlier scans. A chunk of rows is therefore decoded in all scans and becomes
// pixels; the position in each scan is passed to the next chunk, which another thread may decode one scan later. Only
// the coefficients of a chunk are held, which stay in the cache of a core.
//
// The rows of a scan are decoded in the same order and from the same state as if the scan was decoded at once, damaged
// or not, so that coefficients and lost units are the same.

internal import ImageCoding
internal import PixelPlanes
internal import Threading

/// A scan whose rows have all become pixels.
struct RenderedScan: Sendable {
  /// The position after the last row.
  let cursor: ScanCursor
  /// The units that could not be decoded, if they are those of the picture.
  let lost: LostUnits
}

/// The decoding of all scans of a plan, some chunks at a time.
final class ScanWavefront: Sendable {
  private let scans: [ScanPlan.Entry]
  private let locatingScan: Int?
  private let frame: FrameHeader
  private let chunks: RowChunks
  private let makeDecoder: @Sendable () -> ScanChunkDecoder
  /// The last band of each chunk for the next one, if chunks pass it.
  private let edges: ChunkSlots<[UInt8]>
  /// For each scan, the position at the start of a chunk.
  private let cursors: [ChunkSlots<ScanCursor>]
  /// The decoders that no thread uses.
  private let idleDecoders = Mutex<[ScanChunkDecoder]>([])
  private let state = Mutex(State())

  private struct State: Sendable {
    /// The units of the picture that could not be decoded, in all chunks so far.
    var lost = LostUnits()
    var foundDamage = false
    var spending: [BudgetSpending] = []
    var error: CodecError?
  }

  /// - Parameters:
  ///   - frame: the frame at its stored size.
  ///   - makeDecoder: makes the decoder of one thread.
  init(
    _ plan: ScanPlan, frame: FrameHeader, _ chunks: RowChunks, makeDecoder: @escaping @Sendable () -> ScanChunkDecoder
  ) {
    scans = plan.entries
    locatingScan = plan.locatingScan
    self.frame = frame
    self.chunks = chunks
    self.makeDecoder = makeDecoder
    edges = ChunkSlots(count: Self.edgeSlotCount(chunks))
    cursors = plan.entries.map { entry in
      let slots = ChunkSlots<ScanCursor>(count: chunks.threadCount)
      slots.pass(ScanCursor(position: entry.data.lowerBound, restartInterval: entry.restartInterval), to: 0)
      return slots
    }
  }

  /// A slot for each edge that is passed: threads may pass on some before one is taken.
  private static func edgeSlotCount(_ chunks: RowChunks) -> Int { chunks.passEdges ? chunks.count + 1 : 1 }

  /// The memory of all threads, and of what is passed from chunk to chunk.
  static func byteCount(_ plan: ScanPlan, frame: FrameHeader, _ chunks: RowChunks) -> Int {
    chunks.threadCount * ScanChunkDecoder.byteCount(chunks, frame: frame)
      + ChunkSlots<[UInt8]>.byteCount(slotCount: edgeSlotCount(chunks))
      + plan.entries.count * ChunkSlots<ScanCursor>.byteCount(slotCount: chunks.threadCount)
  }

  /// Whether there is damage in the chunks so far that will be reported.
  var foundDamage: Bool { state.withLock { $0.foundDamage } }
  /// The units of the picture that could not be decoded, in all chunks so far.
  var lost: LostUnits { state.withLock { $0.lost } }

  /// Decodes the next chunks, and writes their rows.
  ///
  /// - Parameters:
  ///   - bitmap: holds the rows.
  ///   - writesPixels: whether rows are written. If not, no later ones are.
  /// - Throws: the errors of the budget. The wavefront is of no use afterwards.
  func decode(
    _ indices: Range<Int>, _ bytes: Span<UInt8>, into bitmap: inout Bitmap, writesPixels: Bool,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let split = budget.split()
    if writesPixels {
      bitmap.withBands(indices.map { chunks.pictureRows(of: $0) }) { decode(indices, bytes, to: $0, split) }
    } else {
      decode(indices, bytes, to: nil, split)
    }
    let (spending, error) = state.withLock { state in
      defer { state.spending = [] }
      return (state.spending, state.error)
    }
    try budget.join(spending)
    if let error { throw error }
  }

  private func decode(
    _ indices: Range<Int>, _ bytes: Span<UInt8>, to picture: BitmapBands?, _ split: borrowing BudgetSplit
  ) {
    ParallelRows.takeTurns(count: indices.count, parallelism: chunks.threadCount, makeState: {}) { _, position in
      let index = indices.lowerBound + position
      var decoder = idleDecoders.withLock { $0.popLast() } ?? makeDecoder()
      var share = split.share()
      var isDecoded = true
      do throws(CodecError) {
        isDecoded = try decode(index, bytes, &decoder, &share)
        if isDecoded, let picture {
          isDecoded = decoder.write(index, of: chunks, edges: edges, to: picture.take(position))
        }
      } catch {
        isDecoded = false
        state.withLock { $0.error = $0.error ?? error }
      }
      if !isDecoded { edges.pass(nil, to: index + 1) }
      let spending = split.close(share)
      state.withLock { $0.spending.append(spending) }
      idleDecoders.withLock { $0.append(decoder) }
      return isDecoded
    }
  }

  /// Decodes a chunk in all scans, and charges the work of its pixels.
  ///
  /// - Returns: `false` if the previous chunk has failed.
  private func decode(
    _ index: Int, _ bytes: Span<UInt8>, _ decoder: inout ScanChunkDecoder, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Bool {
    let mcuRows = chunks.mcuRows(of: index)
    decoder.start(mcuRows: mcuRows)
    for (number, slots) in cursors.enumerated() {
      var next: ScanCursor?
      defer { slots.pass(next, to: index + 1) }
      guard var cursor = slots.take(index) else { return false }
      let lost = try decoder.decode(scans[number], mcuRows: mcuRows, &cursor, bytes, &budget)
      if cursor.foundDamage { state.withLock { $0.foundDamage = true } }
      // In order, because the next chunk has not received its position yet.
      if number == locatingScan, !lost.ranges.isEmpty { state.withLock { $0.lost.append(lost) } }
      next = cursor
    }
    try budget.chargeWork(
      count: mcuRows.count * frame.mcusPerRow * frame.blocksPerMCU, unitsEach: BufferedDecoding.workPerRenderedBlock)
    return true
  }

  /// Ends the decoding after the last chunk. Called once.
  func finish() -> ArraySlice<RenderedScan> {
    var decoders = idleDecoders.withLock { decoders in
      defer { decoders = [] }
      return decoders
    }
    for index in decoders.indices { decoders[index].recycleBuffers() }
    let lost = lost
    var scans: ArraySlice<RenderedScan> = []
    for (number, slots) in cursors.enumerated() {
      guard let cursor = slots.take(chunks.count) else { break }
      scans.append(RenderedScan(cursor: cursor, lost: number == locatingScan ? lost : LostUnits()))
    }
    return scans
  }
}
