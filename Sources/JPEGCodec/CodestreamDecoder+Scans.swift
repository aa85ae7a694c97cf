// What an SOS marker starts: a scan that holds everything is decoded row by row as its bytes come; parts of an image
// are stored until all of them are there.

internal import ImageCore
internal import MetadataFormats

/// A scan of all components of a sequential image, in the course of being decoded to rows.
struct RowDecoding {
  let tables: ScanTables
  var cursor: ScanCursor
  /// The offset in the file of the byte that the cursor's reader takes next.
  var readerOffset: Int
  var lost = LostUnits()
  var reconstruction: Reconstruction
  /// Coefficients of the block that is being decoded.
  private var coefficients = [Int16](repeating: 0, count: 64)

  init(tables: ScanTables, offset: Int, restartInterval: Int, reconstruction: Reconstruction) {
    self.tables = tables
    cursor = ScanCursor(position: offset, restartInterval: restartInterval)
    readerOffset = offset
    self.reconstruction = reconstruction
  }

  /// Decodes bands one after the other, as far as the bytes go.
  mutating func decodeSerially(
    _ bytes: Span<UInt8>, isFinal: Bool, frame: FrameHeader, into bitmap: inout Bitmap, options: DecodingOptions
  ) throws(DecodeError) -> RowOutcome {
    while !reconstruction.isComplete {
      try options.checkCancellation(format: JPEGDecoder.type)
      let outcome = decodeBand(bytes, isFinal: isFinal, mcusPerRow: frame.mcusPerRow)
      guard case .completed = outcome else { return outcome }
      reconstruction.finishBand(into: &bitmap)
    }
    return .completed
  }

  /// Decodes the current band, or the rest of it, to samples.
  mutating func decodeBand(_ bytes: Span<UInt8>, isFinal: Bool, mcusPerRow: Int) -> RowOutcome {
    let tables = tables
    let targets = reconstruction.targets
    var cursor = cursor
    // Taken out, so that they are written in place.
    var (lost, block, indices) = (lost, coefficients, [UInt8]())
    (self.lost, coefficients) = (LostUnits(), [])
    var blockSpan = block.mutableSpan
    var indexSpan = indices.mutableSpan
    var samples = reconstruction.bands.samples.mutableSpan
    let outcome = decodeInterleavedRow(
      &cursor, bytes, isFinal: isFinal, tables: tables, mcusPerRow: mcusPerRow, blocksPerMCU: 0,
      coefficients: &blockSpan, lastIndices: &indexSpan, targets: targets.span, into: &samples, lost: &lost)
    self.cursor = cursor
    self.lost = lost
    coefficients = block
    return outcome
  }

  /// Decodes a band to coefficients.
  mutating func decodeBand(_ bytes: Span<UInt8>, into row: inout CoefficientRow, mcusPerRow: Int) -> RowOutcome {
    let tables = tables
    var cursor = cursor
    var (lost, coefficients, indices) = (lost, row.coefficients, row.lastIndices)
    (self.lost, row.coefficients, row.lastIndices) = (LostUnits(), [], [])
    var rowSpan = coefficients.mutableSpan
    var indexSpan = indices.mutableSpan
    var noSamples = MutableSpan<UInt8>()
    let outcome = decodeInterleavedRow(
      &cursor, bytes, isFinal: true, tables: tables, mcusPerRow: mcusPerRow, blocksPerMCU: tables.blocks.count,
      coefficients: &rowSpan, lastIndices: &indexSpan, targets: Span(), into: &noSamples, lost: &lost)
    self.cursor = cursor
    self.lost = lost
    (row.coefficients, row.lastIndices) = (coefficients, indices)
    return outcome
  }
}

/// Scans of parts of an image, in the course of being collected.
struct StoredDecoding {
  var planes: CoefficientPlanes
  /// The quantisation table of each component, as it was when its first scan began.
  var quantization: [QuantizationTable?]
  /// How exactly each coefficient of each component is known.
  var precision: CoefficientPrecision
  var scan: BufferedScan?
  var cursor = ScanCursor(position: 0, restartInterval: 0)
  /// MCUs that the first scan could not decode, and the scan they count in.
  var lost = LostUnits()
  var lostScan: ScanHeader?
  /// Visits of blocks so far; see ``BufferedScan/cost``.
  var cost = 0

  /// What an image may cost: a picture of 100 megapixels in a dozen scans takes a fifth of it.
  static let maximumCost = 128 << 20
}

extension CodestreamDecoder {
  /// Parses a scan header and prepares its decoding.
  mutating func startScan(_ segment: inout ByteReader, _ bitmap: inout Bitmap) throws(DecodeError) {
    guard let frame else { throw failure(.malformed, "a scan before the frame header") }
    let header = try ScanHeader(parsing: &segment, frame: frame)
    scanCount += 1
    guard scanCount <= options.limits.maximumScanCount else {
      throw failure(.limitExceeded, "more than \(options.limits.maximumScanCount) scans")
    }
    if info == nil { completeHeader(frame) }
    if stopsAtFirstScan {
      stage = .finished
      return
    }
    if frame.precision != 8 { throw failure(.unsupported, "samples of 12 bits are not decoded") }
    huffmanTables.fillMissingWithStandardTables()
    // Arithmetic decoding is no match for the memory that it would save to go row by row.
    let isWhole =
      frame.process == .sequential && !frame.isArithmetic && header.components.count == frame.components.count
    if stored == nil, isWhole {
      try startRows(header, frame, &bitmap)
    } else {
      try startStoredScan(header, frame)
    }
  }

  private mutating func startRows(
    _ header: ScanHeader, _ frame: FrameHeader, _ bitmap: inout Bitmap
  ) throws(DecodeError) {
    var quantization: [QuantizationTable] = []
    for component in header.components { quantization.append(try quantizationTable(of: component.index, frame)) }
    let tables = try ScanTables(
      scan: header, frame: frame, huffman: huffmanTables, quantization: quantization, byteOffset: offset)
    guard let model = info?.colorModel, let rendered = renderedFrame else { return }
    let format = options.pixelFormat ?? model.naturalFormat
    try bitmap.reset(
      width: rendered.width, height: rendered.height, format: format, limits: options.limits, type: JPEGDecoder.type,
      byteOffset: offset)
    rows = RowDecoding(
      tables: tables, offset: offset, restartInterval: restartInterval,
      reconstruction: Reconstruction(
        frame: rendered, tables: tables, writer: RowWriter(frame: rendered, model: model, format: format)))
    stage = .rows
  }

  private func quantizationTable(of component: Int, _ frame: FrameHeader) throws(DecodeError) -> QuantizationTable {
    guard let table = quantizationTables[frame.components[component].quantizationTable] else {
      throw failure(.malformed, "a component uses a quantisation table that is not defined")
    }
    return table
  }

  private mutating func startStoredScan(_ header: ScanHeader, _ frame: FrameHeader) throws(DecodeError) {
    if stored == nil {
      let pixelByteCount = try options.limits.checkedByteCount(
        width: frame.width, height: frame.height,
        bytesPerPixel: (options.pixelFormat ?? info?.colorModel?.naturalFormat ?? .rgba8).bytesPerPixel,
        format: JPEGDecoder.type, byteOffset: offset)
      stored = StoredDecoding(
        planes: try CoefficientPlanes(
          frame: frame, limits: options.limits, pixelByteCount: pixelByteCount, byteOffset: offset),
        quantization: frame.components.map { _ in nil },
        precision: CoefficientPrecision(componentCount: frame.components.count))
    }
    for component in header.components where stored?.quantization[component.index] == nil {
      let table = try quantizationTable(of: component.index, frame)
      stored?.quantization[component.index] = table
    }
    let scan = BufferedScan(
      header: header, frame: frame,
      tables: try ScanTables(
        scan: header, frame: frame, huffman: huffmanTables, quantization: nil, byteOffset: offset))
    stored?.cost += scan.cost
    guard let cost = stored?.cost, cost <= StoredDecoding.maximumCost else {
      throw failure(.limitExceeded, "the scans are more work than such an image can need")
    }
    stored?.scan = scan
    searchOffset = offset
    stage = .storedScan
  }

  /// Decodes rows of MCUs; `false` when more input is needed.
  mutating func decodeRows(
    _ bytes: Span<UInt8>, _ baseOffset: Int, _ isFinal: Bool, _ bitmap: inout Bitmap
  ) throws(DecodeError) -> Bool {
    guard var decoding = rows, let frame else { return false }
    // Taken out, so that its arrays are written in place.
    rows = nil
    defer { rows = decoding }
    decoding.cursor.reader.position = decoding.readerOffset - baseOffset
    let outcome: RowOutcome
    if isFinal, decoding.cursor.mcu == 0, ReconstructionPipeline.isWorthwhile(for: frame, options) {
      outcome = try decoding.decodeInParallel(bytes, frame: frame, into: &bitmap, options: options)
    } else {
      outcome = try decoding.decodeSerially(bytes, isFinal: isFinal, frame: frame, into: &bitmap, options: options)
    }
    decoding.readerOffset = baseOffset + decoding.cursor.reader.position
    offset = baseOffset + decoding.cursor.reader.unreadPosition(bytes)
    if case .suspended = outcome { return false }
    try reportDamage(decoding.cursor)
    completedScanCount = 1
    stage = .trailer
    if case .ended = outcome {
      decoding.lost.append(decoding.cursor.mcu..<frame.mcusPerRow * frame.mcuRowCount)
      decoding.reconstruction.endEarly(isPartial: decoding.cursor.mcu % frame.mcusPerRow != 0, into: &bitmap)
      try report(.damage, "the entropy-coded data end before the image does", kind: .truncated)
    }
    return true
  }

  /// Decodes a scan whose bytes are all there; `false` when they are not.
  mutating func decodeStoredScan(
    _ bytes: Span<UInt8>, _ baseOffset: Int, _ isFinal: Bool
  ) throws(DecodeError) -> Bool {
    let (index, isFound) = SegmentReader.endOfEntropyCodedData(bytes, from: searchOffset - baseOffset)
    searchOffset = baseOffset + index
    guard isFound || isFinal, var decoding = stored, var scan = decoding.scan else { return false }
    stored = nil
    defer { stored = decoding }
    var cursor = ScanCursor(position: offset - baseOffset, restartInterval: restartInterval)
    var lost = LostUnits()
    // Never beyond the end of the scan, however much more is there.
    let data = bytes.extracting(0..<(isFound ? index + 2 : bytes.count))
    if scan.frame.isArithmetic {
      var arithmetic = ArithmeticScan(
        header: scan.header, frame: scan.frame, conditioning: arithmeticConditioning)
      try arithmetic.decode(&cursor, data, scan, into: &decoding.planes, lost: &lost, options: options)
    } else {
      try scan.decode(&cursor, data, into: &decoding.planes, lost: &lost, options: options)
    }
    offset = baseOffset + cursor.reader.unreadPosition(bytes)
    if decoding.lostScan == nil, scan.header.codesDC, scan.header.components.contains(where: { $0.index == 0 }) {
      decoding.lost = lost
      decoding.lostScan = scan.header
    }
    decoding.precision.note(scan.header)
    decoding.scan = nil
    completedScanCount += 1
    stage = .segments
    try reportDamage(cursor)
    if cursor.hasEnded { try report(.damage, "the entropy-coded data end before the scan does", kind: .truncated) }
    return true
  }

  private mutating func reportDamage(_ cursor: ScanCursor) throws(DecodeError) {
    if cursor.reader.foundInvalidCode { try report(.damage, "a code that is not in its Huffman table") }
    if cursor.restarts.foundDamage { try report(.damage, "a restart marker is missing or out of order") }
  }
}
