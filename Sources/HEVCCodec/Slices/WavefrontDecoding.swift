// Decoding of the rows of a picture on several threads, if their entropy coding is synchronized row by row (section
// 9.3.1). Each thread decodes whole rows into memory of its own. What a row needs of the one above is copied (see
// WavefrontRow), and finished rows are copied to the picture, where they are filtered.

internal import ImageCore
internal import Threading

/// The picture while its rows arrive, in any order.
private struct WavefrontPicture: ~Copyable, Sendable {
  var picture: PictureDecoder?
  var nextRow = 0
  var isRowFinished: [Bool]
  /// The number of finished rows before the first one that is not.
  var finishedCount = 0
  var isAbandoned = false

  init(_ picture: consuming PictureDecoder) {
    isRowFinished = [Bool](repeating: false, count: picture.layout.rowCount)
    self.picture = consume picture
  }

  /// Returns the next row that no thread has taken. The row above has then been taken.
  mutating func takeRow() -> Int? {
    guard !isAbandoned, nextRow < isRowFinished.count else { return nil }
    nextRow += 1
    return nextRow - 1
  }

  /// Copies a row and filters what becomes final.
  mutating func finish(_ row: Int, of lane: borrowing PictureDecoder) {
    picture?.copyRow(row, of: lane)
    isRowFinished[row] = true
    while finishedCount < isRowFinished.count, isRowFinished[finishedCount] {
      finishedCount += 1
      picture?.finishRow(finishedCount * lane.layout.columnCount - 1)
    }
  }
}

extension PictureDecoder {
  /// Decodes a slice segment that contains the whole picture, on several threads.
  ///
  /// - Parameters:
  ///   - picture: a picture of which nothing has been decoded. If the result is `false`, it is in an arbitrary state.
  ///   - starts: the index of the first byte of each row.
  /// - Returns: whether everything was valid. If it was not, serial decoding finds out what.
  static func decodeWavefront(
    _ picture: inout PictureDecoder?, _ header: SliceHeader, starts: [Int], _ bytes: Span<UInt8>, byteCount: Int,
    threadCount: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Bool {
    guard var main = picture.take() else { return false }
    let seed = LaneSeed(
      parameters: main.parameters, layout: main.layout, weights: main.weights, chromaOffsets: main.chromaOffsets,
      slice: header.parameters)
    let (rowCount, blockCount) = (main.layout.rowCount, main.blockCount)
    let work = Int(
      clamping: Int64(Self.work(ofSegment: header, byteCount: byteCount)) + Self.work(ofPicture: main.parameters))
    let (rowByteCount, overflow) = WavefrontRow.byteCount(main.parameters).multipliedReportingOverflow(by: rowCount)
    let heldByteCount = rowByteCount + threadCount * seed.byteCount
    guard !overflow, Int64(work) <= budget.availableWork, heldByteCount <= budget.availableByteCount else {
      picture = consume main
      return false
    }
    try budget.allocate(heldByteCount)
    defer { budget.release(heldByteCount) }
    main.slice = header.parameters
    main.slices.append(header.parameters)
    let rows = (0..<rowCount).map { _ in WavefrontRow(seed.parameters) }
    let state = Mutex(WavefrontPicture(main))
    let split = budget.split()
    ParallelRows.perform(count: threadCount, parallelism: threadCount) { _ in
      var laneBudget = split.share()
      var unlimited = ResourceBudget(DecodingLimits.unlimited)
      guard var decoder = try? PictureDecoder(seed, &unlimited) else {
        state.withLock { $0.isAbandoned = true }
        return
      }
      while let row = state.withLock({ $0.takeRow() }) {
        if decoder.decodeRow(row, rows, starts, bytes, byteCount: byteCount, &laneBudget) {
          state.withLock { $0.finish(row, of: decoder) }
        } else {
          state.withLock { $0.isAbandoned = true }
          for row in rows { row.abandon() }
        }
      }
    }
    let isComplete = state.withLock { !$0.isAbandoned }
    picture = state.withLock { $0.picture.take() }
    if isComplete {
      picture?.decodedBlockCount = blockCount
      picture?.nextPlace = blockCount
      // The threads checked before each block.
      try budget.chargeWorkInParts(count: work, unitsEach: 1)
    }
    return isComplete
  }

  /// Decodes a row into the memory of a thread.
  ///
  /// - Returns: whether it is valid and decoding was not abandoned.
  fileprivate mutating func decodeRow(
    _ row: Int, _ rows: [WavefrontRow], _ starts: [Int], _ bytes: Span<UInt8>, byteCount: Int,
    _ budget: inout ResourceBudget
  ) -> Bool {
    let columnCount = layout.columnCount
    let top = row << parameters.log2TreeBlock
    let isLastRow = row == layout.rowCount - 1
    buffer.moveWindow(toRow: top, parameters)
    cabac = CABACDecoder(end: byteCount)
    cabac.restart(at: starts[row], bytes)
    var takenCount = 0
    for column in 0..<columnCount {
      if row > 0 {
        // The block above the next one, too.
        guard let count = rows[row - 1].wait(forCount: min(column + 2, columnCount)) else { return false }
        if count > takenCount { take(takenCount..<count, from: rows[row - 1], top: top) }
        takenCount = count
      }
      guard (try? budget.chargeWork(Self.workPerBlock(parameters))) != nil else { return false }
      startBlock(row * columnCount + column)
      if column == 0 {
        models = row > 0 && tree.hasTopRight ? wavefrontModels : ContextModels(qp: slice.qp)
        (quantization.qp, quantization.previous) = (slice.qp, slice.qp)
      }
      decodeTreeBlock(bytes)
      guard damage == nil, !cabac.isExhausted else { return false }
      if column == 1 { wavefrontModels = models }
      let isEnd = cabac.decodeTerminate(bytes)
      guard isEnd == (isLastRow && column == columnCount - 1) else { return false }
      if !isLastRow { publish(column, to: rows[row]) }
    }
    // The bit at the end of a substream, and the position of the next one.
    return isLastRow || cabac.decodeTerminate(bytes) && cabac.alignedIndex == starts[row + 1]
  }

  /// Copies a row that a lane has decoded.
  fileprivate mutating func copyRow(_ row: Int, of lane: borrowing PictureDecoder) {
    let top = row << parameters.log2TreeBlock
    let bottom = min(top + parameters.treeBlockSize, parameters.height)
    buffer.copyRows(top..<bottom, of: lane.buffer, parameters)
    map.copyRows(top / 8..<(bottom + 7) / 8, of: lane.map)
    let first = row * layout.columnCount
    for address in first..<first + layout.columnCount { treeBlocks[address] = lane.treeBlocks[address] }
  }
}

/// What the decoders of all threads have in common.
struct LaneSeed: Sendable {
  let parameters: CodingParameters
  let layout: TileLayout
  let weights: [UInt8]
  let chromaOffsets: [(cb: Int, cr: Int)]
  let slice: SliceParameters

  /// The memory of a thread.
  var byteCount: Int {
    let blockCount = layout.columnCount * layout.rowCount
    return SampleBuffer.windowByteCount(parameters) + (parameters.width / 8 + 1) * (parameters.height / 8 + 1) * 4
      + blockCount * MemoryLayout<TreeBlock>.stride + PictureDecoder.fixedByteCount
      + (parameters.width / 8) * (MemoryLayout<FilterEdge>.stride + 1)
  }
}

/// Returns the index of the first byte of each substream in a payload without emulation prevention bytes; `nil` if they
/// are not all in it.
///
/// - Parameters:
///   - range: the payload with these bytes.
///   - dataOffset: the index of the first byte of the first substream.
///   - byteCounts: those of all substreams but the last one, in which emulation prevention bytes count; at least one.
func substreamStarts(
  _ bytes: Span<UInt8>, _ range: Range<Int>, dataOffset: Int, byteCounts: [Int]
) -> [Int]? {
  var starts = [dataOffset]
  var next = Int.max
  var (count, zeroCount) = (0, 0)
  for index in range {
    let byte = bytes[index]
    let isInserted = zeroCount >= 2 && byte == 3
    if count == dataOffset, next == .max, !isInserted { next = index &+ byteCounts[0] }
    if index == next, starts.count <= byteCounts.count {
      starts.append(count)
      if starts.count <= byteCounts.count { next = index &+ byteCounts[starts.count - 1] }
    }
    if isInserted {
      zeroCount = 0
      continue
    }
    zeroCount = byte == 0 ? zeroCount &+ 1 : 0
    count += 1
  }
  return starts.count == byteCounts.count + 1 ? starts : nil
}
