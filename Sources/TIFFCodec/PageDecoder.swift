// From blocks to rows of pixels: decompression, predictor, unpacking and colour, for the blocks that a window touches.

internal import ImageCoding
internal import MetadataFormats

/// Decodes the part of an image that is inside a window.
struct PageDecoder {
  private let layout: ImageLayout
  /// The part of the stored image to decode.
  private let window: PixelRegion
  private let unpacking: SampleUnpacking
  private let conversion: ColorConversion
  private var predictor: PredictorUndoing
  /// The planes to decode; one if samples are not in separate planes.
  private let planes: [Int]
  private var readers: [BlockReader]
  private var codedBytes: CodedBytes
  /// The starts of blocks, once one is found whose length is not stated.
  private var blockStarts: BlockStarts?
  /// Rows of each plane as stored: those of a chunk, or, while a reader has decompressed all of a block, of the block.
  private var stored: [[UInt8]]
  /// The unpacked samples of a row.
  private var samples: [UInt8]
  /// The pixels of a row in the natural format; empty if it is the requested one.
  private var pixels: [UInt8]
  private var converter: PixelRowConverter?
  /// The format of the bitmap.
  let format: PixelFormat
  private let rows: StoredRows
  /// The number of rows that have been decoded from at least one block.
  private var decodedRowCount = 0
  /// The planes in which the data of the current block has ended early.
  private var shortPlanes: Set<Int> = []
  private var firstError: CodecError?
  /// Whether something is missing.
  private(set) var isDamaged = false

  /// The work units for a byte of a buffer.
  private static let workPerAllocatedByte = 4
  /// The work units for a block that is not in the file.
  private static let workPerMissingBlock = 500

  /// Prepares to decode.
  init(
    _ layout: ImageLayout, window: PixelRegion, embedded: EmbeddedImageReader,
    _ values: borrowing DirectoryValues, fileByteCount: Int, _ context: inout DecodingContext
  ) throws(CodecError) {
    self.layout = layout
    codedBytes = CodedBytes(fileByteCount: fileByteCount)
    self.window = window
    unpacking = SampleUnpacking(layout)
    predictor = PredictorUndoing(layout)
    let needed = layout.neededSamples
    planes = layout.isPlanar ? needed : [0]
    let sampleCount = layout.isPlanar ? needed.count : layout.samplesPerPixel
    let alpha = layout.alphaSample.map { layout.isPlanar ? needed.count - 1 : $0 }
    conversion = try ColorConversion(
      layout, sampleCount: sampleCount, alpha: alpha, unpacking, values, &context)
    format = context.options.pixelFormat ?? conversion.format
    rows = try StoredRows(layout)
    readers = planes.map { _ in BlockReader(layout, embedded) }
    let chunkByteCount = rows.chunkUnitCount * rows.unitByteCount
    let sampleByteCount = layout.grid.blockWidth * sampleCount * unpacking.sampleType.byteCount
    let pixelByteCount = format == conversion.format ? 0 : layout.grid.blockWidth * conversion.format.bytesPerPixel
    // Zeroing new memory is work.
    try context.budget.chargeWork(count: sampleByteCount, unitsEach: Self.workPerAllocatedByte)
    try context.budget.chargeWork(count: chunkByteCount, unitsEach: Self.workPerAllocatedByte * planes.count)
    try context.budget.allocate(count: planes.count, bytesEach: chunkByteCount)
    try context.budget.allocate(sampleByteCount + pixelByteCount)
    stored = planes.map { _ in [UInt8](repeating: 0, count: chunkByteCount) }
    samples = [UInt8](repeating: 0, count: sampleByteCount)
    pixels = [UInt8](repeating: 0, count: pixelByteCount)
    converter = format == conversion.format ? nil : PixelRowConverter(from: conversion.format, to: format)
  }

  /// The format of pixels without conversion.
  var naturalFormat: PixelFormat { conversion.format }

  /// The number of rows that are complete at the same time.
  var bandRowCount: Int {
    layout.grid.columnCount > 1 ? layout.grid.blockHeight : rows.chunkUnitCount * rows.rowsPerUnit
  }

  /// Decodes all blocks that the window touches.
  ///
  /// - Throws: the first error, if no row of any block can be decoded.
  mutating func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    let grid = layout.grid
    guard window.width > 0, window.height > 0 else { return }
    let columns = window.x / grid.blockWidth...(window.x + window.width - 1) / grid.blockWidth
    for row in window.y / grid.blockHeight...(window.y + window.height - 1) / grid.blockHeight {
      for column in columns {
        let block = Block(column: column, row: row, in: grid, window: window)
        do throws(CodecError) {
          try decode(block, bytes, into: &bitmap, &context)
        } catch {
          if context.isStrict || error.isInterruption || error.kind == .limitExceeded || error.kind == .unsupported {
            throw error
          }
          try miss(block, error, &bitmap, &context)
        }
      }
      let end = min(window.height, (row + 1) * grid.blockHeight - window.y)
      try context.deliverRows(of: &bitmap, upTo: end)
    }
    if decodedRowCount == 0, let firstError { throw firstError }
  }

  /// Records a block that cannot be decoded, and zeroes its pixels.
  private mutating func miss(
    _ block: Block, _ error: CodecError, _ bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    try context.budget.chargeWork(Self.workPerMissingBlock)
    try tolerate(error, &context)
    var y = block.rows.lowerBound
    while y < block.rows.upperBound {
      try zero(block, y, &bitmap, &context)
      y += 1
      if block.isWholeRow, (y - block.rows.lowerBound) % bandRowCount == 0 {
        try context.deliverRows(of: &bitmap, upTo: y - window.y)
      }
    }
  }

  private mutating func tolerate(_ error: CodecError, _ context: inout DecodingContext) throws(CodecError) {
    try context.tolerate(error, as: .damage)
    isDamaged = true
    firstError = firstError ?? error
  }

  // MARK: One block

  private mutating func decode(
    _ block: Block, _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    let grid = layout.grid
    let storedRowCount = grid.storedRowCount(ofBlockRow: block.row)
    let unitCount = (storedRowCount - 1) / rows.rowsPerUnit + 1
    let (byteCount, overflow) = unitCount.multipliedReportingOverflow(by: rows.unitByteCount)
    guard !overflow else {
      throw CodecError(.limitExceeded, "the size of a strip or tile overflows", format: TIFFDecoder.type)
    }
    var ranges: [Range<Int>] = []
    for plane in planes {
      ranges.append(try codedRange(of: block, plane: plane, expectedByteCount: byteCount, bytes, &context))
    }
    if try decodeInPlace(block, ranges[0], bytes, into: &bitmap, &context) { return }
    shortPlanes = []
    for index in planes.indices {
      try readers[index].begin(
        bytes.extracting(ranges[index]), byteCount: byteCount, width: grid.blockWidth, rowCount: storedRowCount,
        &context)
    }
    let isWhole = readers.allSatisfy { $0.isWhole }
    if isWhole { exchangeStoredRows() }
    defer {
      if isWhole { exchangeStoredRows() }
      for index in planes.indices { readers[index].end() }
    }
    let firstRow = block.row * grid.blockHeight
    let neededUnitCount = (block.rows.upperBound - firstRow - 1) / rows.rowsPerUnit + 1
    var unit = 0
    while unit < neededUnitCount {
      let count = min(rows.chunkUnitCount, neededUnitCount - unit)
      let intact = try readChunk(ranges, from: isWhole ? unit : nil, count: count, bytes, &context)
      let first = firstRow + unit * rows.rowsPerUnit
      let visible = max(first, block.rows.lowerBound)..<min(first + count * rows.rowsPerUnit, block.rows.upperBound)
      try context.budget.chargeWork(count: count * rows.rowsPerUnit, unitsEach: rows.workPerRow + grid.blockWidth)
      if !visible.isEmpty {
        for y in visible {
          if (y - first) / rows.rowsPerUnit < intact {
            write(y, of: block, storedRow: y - (isWhole ? firstRow : first), to: &bitmap)
            decodedRowCount += 1
          } else {
            try zero(block, y, &bitmap, &context)
          }
        }
        if block.isWholeRow { try context.deliverRows(of: &bitmap, upTo: visible.upperBound - window.y) }
      }
      unit += count
    }
    if let index = planes.indices.first(where: { readers[$0].damage != nil }) {
      try tolerate(damage(ofPlane: index, in: ranges[index]), &context)
    }
  }

  /// The error for the current block of a plane, whose data is damaged or too short: the same whether its rows are
  /// decompressed into the bitmap, at once or in parts.
  private func damage(ofPlane plane: Int, in range: Range<Int>) -> CodecError {
    if let damage = readers[plane].damage {
      return CodecError(.malformed, damage, format: TIFFDecoder.type, byteOffset: range.lowerBound)
    }
    return CodecError(
      .truncated, "the data of a strip or tile ends early", format: TIFFDecoder.type, byteOffset: range.upperBound)
  }

  /// Returns the coded bytes of a block in one plane, and charges them.
  ///
  /// - Throws: `CodecError.Kind.truncated` if the block is not in the file, or, in strict mode, not completely.
  private mutating func codedRange(
    of block: Block, plane: Int, expectedByteCount: Int, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> Range<Int> {
    let grid = layout.grid
    let index = grid.index(column: block.column, row: block.row) + plane * (grid.blockCount ?? 0)
    let stated = try layout.codedRange(ofBlock: index, in: bytes, expectedByteCount: expectedByteCount) {
      offset throws(CodecError) in
      if blockStarts == nil { blockStarts = try BlockStarts(layout, in: bytes, budget: &context.budget) }
      return blockStarts?.first(behind: offset)
    }
    guard let range = stated else {
      throw CodecError(
        .truncated, "the data of \(grid.isTiled ? "tile" : "strip") \(index) is not in the file",
        format: TIFFDecoder.type, byteOffset: bytes.count)
    }
    try codedBytes.charge(range.count, compression: layout.compression, &context.budget)
    return range
  }

  /// Exchanges the buffer of a chunk of each plane and that of a block, which the readers hold.
  private mutating func exchangeStoredRows() {
    for index in planes.indices { readers[index].exchangeBuffer(with: &stored[index]) }
  }

  /// Decompresses the next rows of all planes and undoes the predictor.
  ///
  /// - Parameter first: the first of the units in a block that is stored as a whole; `nil` if it has to be
  ///   decompressed.
  /// - Returns: the number of rows, or rows of units, that are at least partly present in all planes.
  private mutating func readChunk(
    _ ranges: [Range<Int>], from first: Int?, count: Int, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> Int {
    var intact = count
    for index in planes.indices {
      var chunk: [UInt8] = []
      swap(&chunk, &stored[index])
      defer { swap(&chunk, &stored[index]) }
      let start = (first ?? 0) * rows.unitByteCount
      let byteCount = count * rows.unitByteCount
      var chunkSpan = chunk.mutableSpan
      var output = chunkSpan._mutatingExtracting(start..<start + byteCount)
      let produced: Int
      if first == nil {
        produced = try readers[index].read(bytes.extracting(ranges[index]), into: &output, &context)
      } else {
        try context.budget.chargeWork(byteCount)
        produced = min(max(0, readers[index].bufferedByteCount - start), byteCount)
      }
      if produced < byteCount {
        for place in produced..<byteCount { output[place] = 0 }
        intact = min(intact, (produced + rows.unitByteCount - 1) / rows.unitByteCount)
        // A damaged block is reported once, when all of it has been read; strict decoding ends here. One that ends early
        // is reported where it does.
        if context.isStrict || (readers[index].damage == nil && !shortPlanes.contains(index)) {
          shortPlanes.insert(index)
          try tolerate(damage(ofPlane: index, in: ranges[index]), &context)
        }
      }
      if !predictor.isIdentity {
        let sampleCount = layout.grid.blockWidth * layout.samplesPerBlockPixel
        for row in 0..<intact {
          let start = row * rows.unitByteCount
          var part = output._mutatingExtracting(start..<start + rows.unitByteCount)
          predictor.restore(&part, sampleCount: sampleCount)
        }
      }
    }
    return intact
  }

  // MARK: Rows

  /// Converts one of the stored rows and writes the part that is inside the window.
  private mutating func write(_ y: Int, of block: Block, storedRow: Int, to bitmap: inout Bitmap) {
    let blockWidth = layout.grid.blockWidth
    let start = storedRow / rows.rowsPerUnit * rows.unitByteCount
    let place = start..<start + rows.unitByteCount
    let bytesPerPixel = conversion.sampleCount * unpacking.sampleType.byteCount
    let visible = block.columns.lowerBound * bytesPerPixel..<block.columns.upperBound * bytesPerPixel
    if unpacking.isIdentity, planes.count == 1, rows.packing == nil {
      let chunk = stored[0]
      return convert(chunk.span.extracting(place).extracting(visible), y, block, &bitmap)
    }
    if planes.count == 1, rows.packing == nil, conversion.isIdentity, converter == nil, block.columns.lowerBound == 0 {
      let start = block.target * bytesPerPixel
      var row = bitmap.mutableRow(y - window.y)
      var target = row._mutatingExtracting(start..<start + visible.count)
      let chunk = stored[0]
      return unpacking.unpack(
        chunk.span.extracting(place), count: block.columns.count * conversion.sampleCount, into: &target)
    }
    var samples: [UInt8] = []
    swap(&samples, &self.samples)
    defer { swap(&samples, &self.samples) }
    var output = samples.mutableSpan
    if let packing = rows.packing {
      let chunk = stored[0]
      let units = chunk.span.extracting(place)
      packing.expand(units, line: storedRow % rows.rowsPerUnit, width: blockWidth, into: &output)
    } else if planes.count == 1 {
      let chunk = stored[0]
      let row = chunk.span.extracting(place)
      unpacking.unpack(row, count: blockWidth * conversion.sampleCount, into: &output)
    } else {
      for index in planes.indices {
        let chunk = stored[index]
        let row = chunk.span.extracting(place)
        unpacking.unpack(row, count: blockWidth, into: &output, first: index, step: planes.count)
      }
    }
    convert(samples.span.extracting(visible), y, block, &bitmap)
  }

  /// Converts samples to pixels of the bitmap's format.
  private mutating func convert(_ samples: Span<UInt8>, _ y: Int, _ block: Block, _ bitmap: inout Bitmap) {
    let count = block.columns.count
    let start = block.target * format.bytesPerPixel
    var row = bitmap.mutableRow(y - window.y)
    var target = row._mutatingExtracting(start..<start + count * format.bytesPerPixel)
    guard converter != nil else { return conversion.convert(samples, count: count, into: &target) }
    var pixels: [UInt8] = []
    swap(&pixels, &self.pixels)
    defer { swap(&pixels, &self.pixels) }
    var pixelsSpan = pixels.mutableSpan
    var natural = pixelsSpan._mutatingExtracting(0..<count * conversion.format.bytesPerPixel)
    conversion.convert(samples, count: count, into: &natural)
    converter?.convert(pixels.span.extracting(0..<count * conversion.format.bytesPerPixel), into: &target)
  }

  /// Zeroes the part of a row that a block covers.
  private func zero(
    _ block: Block, _ y: Int, _ bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    let start = block.target * format.bytesPerPixel
    let count = block.columns.count * format.bytesPerPixel
    try context.budget.chargeWork(count / 8)
    var row = bitmap.mutableRow(y - window.y)
    var part = row._mutatingExtracting(start..<start + count)
    for index in 0..<count { part[index] = 0 }
  }

  // MARK: Strips that are pixels

  /// Decompresses a strip into the bitmap if its rows are pixels, which saves a buffer of the same size.
  ///
  /// - Returns: `false` if that is impossible.
  private mutating func decodeInPlace(
    _ block: Block, _ range: Range<Int>, _ bytes: Span<UInt8>, into bitmap: inout Bitmap,
    _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    let rowByteCount = rows.unitByteCount
    guard unpacking.isIdentity, conversion.isIdentity, converter == nil, planes.count == 1, rows.packing == nil,
      !layout.grid.isTiled, block.isWholeRow, !bitmap.isWindow,
      window == PixelRegion(x: 0, y: 0, width: layout.size.width, height: layout.size.height),
      readers[0].canReadInPlace(byteCount: block.rows.count * rowByteCount)
    else { return false }
    let start = block.rows.lowerBound * rowByteCount
    let end = block.rows.upperBound * rowByteCount
    var pixels = bitmap.mutablePixels
    try context.budget.chargeWorkInParts(count: end - start, unitsEach: 1)
    let interruption = context.budget.interruption
    // The rows of later strips are still empty, so that more than the strip may be written.
    var rest = pixels._mutatingExtracting(start..<min(pixels.count, end + BlockReader.margin))
    let produced = try readers[0].readInPlace(
      bytes.extracting(range), byteCount: end - start, into: &rest, &context)
    var output = pixels._mutatingExtracting(start..<end)
    for index in produced..<output.count { output[index] = 0 }
    let intact = (produced + rowByteCount - 1) / rowByteCount
    if !predictor.isIdentity {
      for row in 0..<intact {
        try interruption.check(row: row, width: rowByteCount)
        var part = output._mutatingExtracting(row * rowByteCount..<(row + 1) * rowByteCount)
        predictor.restore(&part, sampleCount: layout.grid.blockWidth * layout.samplesPerPixel)
      }
    }
    decodedRowCount += intact
    // A wrong checksum is found when all bytes are there.
    if produced < output.count || readers[0].damage != nil {
      try tolerate(damage(ofPlane: 0, in: range), &context)
    }
    return true
  }
}
