// Decoding of the rows of a picture on several threads, if their entropy coding is synchronized row by row (section
// 9.3.1). Each thread decodes whole rows into memory for one. It copies the state that a row needs of the one above
// (see WavefrontRow); finished rows are copied to the picture, where they are filtered.

internal import ImageCoding
internal import Threading

/// The decoder of a thread: that of slices, and the memory for one row of coding tree blocks.
struct RowDecoder: Sendable {
  var slices: SliceDecoder
  var picture: DecodedPicture
}

/// The picture while its rows arrive, in any order.
private struct WavefrontPicture: ~Copyable, Sendable {
  var decoder: PictureDecoder?
  /// One for each thread.
  var rowDecoders: [RowDecoder]
  var isRowFinished: [Bool]
  /// The number of finished rows before the first one that is not.
  var finishedCount = 0

  init(_ decoder: consuming PictureDecoder, _ rowDecoders: consuming [RowDecoder]) {
    isRowFinished = [Bool](repeating: false, count: decoder.picture.layout.rowCount)
    self.rowDecoders = rowDecoders
    self.decoder = consume decoder
  }

  /// Copies a row and filters the rows that become final.
  mutating func finish(_ row: Int, of picture: DecodedPicture) {
    decoder?.picture.copyRow(row, of: picture)
    isRowFinished[row] = true
    while finishedCount < isRowFinished.count, isRowFinished[finishedCount] {
      finishedCount += 1
      decoder?.filterRows(decodedRowCount: finishedCount)
    }
  }
}

extension PictureDecoder {
  /// Decodes a slice segment that contains the whole picture, on several threads.
  ///
  /// - Parameters:
  ///   - decoder: that of a picture of which nothing has been decoded. If the result is `false`, it is used up.
  ///   - starts: the index of the first byte of each row.
  /// - Returns: whether everything was valid. If it was not, serial decoding reports the damage.
  static func decodeWavefront(
    _ decoder: inout PictureDecoder?, _ header: SliceHeader, starts: [Int], _ bytes: Span<UInt8>, byteCount: Int,
    threadCount: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Bool {
    guard var main = decoder.take() else { return false }
    let parameters = main.picture.parameters
    let (count, rowCount) = (main.picture.count, main.picture.layout.rowCount)
    let work = Int(
      clamping: Int64(SegmentWork(header, byteCount: byteCount).rest)
        + Int64(count) * Int64(workPerBlock(parameters)))
    guard Int64(work) <= budget.availableWork else { return false }
    let heldByteCount = budget.heldByteCount
    defer { budget.settle(heldByteCount: heldByteCount) }
    var rowDecoders: [RowDecoder] = []
    do throws(CodecError) {
      try main.picture.append(header.parameters, &budget)
      try budget.allocate(count: rowCount, bytesEach: WavefrontRow.byteCount(parameters))
      for _ in 0..<threadCount {
        rowDecoders.append(
          RowDecoder(
            slices: try SliceDecoder(parameters, &budget), picture: try DecodedPicture(rowOf: main.picture, &budget)))
      }
    } catch {
      return false
    }
    let rows = (0..<rowCount).map { _ in WavefrontRow(parameters) }
    let state = Mutex(WavefrontPicture(main, rowDecoders))
    let interruption = budget.interruption
    // The row above a row has been taken before it.
    let isValid = ParallelRows.takeTurns(
      count: rowCount, parallelism: threadCount, makeState: { state.withLock { $0.rowDecoders.popLast() } }
    ) { decoder, row in
      guard decoder?.decode(row, header, rows, starts, bytes, byteCount: byteCount, interruption) == true,
        let picture = decoder?.picture
      else {
        for row in rows { row.abandon() }
        return false
      }
      state.withLock { $0.finish(row, of: picture) }
      return true
    }
    guard isValid else { return false }
    decoder = state.withLock { $0.decoder.take() }
    // The threads checked before each CTB.
    try budget.chargeWorkInParts(count: work, unitsEach: 1)
    return true
  }
}

extension RowDecoder {
  /// Decodes a row.
  ///
  /// - Returns: whether it is valid and decoding was not abandoned.
  fileprivate mutating func decode(
    _ row: Int, _ header: SliceHeader, _ rows: [WavefrontRow], _ starts: [Int], _ bytes: Span<UInt8>, byteCount: Int,
    _ interruption: Interruption
  ) -> Bool {
    let (columnCount, isLastRow) = (picture.layout.columnCount, row == picture.layout.rowCount - 1)
    picture.moveToRow(row)
    slices.start(header, at: starts[row], byteCount: byteCount, bytes)
    var takenCount = 0
    for column in 0..<columnCount {
      if row > 0 {
        // The CTB above the next one, too.
        guard let count = rows[row - 1].wait(forCount: min(column + 2, columnCount)) else { return false }
        if count > takenCount { take(takenCount..<count, from: rows[row - 1], aboveRow: row) }
        takenCount = count
      }
      guard (try? interruption.check()) != nil else { return false }
      slices.decodeCodingTreeBlock(row * columnCount + column, &picture, bytes)
      guard slices.damage == nil, slices.readEnd(bytes) == (isLastRow && column == columnCount - 1) else {
        return false
      }
      if !isLastRow { publish(column, to: rows[row]) }
    }
    // The bit at the end of a substream, and the position of the next one.
    return isLastRow || slices.cabac.decodeTerminate(bytes) && slices.cabac.alignedIndex == starts[row + 1]
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
