// The stages of a VP8 key frame (RFC 6386): the header, then macroblocks row by row.

internal import ImageCoding

/// Decodes a key frame as its bytes arrive.
struct LossyDecoder {
  private enum Stage {
    case header
    case partitions
    case rowModes
    case macroblocks
    case ended
  }

  /// The range of the chunk's payload in the file.
  private let payload: Range<Int>
  let columnCount: Int
  private let rowCount: Int
  private var stage = Stage.header
  /// The range of the first partition in the file.
  private var firstPartition = 0..<0
  /// The ranges of the coefficient partitions in the file.
  private var partitions: [Range<Int>] = []
  private var modeDecoder = BoolDecoder(0..<0)
  private var decoders: [BoolDecoder] = []
  /// The file offset of the window to which the decoders' indices are relative.
  private var windowOffset: Int

  private var header: LossyHeader?
  private var modeReader: MacroblockHeaderReader?
  private var coefficientReader: CoefficientReader?
  private var headers: [MacroblockHeader]
  private var contexts: ResidualContexts
  private var residuals = Residuals()
  var reconstruction: LossyReconstruction
  /// The row and column of the next macroblock to read.
  private var row = 0
  private var column = 0
  /// The reason why the stream cannot be decoded any further.
  private(set) var damage: BitstreamDamage?

  /// - Parameters:
  ///   - width: the width stated in the frame tag.
  ///   - payload: the range of the chunk's payload in the file, including the tag.
  init(width: Int, height: Int, payload: Range<Int>, _ budget: inout ResourceBudget) throws(CodecError) {
    self.payload = payload
    windowOffset = payload.lowerBound
    columnCount = (width + 15) / 16
    rowCount = (height + 15) / 16
    try budget.allocate(
      count: columnCount, bytesEach: MemoryLayout<MacroblockHeader>.stride + MemoryLayout<BlockContext>.stride)
    headers = [MacroblockHeader](repeating: MacroblockHeader(), count: columnCount)
    contexts = ResidualContexts(macroblockColumns: columnCount)
    reconstruction = try LossyReconstruction(width: width, height: height, &budget)
  }

  /// The number of rows passed on so far.
  var emittedRowCount: Int { reconstruction.emittedRowCount }
  var isEnded: Bool { stage == .ended }

  /// The file offset of the first byte that is still needed.
  var byteOffset: Int {
    switch stage {
    case .header, .partitions: payload.lowerBound
    case .ended: payload.upperBound
    case .rowModes, .macroblocks:
      decoders.reduce(windowOffset + modeDecoder.index) { min($0, windowOffset + $1.index) }
    }
  }

  /// Decodes all complete rows of the window.
  ///
  /// - Parameters:
  ///   - window: the bytes of the chunk from ``byteOffset`` or earlier on; may not extend beyond the chunk.
  ///   - isFinal: whether the window contains the end of the chunk.
  ///   - body: receives the final rows in order, and the budget.
  mutating func advance(
    _ window: Span<UInt8>, offset: Int, isFinal: Bool, _ budget: inout ResourceBudget,
    _ body: (_ y: Int, _ row: borrowing PlanarRow, inout ResourceBudget) throws(CodecError) -> Void
  ) throws(CodecError) {
    moveWindow(to: offset, byteCount: window.count)
    while damage == nil {
      switch stage {
      case .header: guard readHeader(window, isFinal: isFinal) else { return }
      case .partitions: guard readPartitions(window, isFinal: isFinal) else { return }
      case .rowModes: try readRowModes(window, &budget)
      case .macroblocks:
        guard decodeMacroblocks(window, isFinal: isFinal) else { return }
        try reconstruction.endRow { (y: Int, row: borrowing PlanarRow) throws(CodecError) in
          try body(y, row, &budget)
        }
        endRow()
      case .ended: return
      }
    }
  }

  private mutating func moveWindow(to offset: Int, byteCount: Int) {
    let distance = offset - windowOffset
    windowOffset = offset
    func end(_ partition: Range<Int>) -> Int { min(partition.upperBound - offset, byteCount) }
    modeDecoder.moveWindow(by: distance, end: end(firstPartition))
    for index in decoders.indices { decoders[index].moveWindow(by: distance, end: end(partitions[index])) }
  }

  // MARK: Headers

  /// Reads the headers, if they are complete.
  ///
  /// - Returns: whether rows of macroblocks can be read.
  mutating func readHeaders(_ window: Span<UInt8>, offset: Int, isFinal: Bool) -> Bool {
    moveWindow(to: offset, byteCount: window.count)
    if stage == .header, !readHeader(window, isFinal: isFinal) { return false }
    if stage == .partitions, !readPartitions(window, isFinal: isFinal) { return false }
    return stage == .rowModes
  }

  /// Reads the header once the first partition is complete.
  private mutating func readHeader(_ window: Span<UInt8>, isFinal: Bool) -> Bool {
    let start = payload.lowerBound - windowOffset
    guard window.count - start >= FrameTag.byteCount else { return failEarly(isFinal) }
    let tag = Int(window[start]) | Int(window[start + 1]) << 8 | Int(window[start + 2]) << 16
    let first = payload.lowerBound + FrameTag.byteCount
    let byteCount = tag >> 5
    guard byteCount <= payload.upperBound - first else {
      return fail(.violation("the first partition is longer than its chunk"))
    }
    guard first + byteCount - windowOffset <= window.count else { return failEarly(isFinal) }
    firstPartition = first..<first + byteCount
    modeDecoder = BoolDecoder(first - windowOffset..<first + byteCount - windowOffset)
    let header = LossyHeader(&modeDecoder, window)
    if modeDecoder.isExhausted { return fail(.violation("the first partition ends in its header")) }
    self.header = header
    modeReader = MacroblockHeaderReader(header, macroblockColumns: columnCount)
    coefficientReader = CoefficientReader(header)
    reconstruction.begin(header)
    stage = .partitions
    return true
  }

  /// Reads the sizes of the other partitions (section 9.5).
  private mutating func readPartitions(_ window: Span<UInt8>, isFinal: Bool) -> Bool {
    let count = header?.partitionCount ?? 1
    let sizes = firstPartition.upperBound
    let first = sizes + 3 * (count - 1)
    guard first <= payload.upperBound else { return fail(.violation("the sizes of the partitions are cut off")) }
    guard first - windowOffset <= window.count else { return failEarly(isFinal) }
    var start = first
    for index in 0..<count {
      let place = sizes + 3 * index - windowOffset
      var end = payload.upperBound
      if index < count - 1 {
        let byteCount = Int(window[place]) | Int(window[place + 1]) << 8 | Int(window[place + 2]) << 16
        end = min(end, start + byteCount)
      }
      partitions.append(start..<end)
      decoders.append(
        BoolDecoder(start - windowOffset..<min(end - windowOffset, max(window.count, start - windowOffset))))
      start = end
    }
    guard partitions.last?.isEmpty == false else { return fail(.violation("there are no coefficients")) }
    stage = .rowModes
    return true
  }

  private mutating func fail(_ damage: BitstreamDamage) -> Bool {
    self.damage = damage
    return false
  }

  private mutating func failEarly(_ isFinal: Bool) -> Bool {
    isFinal ? fail(.earlyEnd("the image data ends in its header")) : false
  }

  // MARK: Macroblocks

  private mutating func readRowModes(
    _ window: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    // About ten units per pixel.
    try budget.chargeWork(count: columnCount, unitsEach: 2560)
    if let decoder = modeReader?.readRow(into: &headers, modeDecoder, window) { modeDecoder = decoder }
    if modeDecoder.isExhausted {
      damage = .violation("the first partition ends early")
      return
    }
    contexts.beginRow()
    column = 0
    stage = .macroblocks
  }

  /// Decodes macroblocks up to the end of the row.
  ///
  /// - Returns: whether the row is complete.
  private mutating func decodeMacroblocks(_ window: Span<UInt8>, isFinal: Bool) -> Bool {
    guard let header, let coefficientReader else { return false }
    let partition = row % partitions.count
    var decoder = decoders[partition]
    while column < columnCount {
      let before = decoder
      let isRead = contexts.readResiduals(
        of: headers[column], column: column, header, coefficientReader, into: &residuals, &decoder, window)
      guard isRead else {
        residuals.clear()
        guard isFinal || isComplete(partition, window) else {
          decoders[partition] = before
          return false
        }
        return failInPartition(partition, window)
      }
      reconstruction.reconstruct(headers[column], &residuals, column: column)
      column += 1
    }
    decoders[partition] = decoder
    return true
  }

  /// Reads the next row of macroblocks without reconstructing it.
  ///
  /// - Parameter window: contains the rest of the chunk, or of the input.
  /// - Returns: `false` if the stream is damaged.
  mutating func readRow(
    into parsedRow: inout ParsedRow, _ window: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Bool {
    try readRowModes(window, &budget)
    guard damage == nil, let header, let coefficientReader else { return false }
    let partition = row % partitions.count
    var decoder = decoders[partition]
    for column in 0..<columnCount {
      let isRead = contexts.readResiduals(
        of: headers[column], column: column, header, coefficientReader, into: &parsedRow.residuals[column], &decoder,
        window)
      guard isRead else { return failInPartition(partition, window) }
    }
    decoders[partition] = decoder
    // The next row of modes replaces all headers.
    swap(&headers, &parsedRow.headers)
    endRow()
    return true
  }

  private func isComplete(_ partition: Int, _ window: Span<UInt8>) -> Bool {
    partitions[partition].upperBound <= windowOffset + window.count
  }

  private mutating func failInPartition(_ partition: Int, _ window: Span<UInt8>) -> Bool {
    let reason = "a partition ends early"
    return fail(isComplete(partition, window) ? .violation(reason) : .earlyEnd(reason))
  }

  private mutating func endRow() {
    row += 1
    stage = row == rowCount ? .ended : .rowModes
  }
}
