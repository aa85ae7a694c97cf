// The stages of a VP8 key frame (RFC 6386): the header, then macroblocks row by row.

internal import ImageCore

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
  private let columnCount: Int
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
  private var filters: [MacroblockFilter]
  private var contextsAbove: [BlockContext]
  private var contextLeft = BlockContext()
  private var residuals = Residuals()
  private var samples = [UInt8](repeating: 0, count: MacroblockLayout.byteCount)
  private var rowAbove: RowAbove
  private var strip: PictureStrip
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
      count: columnCount,
      bytesEach: MemoryLayout<MacroblockHeader>.stride + MemoryLayout<MacroblockFilter>.stride
        + MemoryLayout<BlockContext>.stride + 40)
    headers = [MacroblockHeader](repeating: MacroblockHeader(), count: columnCount)
    filters = [MacroblockFilter](repeating: MacroblockFilter(), count: columnCount)
    contextsAbove = [BlockContext](repeating: BlockContext(), count: columnCount)
    rowAbove = RowAbove(macroblockColumns: columnCount)
    strip = try PictureStrip(width: width, height: height, &budget)
  }

  /// The number of rows passed on so far.
  var emittedRowCount: Int { strip.emittedRowCount }
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
  ///   - body: receives the final rows in order.
  mutating func advance(
    _ window: Span<UInt8>, offset: Int, isFinal: Bool, _ budget: inout ResourceBudget,
    _ body: (_ y: Int, _ row: borrowing PlanarRow) throws(CodecError) -> Void
  ) throws(CodecError) {
    moveWindow(to: offset, byteCount: window.count)
    while damage == nil {
      switch stage {
      case .header: guard readHeader(window, isFinal: isFinal) else { return }
      case .partitions: guard readPartitions(window, isFinal: isFinal) else { return }
      case .rowModes: try readRowModes(window, &budget)
      case .macroblocks:
        guard readMacroblocks(window, isFinal: isFinal) else { return }
        try endRow(body)
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
    modeReader?.readRow(into: &headers, &modeDecoder, window)
    if modeDecoder.isExhausted {
      damage = .violation("the first partition ends early")
      return
    }
    contextLeft = BlockContext()
    column = 0
    stage = .macroblocks
  }

  /// Decodes macroblocks up to the end of the row.
  ///
  /// - Returns: whether the row is complete.
  private mutating func readMacroblocks(_ window: Span<UInt8>, isFinal: Bool) -> Bool {
    guard let header, let coefficientReader else { return false }
    let partition = row % partitions.count
    var decoder = decoders[partition]
    let corner: UInt8 = row == 0 ? 127 : 129
    while column < columnCount {
      let macroblock = headers[column]
      var contextAbove = contextsAbove[column]
      var contextLeft = contextLeft
      let before = decoder
      var hasCoefficients = false
      if macroblock.isSkipped {
        contextAbove.blocks = 0
        contextLeft.blocks = 0
        if !macroblock.hasSubblocks {
          contextAbove.secondary = 0
          contextLeft.secondary = 0
        }
        residuals.luma = 0
        residuals.chroma = 0
      } else {
        coefficientReader.read(
          into: &residuals, hasSubblocks: macroblock.hasSubblocks,
          factors: header.quantization[Int(macroblock.segment)], above: &contextAbove, left: &contextLeft, &decoder,
          window)
        hasCoefficients = residuals.luma | residuals.chroma != 0
      }
      if decoder.isExhausted {
        clearCoefficients()
        let isPartitionThere = partitions[partition].upperBound <= windowOffset + window.count
        guard isFinal || isPartitionThere else {
          decoders[partition] = before
          return false
        }
        return fail(isPartitionThere ? .violation("a partition ends early") : .earlyEnd("a partition ends early"))
      }
      contextsAbove[column] = contextAbove
      self.contextLeft = contextLeft
      reconstruct(macroblock, corner: corner)
      if !macroblock.isSkipped { clearCoefficients() }
      setFilter(macroblock, hasCoefficients: hasCoefficients, header)
      column += 1
    }
    decoders[partition] = decoder
    return true
  }

  private mutating func clearCoefficients() {
    var coefficients = residuals.coefficients.mutableSpan
    for index in coefficients.indices { coefficients[index] = 0 }
  }

  private mutating func reconstruct(_ macroblock: MacroblockHeader, corner: UInt8) {
    let edges = MacroblockEdges(hasAbove: row > 0, hasLeft: column > 0)
    rowAbove.setBorders(of: &samples, column: column, corner: corner)
    Self.reconstruct(macroblock, edges, residuals, &samples)
    rowAbove.keepLastRow(of: samples, column: column)
    strip.store(samples, column: column)
  }

  private static func reconstruct(
    _ macroblock: MacroblockHeader, _ edges: MacroblockEdges, _ residuals: borrowing Residuals,
    _ samples: inout [UInt8]
  ) {
    let coefficients = residuals.coefficients.span
    var span = samples.mutableSpan
    if macroblock.hasSubblocks {
      reconstructSubblocks(
        &span, modes: macroblock.subblockModes, coefficients: coefficients, codes: residuals.luma)
    } else {
      reconstructLuma(
        &span, mode: macroblock.lumaMode, edges: edges, coefficients: coefficients, codes: residuals.luma)
    }
    reconstructChroma(
      &span, mode: macroblock.chromaMode, edges: edges, coefficients: coefficients.extracting(256..<384),
      codes: residuals.chroma)
  }

  private mutating func setFilter(_ macroblock: MacroblockHeader, hasCoefficients: Bool, _ header: LossyHeader) {
    guard header.filter.kind != .none else { return }
    let strength = header.filter.strengths[Int(macroblock.segment)][macroblock.hasSubblocks ? 1 : 0]
    filters[column] = MacroblockFilter(
      edgeLimit: strength.edgeLimit, interiorLimit: strength.interiorLimit,
      varianceThreshold: strength.varianceThreshold, filtersInside: strength.filtersInside || hasCoefficients)
  }

  /// Filters the row, passes on the rows that are final, and advances to the next one.
  private mutating func endRow(
    _ body: (Int, borrowing PlanarRow) throws(CodecError) -> Void
  ) throws(CodecError) {
    if let kind = header?.filter.kind, kind != .none {
      let (filters, row) = (filters, row)
      strip.filter(filters.span, isSimple: kind == .simple, isFirstRow: row == 0)
    }
    try strip.emitRows(macroblockRow: row, body)
    rowAbove.extendRight()
    row += 1
    stage = row == rowCount ? .ended : .rowModes
  }
}
