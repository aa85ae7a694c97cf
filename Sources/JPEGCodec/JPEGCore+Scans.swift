// Starts scans at SOS markers. A scan with all components of a sequential image is decoded row by row as its bytes
// arrive. All other scans go through coefficient buffering until the image is complete.

internal import ImageCoding
internal import MetadataFormats
internal import Threading

/// A sequential scan with all components, being decoded to rows.
struct RowDecoding {
  let tables: ScanTables
  var cursor: ScanCursor
  /// The file offset of the next byte to be read by the cursor's reader.
  var readerOffset: Int
  var lost = LostUnits()
  var reconstruction: Reconstruction
  /// The number of bands whose work has been charged.
  private var chargedBandCount = 0
  /// The coefficients of the block being decoded.
  private var coefficients = [Int16](repeating: 0, count: 64)

  /// The work of decoding a block and converting it to pixels.
  private static let workPerBlock = 200

  init(tables: ScanTables, offset: Int, restartInterval: Int, reconstruction: Reconstruction) {
    self.tables = tables
    cursor = ScanCursor(position: offset, restartInterval: restartInterval)
    readerOffset = offset
    self.reconstruction = reconstruction
  }

  /// Decodes band after band, as far as the input allows.
  mutating func decodeSerially(
    _ bytes: Span<UInt8>, isFinal: Bool, frame: FrameHeader, into bitmap: inout Bitmap,
    _ context: inout DecodingContext
  ) throws(CodecError) -> RowOutcome {
    while !reconstruction.isComplete {
      try chargeBand(&context.budget, frame: frame)
      let outcome = decodeBand(bytes, isFinal: isFinal, mcusPerRow: frame.mcusPerRow)
      guard case .completed = outcome else { return outcome }
      let written = reconstruction.writtenRowCount
      reconstruction.finishBand(into: &bitmap)
      guard bitmap.isWindow else { continue }
      bitmap.clear(lost, in: reconstruction.frame, rows: written..<reconstruction.writtenRowCount)
      try context.deliverRows(of: &bitmap, upTo: reconstruction.writtenRowCount)
    }
    return .completed
  }

  /// Charges the current band, unless an earlier call did.
  mutating func chargeBand(_ budget: inout ResourceBudget, frame: FrameHeader) throws(CodecError) {
    guard chargedBandCount <= reconstruction.band else { return try budget.checkpoint() }
    chargedBandCount += 1
    try budget.chargeWork(count: frame.mcusPerRow * tables.blocks.count, unitsEach: Self.workPerBlock)
  }

  /// Charges all bands that have not been charged. They are decoded on several threads, with a checkpoint for each
  /// band.
  mutating func chargeAllBands(_ budget: inout ResourceBudget, frame: FrameHeader) throws(CodecError) {
    let count = frame.mcuRowCount - chargedBandCount
    chargedBandCount = frame.mcuRowCount
    try budget.chargeWorkInParts(
      count: count * frame.mcusPerRow * tables.blocks.count, unitsEach: Self.workPerBlock)
  }

  /// Decodes the current band, or the rest of it, to samples.
  mutating func decodeBand(_ bytes: Span<UInt8>, isFinal: Bool, mcusPerRow: Int) -> RowOutcome {
    let tables = tables
    let targets = reconstruction.targets
    var cursor = cursor
    // Moved out of their properties, so that they are mutated in place.
    var (lost, block) = (lost, coefficients)
    (self.lost, coefficients) = (LostUnits(), [])
    var blockSpan = block.mutableSpan
    var noList = MutableSpan<UInt32>()
    var listCount = 0
    var samples = reconstruction.bands.samples.mutableSpan
    let outcome = decodeInterleavedRow(
      TransformedRow.self, &cursor, bytes, isFinal: isFinal, tables: tables, mcusPerRow: mcusPerRow,
      coefficients: &blockSpan, list: &noList, listCount: &listCount, targets: targets.span, into: &samples, lost: &lost
    )
    self.cursor = cursor
    self.lost = lost
    coefficients = block
    return outcome
  }

  /// Decodes a band to coefficients.
  mutating func decodeBand(_ bytes: Span<UInt8>, into list: inout CoefficientList, mcusPerRow: Int) -> RowOutcome {
    let tables = tables
    var (cursor, lost) = (cursor, lost)
    self.lost = LostUnits()
    let outcome = list.appendRow { words, count in
      var noBlock = MutableSpan<Int16>()
      var noSamples = MutableSpan<UInt8>()
      return decodeInterleavedRow(
        ListedRow.self, &cursor, bytes, isFinal: true, tables: tables, mcusPerRow: mcusPerRow, coefficients: &noBlock,
        list: &words, listCount: &count, targets: Span(), into: &noSamples, lost: &lost)
    }
    self.cursor = cursor
    self.lost = lost
    return outcome
  }
}

/// Scans that each contain part of an image, being collected in coefficient buffers.
struct BufferedDecoding {
  var planes: CoefficientPlanes
  /// The quantisation table of each component at the time its first scan began.
  var quantization: [QuantizationTable?]
  /// The precision to which each coefficient of each component is known.
  var precision: CoefficientPrecision
  var scan: BufferedScan?
  var cursor = ScanCursor(position: 0, restartInterval: 0)
  /// The MCUs that the first scan could not decode, and the scan in whose units they are counted.
  var lost = LostUnits()
  var lostScan: ScanHeader?

  /// The work of decoding a byte of entropy-coded data, which is about two symbols.
  static let workPerByte = 20
  /// The work of converting a block to pixels.
  static let workPerRenderedBlock = 200
}

extension JPEGCore {
  /// Parses a scan header and prepares to decode the scan.
  mutating func startScan(
    _ segment: inout ByteReader, _ bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard let frame else { throw error(.malformed, "a scan precedes the frame header") }
    let header = try ScanHeader(parsing: &segment, frame: frame)
    scanCount += 1
    guard scanCount <= context.limits.maximumScanCount else {
      throw error(.limitExceeded, "there are more than \(context.limits.maximumScanCount) scans", limit: .count)
    }
    if info == nil { completeHeader(frame) }
    if stopsAtFirstScan {
      stage = .finished
      return
    }
    if frame.precision != 8 { throw error(.unsupported, "12-bit samples are not supported") }
    huffmanTables.fillMissingWithStandardTables()
    // Arithmetic-coded scans are always buffered: the memory saved by decoding to rows is not worth a second decoder.
    let isWhole =
      frame.process == .sequential && !frame.isArithmetic && header.components.count == frame.components.count
    if buffered == nil, isWhole, !keepsCoefficients {
      try startRows(header, frame, &bitmap, &context)
    } else {
      try startStoredScan(header, frame, &context)
    }
  }

  private mutating func startRows(
    _ header: ScanHeader, _ frame: FrameHeader, _ bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    var quantization: [QuantizationTable] = []
    for component in header.components { quantization.append(try quantizationTable(of: component.index, frame)) }
    let tables = try ScanTables(
      scan: header, frame: frame, huffman: huffmanTables, quantization: quantization, byteOffset: offset)
    guard let model = info?.colorModel, let rendered = renderedFrame else { return }
    try prepareRows(of: &bitmap, rendered, model, &context)
    try context.budget.allocate(SampleBands.byteCount(for: rendered))
    rows = RowDecoding(
      tables: tables, offset: offset, restartInterval: restartInterval,
      reconstruction: Reconstruction(
        frame: rendered, tables: tables, writer: RowWriter(frame: rendered, model: model, format: bitmap.format),
        pool: context.budget.bufferPool))
    stage = .rows
  }

  private func quantizationTable(of component: Int, _ frame: FrameHeader) throws(CodecError) -> QuantizationTable {
    guard let table = quantizationTables[frame.components[component].quantizationTable] else {
      throw error(.malformed, "a component refers to a quantisation table that is not defined")
    }
    return table
  }

  private mutating func startStoredScan(
    _ header: ScanHeader, _ frame: FrameHeader, _ context: inout DecodingContext
  ) throws(CodecError) {
    if buffered == nil {
      buffered = BufferedDecoding(
        planes: CoefficientPlanes(frame: frame, keepsDCOnly: rendersDCOnly),
        quantization: frame.components.map { _ in nil },
        precision: CoefficientPrecision(componentCount: frame.components.count))
    }
    searchOffset = offset
    if rendersDCOnly, !header.codesDC {
      try chargeCoefficients(&context)
      buffered?.planes.allocate(context.budget.bufferPool)
      stage = .skippedScan
      return
    }
    for component in header.components where buffered?.quantization[component.index] == nil {
      let table = try quantizationTable(of: component.index, frame)
      buffered?.quantization[component.index] = table
    }
    let scan = BufferedScan(
      header: header, frame: frame,
      tables: try ScanTables(
        scan: header, frame: frame, huffman: huffmanTables, quantization: nil, byteOffset: offset))
    buffered?.scan = scan
    stage = .storedScan
  }

  /// Charges the coefficients of the whole picture, unless that has been done.
  private mutating func chargeCoefficients(_ context: inout DecodingContext) throws(CodecError) {
    guard let frame, buffered?.planes.isCharged == false else { return }
    if !keepsCoefficients { try checkPixelMemory(frame, context) }
    try buffered?.planes.charge(&context.budget, byteOffset: offset)
  }

  /// Checks that there will be enough memory for the pixels, unless they are streamed, once all coefficients are
  /// decoded.
  private func checkPixelMemory(_ frame: FrameHeader, _ context: borrowing DecodingContext) throws(CodecError) {
    guard !context.isStreaming, let rendered = renderedFrame else { return }
    let pixelByteCount = try context.limits.checkedByteCount(
      width: rendered.width, height: rendered.height,
      bytesPerPixel: (context.options.pixelFormat ?? info?.colorModel?.naturalFormat ?? .rgba8).bytesPerPixel,
      format: context.format, byteOffset: offset)
    let (coefficientByteCount, overflow) = CoefficientPlanes.count(for: frame, keepsDCOnly: rendersDCOnly)
      .multipliedReportingOverflow(by: 2)
    let (byteCount, sumOverflow) = pixelByteCount.addingReportingOverflow(coefficientByteCount)
    try context.budget.requireMemory(overflow || sumOverflow ? .max : byteCount, byteOffset: offset)
  }

  /// Decodes rows of MCUs. Returns `false` if more input is needed.
  mutating func decodeRows(
    _ input: InputWindow, _ bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    let (bytes, baseOffset) = (input.bytes, input.baseOffset)
    guard var decoding = rows, let frame else { return false }
    // Moved out of the property, so that its arrays are mutated in place.
    rows = nil
    defer { rows = decoding }
    decoding.cursor.reader.position = decoding.readerOffset - baseOffset
    let outcome: RowOutcome
    let parallelism = context.options.parallelism
    if input.isFinal, !bitmap.isWindow, decoding.cursor.mcu == 0, ParallelRows.threadCount(parallelism) > 1,
      RowChunks.areWorthwhile(for: frame)
    {
      try decoding.chargeAllBands(&context.budget, frame: frame)
      outcome = try decoding.decodeInParallel(
        bytes, frame: frame, into: &bitmap, parallelism: parallelism, &context)
    } else {
      outcome = try decoding.decodeSerially(
        bytes, isFinal: input.isFinal, frame: frame, into: &bitmap, &context)
    }
    decoding.readerOffset = baseOffset + decoding.cursor.reader.position
    offset = baseOffset + decoding.cursor.reader.unreadPosition(bytes)
    if case .suspended = outcome { return false }
    try reportDamage(decoding.cursor, &context)
    completedScanCount = 1
    stage = .trailer
    if case .ended = outcome {
      decoding.lost.append(decoding.cursor.mcu..<frame.mcusPerRow * frame.mcuRowCount)
      decoding.reconstruction.endEarly(isPartial: decoding.cursor.mcu % frame.mcusPerRow != 0, into: &bitmap)
      try context.tolerateOnce(
        error(.truncated, "the entropy-coded data ends before the image is complete"), as: .damage)
    }
    return true
  }

  /// Decodes a scan once all its bytes have arrived. Returns `false` until then.
  mutating func decodeStoredScan(
    _ input: InputWindow, _ bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    if try awaitsImageEnd(input, &context) { return false }
    try renderScans(input, into: &bitmap, &context)
    if let scan = renderedScans.popFirst() {
      try finishScan(at: scan.cursor, lost: scan.lost, input, &context)
      return true
    }
    let (bytes, baseOffset) = (input.bytes, input.baseOffset)
    try chargeCoefficients(&context)
    let end = SegmentReader.endOfEntropyCodedData(bytes, from: searchOffset - baseOffset)
    searchOffset = baseOffset + end.index
    guard end.isFound || input.isFinal, var decoding = buffered, let scan = decoding.scan else { return false }
    var cursor = ScanCursor(position: offset - baseOffset, restartInterval: restartInterval)
    var lost = LostUnits()
    do {
      // Moved out of the property, so that the coefficients are mutated in place.
      buffered = nil
      defer { buffered = decoding }
      decoding.planes.allocate(context.budget.bufferPool)
      // The search for the end.
      try context.budget.chargeWork(max(0, end.index - (offset - baseOffset)), byteOffset: offset)
      // Never past the end of the scan, however much input follows.
      let data = bytes.extracting(0..<(end.isFound ? end.index + 2 : bytes.count))
      if scan.frame.isArithmetic {
        var arithmetic = ArithmeticScan(
          header: scan.header, frame: scan.frame, conditioning: arithmeticConditioning)
        try arithmetic.decode(&cursor, data, scan, into: &decoding.planes, lost: &lost, budget: &context.budget)
      } else {
        try scan.decode(&cursor, data, into: &decoding.planes, lost: &lost, budget: &context.budget)
      }
    }
    try finishScan(at: cursor, lost: lost, input, &context)
    return true
  }

  /// Moves on to what follows a scan, and reports its damage.
  ///
  /// - Parameters:
  ///   - cursor: the position after the last unit that could be decoded.
  ///   - lost: the units that could not.
  private mutating func finishScan(
    at cursor: ScanCursor, lost: LostUnits, _ input: InputWindow, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard let scan = buffered?.scan else { return }
    offset = input.baseOffset + cursor.reader.unreadPosition(input.bytes)
    if buffered?.lostScan == nil, scan.header.locatesLostUnits {
      buffered?.lost = lost
      buffered?.lostScan = scan.header
    }
    buffered?.precision.note(scan.header)
    buffered?.scan = nil
    completedScanCount += 1
    stage = .segments
    try reportDamage(cursor, &context)
    if cursor.hasEnded {
      try context.tolerateOnce(
        error(.truncated, "the entropy-coded data ends before the scan is complete"), as: .damage)
    }
  }

  /// Skips a scan once all its bytes have arrived. Returns `false` until then.
  mutating func skipScan(_ input: InputWindow, _ context: inout DecodingContext) throws(CodecError) -> Bool {
    let baseOffset = input.baseOffset
    let end = SegmentReader.endOfEntropyCodedData(input.bytes, from: searchOffset - baseOffset)
    try context.budget.chargeWork(max(0, baseOffset + end.index - searchOffset), byteOffset: searchOffset)
    searchOffset = baseOffset + end.index
    // Nothing before the search needs to be presented again.
    offset = searchOffset
    guard end.isFound || input.isFinal else { return false }
    completedScanCount += 1
    stage = .segments
    return true
  }

  private func reportDamage(_ cursor: ScanCursor, _ context: inout DecodingContext) throws(CodecError) {
    if cursor.reader.foundInvalidCode {
      try context.tolerateOnce(error(.malformed, "a code is not in its Huffman table"), as: .damage)
    }
    if cursor.restarts.foundDamage {
      try context.tolerateOnce(error(.malformed, "a restart marker is missing or out of order"), as: .damage)
    }
    if cursor.foundShortInterval {
      try context.tolerateOnce(error(.malformed, "the data of a restart interval ends early"), as: .damage)
    }
  }
}
