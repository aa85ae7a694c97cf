// Row-by-row encoding: a row of MCUs is transformed as soon as its pixels have arrived. It is written immediately
// unless the options require all coefficients first.

public import ImageCoding
internal import MetadataFormats

/// Encodes a JPEG from rows that are supplied one after another.
///
/// Baseline files need memory for one row of MCUs and the output. Progressive and optimised files need memory for all
/// coefficients, two bytes per sample, and files of a limited size twice that.
public struct JPEGRowEncoder: Sendable {
  let frame: EncodingFrame
  private let format: PixelFormat
  let options: JPEGEncoder.Options
  /// The quality of the file. If its size is limited, this is known at the end.
  public internal(set) var quality: Int
  private var rows: ComponentRows
  /// The words of a `BlockQuantizer` for each table.
  private let divisors: [UInt16]
  /// The blocks of a few MCUs, for baseline files.
  private var blocks: [CodedBlock] = []
  /// The coefficients of these blocks, in natural order.
  private var coefficients: [Int16] = []
  private static let mcusPerBatch = 8
  /// The number of bytes from which on they are passed on.
  static let partByteCount = 64 << 10
  var segments = SegmentWriter()
  private var store: CoefficientStore?
  var writer = EntropyWriter(position: 0)
  private var predictions: InlineArray<4, Int32> = InlineArray(repeating: 0)
  var rowCount = 0
  var mcuRow = 0
  /// The number of MCUs between restart markers of a baseline file; 0 for none.
  private(set) var restartInterval = 0
  /// The number of output bytes charged so far.
  var chargedByteCount = 0

  /// Starts a file and writes its headers.
  ///
  /// - Parameters:
  ///   - width: the number of columns, 1…65,535.
  ///   - height: the number of rows, 1…65,535.
  ///   - format: the pixel format of the rows.
  ///   - options: the quality, the subsampling and the process.
  ///   - metadata: the metadata to write.
  ///   - colorSpace: the colour space of the rows.
  ///   - orientation: the orientation to write.
  ///   - budget: charged for the buffers.
  /// - Throws: `CodecError.Kind.encodingFailed` if the size is out of range or the metadata does not fit,
  ///   `CodecError.Kind.invalidArgument` if an option is out of range, `CodecError.Kind.limitExceeded`.
  public init(
    width: Int, height: Int, format: PixelFormat, options: JPEGEncoder.Options = JPEGEncoder.Options(),
    metadata: ImageMetadata = ImageMetadata(), colorSpace: ColorSpace = .unspecified,
    orientation: ImageOrientation = .up, budget: inout ResourceBudget
  ) throws(CodecError) {
    try options.validate()
    guard (1...65_535).contains(width), (1...65_535).contains(height) else {
      throw CodecError(
        .encodingFailed, "a JPEG cannot have \(width) × \(height) pixels: sides are 1…65,535", format: JPEGDecoder.type)
    }
    let transform: EncodingFrame.ColorTransform
    let background = options.background
    let isGrayBackground = background.red == background.green && background.green == background.blue
    if options.subsampling == .gray || (format.colorModel == .gray && (!format.hasAlpha || isGrayBackground)) {
      transform = .gray
    } else if format.colorModel == .cmyk, !format.hasAlpha {
      transform = options.convertsInksToYCCK ? .ycck : .cmyk
    } else {
      transform = .yCbCr
    }
    frame = EncodingFrame(width: width, height: height, transform: transform, subsampling: options.subsampling)
    (self.format, self.options, quality) = (format, options, options.quality)
    rows = try ComponentRows(frame, format: format, background: options.background, budget: &budget)
    divisors = options.tables(quality: options.quality).flatMap {
      BlockQuantizer(naturalSteps: $0.naturalSteps).divisors
    }
    if options.storesCoefficients {
      store = try CoefficientStore(frame, budget: &budget)
    } else {
      let blockCount = Self.mcusPerBatch * frame.blocksPerMCU
      blocks = [CodedBlock](
        repeating: CodedBlock(mask: 0, difference: 0, table: 0), count: blockCount)
      coefficients = [Int16](repeating: 0, count: blockCount * 64)
    }
    try budget.chargeWork(10_000)
    var metadata = metadata
    metadata.colorSpace = metadata.colorSpace(for: colorSpace)
    segments.append(.startOfImage)
    try segments.append(metadata, frame: frame, orientation: orientation)
    guard options.maximumByteCount == nil else { return }
    appendFrameHeader(quality: quality, to: &segments)
    if store == nil { startBaselineScan() }
  }

  /// Appends the quantisation tables of a quality and the frame header.
  func appendFrameHeader(quality: Int, to segments: inout SegmentWriter) {
    let tables = options.tables(quality: quality)
    let used = Set(frame.components.map { $0.table }).sorted()
    for index in used { segments.append(tables[index], at: index) }
    // 16-bit quantisation steps are not permitted in baseline files.
    let isBaseline = !used.contains { tables[$0].isWide }
    segments.append(frame, marker: Marker(rawValue: options.isProgressive ? 0xC2 : isBaseline ? 0xC0 : 0xC1))
  }

  /// Appends the next row, from top to bottom.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` if the row has the wrong length or the image is already complete;
  ///   `CodecError.Kind.limitExceeded`, `CodecError.Kind.cancelled`.
  public mutating func append(_ row: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    guard row.count == frame.width * format.bytesPerPixel, rowCount < frame.height else {
      throw CodecError(.invalidArgument, "the row does not match the image", format: JPEGDecoder.type)
    }
    try budget.chargeWork(count: frame.width, unitsEach: 10)
    rows.append(row)
    rowCount += 1
    if rowCount == frame.height { rows.pad() }
    if rows.isFull { try encodeBand(&budget) }
  }

  /// Ends the file and returns it.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` if rows are missing; `CodecError.Kind.limitExceeded`,
  ///   `CodecError.Kind.cancelled`.
  public mutating func finish(budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    try endRows(budget.bufferPool)
    guard let store = store.take() else {
      flush()
      segments.append(.endOfImage)
      return segments.bytes
    }
    var output = EncodedOutput()
    try write(store, to: &output, &budget)
    return try output.finish()
  }

  /// Ends the file and passes on what remains of it.
  mutating func finish(to output: inout EncodedOutput, budget: inout ResourceBudget) throws(CodecError) {
    guard store != nil else { return try output.append(try finish(budget: &budget), budget: &budget) }
    try endRows(budget.bufferPool)
    if let store = store.take() { try write(store, to: &output, &budget) }
  }

  private mutating func endRows(_ pool: BufferPool?) throws(CodecError) {
    guard rowCount == frame.height, mcuRow == frame.mcuRowCount else {
      throw CodecError(
        .invalidArgument, "only \(rowCount) of \(frame.height) rows were appended", format: JPEGDecoder.type)
    }
    rows.recycleBuffers(pool)
  }

  /// Passes on the bytes of a baseline file that are complete, unless they are few.
  mutating func drain(to output: inout EncodedOutput, _ budget: inout ResourceBudget) throws(CodecError) {
    guard store == nil, writer.position >= Self.partByteCount else { return }
    try output.append(segments.bytes.span.extracting(first: writer.position), budget: &budget)
    writer.position = 0
  }

  /// Writes a file whose coefficients are complete.
  private mutating func write(
    _ store: CoefficientStore, to output: inout EncodedOutput, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    if let maximumByteCount = options.maximumByteCount {
      let file = try fit(store, maximumByteCount: maximumByteCount, &budget)
      try output.append(file, budget: &budget)
      budget.release(file.count)
    } else {
      var scans = BufferedScanWriter(
        frame: frame, isProgressive: options.isProgressive, restartInterval: options.restartInterval)
      try scans.write(store, after: segments, to: &output, &budget)
    }
  }

  /// Stores the bits that are pending and removes the room after them.
  mutating func flush() {
    var bytes: [UInt8] = []
    swap(&bytes, &segments.bytes)
    bytes.makeRoom(64, at: writer.position)
    var output = bytes.mutableSpan
    writer.flush(&output)
    bytes.removeLast(bytes.count - writer.position)
    segments.bytes = bytes
  }
}

// MARK: Baseline

extension JPEGRowEncoder {
  private mutating func startBaselineScan() {
    let scan = ScanDescription.sequential(frame)
    for index in Set(frame.components.map({ $0.table })).sorted() {
      if let dc = HuffmanTable.standardDC(index) { segments.append(dc, isAC: false, at: index) }
      if let ac = HuffmanTable.standardAC(index) { segments.append(ac, isAC: true, at: index) }
    }
    restartInterval = frame.restartInterval(options.restartInterval, ofScan: scan.components)
    if restartInterval > 0 { segments.append(restartInterval: restartInterval) }
    segments.append(scan, of: frame, isProgressive: false)
    writer = EntropyWriter(position: segments.bytes.count)
  }

  /// Transforms the completed row of MCUs, and writes or stores it.
  private mutating func encodeBand(_ budget: inout ResourceBudget) throws(CodecError) {
    if var store = store.take() {
      storeBand(in: &store)
      self.store = store
    } else {
      try writeBand(&budget)
    }
    mcuRow += 1
    rows.clear()
  }

  private mutating func chargeOutput(_ budget: inout ResourceBudget) throws(CodecError) {
    let grown = segments.bytes.count - chargedByteCount
    if grown > 0 { try budget.allocate(grown) }
    chargedByteCount = max(chargedByteCount, segments.bytes.count)
  }

  /// Transforms a few MCUs at a time and appends their blocks.
  private mutating func writeBand(_ budget: inout ResourceBudget) throws(CodecError) {
    let units = blockUnits
    let bands = TransformInput(rows.bands, divisors: divisors)
    let interval = restartInterval
    let places = CoefficientOrder.natural
    let codes = HuffmanCodes.standard
    let (entries, smallValues) = (codes.entries, codes.smallValues)
    let tables = BlockCodingTables(places: places.span, codes: entries.span, smallValues: smallValues.span)
    // The worst case, so that the loop over blocks needs no checks; the next MCUs reuse most of the room.
    let room = Self.mcusPerBatch * (frame.blocksPerMCU * EntropyWriter.maximumBlockByteCount + 16)
    var column = 0
    while column < frame.mcusPerRow {
      segments.bytes.makeRoom(room, at: writer.position)
      try chargeOutput(&budget)
      var bytes: [UInt8] = []
      swap(&bytes, &segments.bytes)
      var output = bytes.mutableSpan
      let mcu = mcuRow * frame.mcusPerRow + column
      var end = min(column + Self.mcusPerBatch, frame.mcusPerRow)
      if interval > 0 {
        if mcu > 0, mcu % interval == 0 {
          writer.appendRestartMarker(mcu / interval - 1, &output)
          predictions = InlineArray(repeating: 0)
        }
        end = min(end, column + interval - mcu % interval)
      }
      transform(column..<end, units, bands)
      writer = EntropyWriter.appending(
        blocks.span.extracting(first: (end - column) * units.count), coefficients.span, tables, to: writer, &output)
      segments.bytes = bytes
      column = end
    }
  }

  /// Transforms the blocks of some MCUs of the current row, in scan order.
  private mutating func transform(_ columns: Range<Int>, _ units: [BlockUnit], _ bands: TransformInput) {
    var coefficients: [Int16] = []
    var blocks: [CodedBlock] = []
    swap(&coefficients, &self.coefficients)
    swap(&blocks, &self.blocks)
    var values = coefficients.mutableSpan
    var headers = blocks.mutableSpan
    let conversion = CoefficientOrder.MaskConversion()
    var index = 0
    for column in columns {
      for unit in units {
        let blockColumn = column &* unit.columnCount &+ unit.column
        var header = CodedBlock(mask: 0, difference: 0, table: Int32(truncatingIfNeeded: unit.table))
        // Blocks without samples repeat the DC coefficient of the previous block.
        if blockColumn < unit.blocksPerRow, unit.hasSamples {
          var block = values._mutatingExtracting(index &* 64..<index &* 64 &+ 64)
          header.mask = conversion.zigzagMask(natural: bands.transform(unit, column: blockColumn, into: &block))
          let dc = Int32(block[0])
          header.difference = dc &- predictions[unit.component]
          predictions[unit.component] = dc
        }
        headers[index] = header
        index &+= 1
      }
    }
    self.coefficients = coefficients
    self.blocks = blocks
  }

  private var blockUnits: [BlockUnit] {
    var units: [BlockUnit] = []
    for (index, component) in frame.components.enumerated() {
      for row in 0..<component.verticalFactor {
        for column in 0..<component.horizontalFactor {
          units.append(
            BlockUnit(
              component: index, table: component.table, column: column, row: row,
              columnCount: component.horizontalFactor, blocksPerRow: component.blocksPerRow,
              hasSamples: mcuRow * component.verticalFactor + row < component.blockRowCount,
              start: row * 8 * component.sampleWidth, stride: component.sampleWidth))
        }
      }
    }
    return units
  }
}

// MARK: Buffered coefficients

extension JPEGRowEncoder {
  private mutating func storeBand(in store: inout CoefficientStore) {
    let conversion = CoefficientOrder.MaskConversion()
    let places = CoefficientOrder.natural
    var block = [Int16](repeating: 0, count: 64)
    var coefficients = block.mutableSpan
    let units = blockUnits
    let bands = TransformInput(rows.bands, divisors: divisors)
    let isUnquantized = options.maximumByteCount != nil
    for column in 0..<frame.mcusPerRow {
      var component = -1
      var previous: Int16 = 0
      for unit in units {
        if unit.component != component { (component, previous) = (unit.component, 0) }
        let blockColumn = column &* unit.columnCount &+ unit.column
        let index = store.index(
          component: component, row: mcuRow &* frame.components[component].verticalFactor &+ unit.row,
          column: blockColumn)
        guard blockColumn < unit.blocksPerRow, unit.hasSamples else {
          store.storeDC(previous, at: index)
          continue
        }
        if isUnquantized {
          bands.transformUnquantized(unit, column: blockColumn, into: &coefficients)
          previous = coefficients[0]
          store.storeUnquantized(coefficients.span, at: index)
          continue
        }
        let natural = bands.transform(unit, column: blockColumn, into: &coefficients)
        previous = coefficients[0]
        store.store(
          coefficients.span, mask: conversion.zigzagMask(natural: natural), at: index, places: places.span)
      }
    }
  }
}
