// Writes the scans of an image whose coefficients are all stored.

internal import ImageCoding

/// Writes scans with their Huffman tables.
struct BufferedScanWriter {
  private let frame: EncodingFrame
  private let isProgressive: Bool
  private let optimizesHuffmanTables: Bool
  private let restartInterval: JPEGEncoder.Options.RestartInterval
  private var lastRestartInterval = 0

  /// Creates a writer.
  ///
  /// - Parameter optimizesHuffmanTables: whether tables are derived from the image. Progressive files always have
  ///   such tables.
  init(
    frame: EncodingFrame, isProgressive: Bool, optimizesHuffmanTables: Bool = true,
    restartInterval: JPEGEncoder.Options.RestartInterval = .none
  ) {
    (self.frame, self.isProgressive, self.restartInterval) = (frame, isProgressive, restartInterval)
    self.optimizesHuffmanTables = optimizesHuffmanTables || isProgressive
  }

  /// Writes a file: its header, all scans, and the end. Rows of blocks are passed on when they have been written.
  ///
  /// - Throws: `CodecError.Kind.encodingFailed` if a coefficient has no code, `CodecError.Kind.cancelled`,
  ///   `CodecError.Kind.limitExceeded`.
  mutating func write(
    _ store: CoefficientStore, after header: SegmentWriter, to output: inout EncodedOutput,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    try output.append(header.bytes, budget: &budget)
    let scans = isProgressive ? ScanDescription.progressive(frame) : [ScanDescription.sequential(frame)]
    var buffer: [UInt8] = []
    for scan in scans { try write(scan, of: store, to: &output, &buffer, &budget) }
    budget.release(buffer.count)
    var end = SegmentWriter()
    end.append(.endOfImage)
    try output.append(end.bytes, budget: &budget)
  }

  /// - Parameter buffer: memory that all scans use, which the budget holds.
  private mutating func write(
    _ scan: ScanDescription, of store: CoefficientStore, to output: inout EncodedOutput, _ buffer: inout [UInt8],
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    var segments = SegmentWriter()
    let interval = frame.restartInterval(restartInterval, ofScan: scan.components)
    var codes = optimizesHuffmanTables ? HuffmanCodes() : HuffmanCodes.standard
    // DC refinements have no symbols.
    if !optimizesHuffmanTables {
      appendStandardTables(to: &segments)
    } else if scan.start > 0 || scan.high == 0 {
      try appendOptimalTables(for: scan, of: store, interval: interval, to: &segments, &codes, &budget)
    }
    if interval != lastRestartInterval { segments.append(restartInterval: interval) }
    lastRestartInterval = interval
    segments.append(scan, of: frame, isProgressive: isProgressive)
    try output.append(segments.bytes, budget: &budget)
    var bytes: [UInt8] = []
    swap(&bytes, &buffer)
    var sink = CodeWriter(codes: codes, bytes: bytes, writer: EntropyWriter(position: 0))
    bytes = []
    try visit(scan, of: store, interval: interval, sink: &sink, &budget) {
      (sink, blockCount, budget) throws(CodecError) in
      try sink.drain(to: &output, minimumByteCount: JPEGRowEncoder.partByteCount, &budget)
      try sink.makeRoom(blockCount * ProgressiveScanWriter.maximumBlockByteCount + 1024, &budget)
    }
    try sink.finish(&budget)
    try sink.drain(to: &output, &budget)
    buffer = sink.takeBytes()
  }

  private func appendStandardTables(to segments: inout SegmentWriter) {
    for index in Set(frame.components.map({ $0.table })).sorted() {
      if let dc = HuffmanTable.standardDC(index) { segments.append(dc, isAC: false, at: index) }
      if let ac = HuffmanTable.standardAC(index) { segments.append(ac, isAC: true, at: index) }
    }
  }

  private func appendOptimalTables(
    for scan: ScanDescription, of store: CoefficientStore, interval: Int, to segments: inout SegmentWriter,
    _ codes: inout HuffmanCodes, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    var counter = SymbolCounts()
    try visit(scan, of: store, interval: interval, sink: &counter, &budget) {
      (_: inout SymbolCounts, _, _: inout ResourceBudget) throws(CodecError) in
    }
    for index in Set(scan.components.map { frame.components[$0].table }).sorted() {
      if scan.start == 0, let dc = counter.optimalTable(at: HuffmanCodes.dcStart(index)) {
        segments.append(dc, isAC: false, at: index)
        codes.set(dc, at: HuffmanCodes.dcStart(index))
      }
      if scan.end > 0, let ac = counter.optimalTable(at: HuffmanCodes.acStart(index)) {
        segments.append(ac, isAC: true, at: index)
        codes.set(ac, at: HuffmanCodes.acStart(index))
      }
    }
    if !isProgressive { codes.prepareSmallValues() }
  }

  /// Passes the blocks of a scan to a sink, in scan order.
  private func visit<Sink: EntropySink>(
    _ scan: ScanDescription, of store: CoefficientStore, interval: Int, sink: inout Sink,
    _ budget: inout ResourceBudget,
    prepareRow: (inout Sink, Int, inout ResourceBudget) throws(CodecError) -> Void
  ) throws(CodecError) {
    var state = ScanState(scan: scan, frame: frame, interval: interval, isProgressive: isProgressive)
    for row in 0..<state.rowCount {
      try budget.chargeWork(count: state.blocksPerRow, unitsEach: 60)
      try prepareRow(&sink, state.blocksPerRow, &budget)
      state.putRow(row, of: store, to: &sink)
    }
    state.finish(&sink)
  }
}
