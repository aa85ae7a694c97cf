// One page: its blocks, and the fields that describe its pixels.

internal import ImageCoding

/// Encodes one page.
struct PageEncoder {
  private let bitmap: Bitmap
  private let options: TIFFEncoder.Options
  private let grid: BlockGrid
  private let compressor: BlockCompressor

  /// The approximate size of a strip in bytes.
  private static let stripByteCount = 64 << 10
  /// The work units for each byte of pixels.
  private static let workPerByte = 12

  /// Checks that an image can be encoded, and converts its pixels if necessary, which is charged.
  init(_ bitmap: Bitmap, _ options: TIFFEncoder.Options, _ budget: inout ResourceBudget) throws(CodecError) {
    guard !bitmap.isEmpty else {
      throw CodecError(.encodingFailed, "the image has no pixels", format: TIFFDecoder.type)
    }
    self.options = options
    if case .group4 = options.compression {
      try budget.allocatePixels(width: bitmap.width, height: bitmap.height, bytesPerPixel: 1)
      self.bitmap = try Self.bilevel(bitmap, &budget)
    } else if bitmap.format.colorModel == .bgr {
      let format = bitmap.format
      var converted = bitmap
      try budget.allocate(bitmap.byteCount)
      try converted.convert(to: PixelFormat(.rgb, alpha: format.alpha, sampleType: format.sampleType), budget: &budget)
      self.bitmap = converted
    } else {
      self.bitmap = bitmap
    }
    grid = try Self.grid(bitmap, options)
    compressor = BlockCompressor(options, format: self.bitmap.format)
  }

  private static func bilevel(_ bitmap: Bitmap, _ budget: inout ResourceBudget) throws(CodecError) -> Bitmap {
    let gray = try bitmap.converted(to: .gray8, workPerPixel: 8, budget: &budget)
    let interruption = budget.interruption
    var isBilevel = true
    for y in 0..<gray.height where isBilevel {
      try interruption.check(row: y, width: gray.width)
      let row = gray.row(y)
      isBilevel = row.indices.allSatisfy { row[$0] == 0 || row[$0] == 255 }
    }
    guard isBilevel, bitmap.isFullyOpaque() else {
      throw CodecError(
        .encodingFailed, "Group 4 represents opaque black and white only", format: TIFFDecoder.type)
    }
    return gray
  }

  private static func grid(_ bitmap: Bitmap, _ options: TIFFEncoder.Options) throws(CodecError) -> BlockGrid {
    if let tile = options.tileSize {
      guard tile.width > 0, tile.height > 0, tile.width % 16 == 0, tile.height % 16 == 0,
        tile.width <= 1 << 16, tile.height <= 1 << 16
      else {
        throw CodecError(
          .invalidArgument, "the sides of a tile are no multiples of 16 up to 65536", format: TIFFDecoder.type)
      }
      return BlockGrid(
        imageSize: bitmap.pixelSize, blockWidth: tile.width, blockHeight: tile.height, isTiled: true)
    }
    let rowByteCount = max(1, bitmap.width * bitmap.format.bytesPerPixel)
    let rowCount = options.rowsPerStrip ?? max(1, stripByteCount / rowByteCount)
    guard rowCount > 0 else {
      throw CodecError(.invalidArgument, "the number of rows in a strip is not positive", format: TIFFDecoder.type)
    }
    return BlockGrid(
      imageSize: bitmap.pixelSize, blockWidth: bitmap.width, blockHeight: min(rowCount, bitmap.height),
      isTiled: false)
  }

  private var isBilevel: Bool { options.compression == .group4 }

  /// Appends the blocks to the file and returns the directory that describes them.
  func encode(
    to writer: inout TIFFFileWriter, _ budget: inout ResourceBudget
  ) throws(CodecError) -> OutputDirectory {
    var offsets: [Int] = []
    var byteCounts: [Int] = []
    let rowByteCount = isBilevel ? (grid.blockWidth + 7) / 8 : grid.blockWidth * bitmap.format.bytesPerPixel
    try budget.requireWork(count: rowByteCount * bitmap.height, unitsEach: Self.workPerByte)
    let heldByteCount = budget.heldByteCount
    // The rows of a block, twice while they are compressed, and the directory.
    let storedRowCount = grid.storedRowCount(ofBlockRow: 0)
    try budget.allocate(count: storedRowCount + 1, bytesEach: 2 * rowByteCount)
    guard let blockCount = grid.blockCount else {
      throw CodecError(.limitExceeded, "there are too many strips or tiles", format: TIFFDecoder.type)
    }
    try budget.allocate(count: blockCount, bytesEach: 64)
    let bufferByteCount = budget.heldByteCount - heldByteCount
    for row in 0..<grid.rowCount {
      for column in 0..<grid.columnCount {
        let rowCount = grid.storedRowCount(ofBlockRow: row)
        for _ in 0..<rowCount { try budget.chargeWork(count: rowByteCount, unitsEach: Self.workPerByte) }
        var rows = pixels(column: column, row: row, rowCount: rowCount, rowByteCount: rowByteCount)
        let block = try compressor.compress(&rows, width: grid.blockWidth, rowByteCount: rowByteCount)
        offsets.append(try writer.append(block: block, budget: &budget))
        byteCounts.append(block.count)
      }
    }
    budget.release(bufferByteCount)
    return directory(writer, offsets: offsets, byteCounts: byteCounts)
  }

  /// Returns the rows of a block. Tiles are padded with zeros.
  private func pixels(column: Int, row: Int, rowCount: Int, rowByteCount: Int) -> [UInt8] {
    var rows = [UInt8](repeating: 0, count: rowCount * rowByteCount)
    let left = column * grid.blockWidth
    let count = min(grid.blockWidth, bitmap.width - left)
    let bytesPerPixel = bitmap.format.bytesPerPixel
    for y in 0..<grid.rowCount(ofBlockRow: row) {
      let source = bitmap.row(row * grid.blockHeight + y)
      let start = y * rowByteCount
      if isBilevel {
        for x in 0..<count where source[left + x] == 0 { rows[start + x >> 3] |= 0x80 >> UInt8(x & 7) }
      } else {
        for index in 0..<count * bytesPerPixel { rows[start + index] = source[left * bytesPerPixel + index] }
      }
    }
    return rows
  }

  private func directory(_ writer: TIFFFileWriter, offsets: [Int], byteCounts: [Int]) -> OutputDirectory {
    let format = bitmap.format
    let count = format.samplesPerPixel
    let bits = isBilevel ? 1 : format.bitsPerSample
    var directory = OutputDirectory()
    directory.set(writer.longs(.imageWidth, [bitmap.width]))
    directory.set(writer.longs(.imageLength, [bitmap.height]))
    directory.set(writer.shorts(.bitsPerSample, [Int](repeating: bits, count: count)))
    directory.set(writer.shorts(.compression, [options.compression.code]))
    directory.set(writer.shorts(.photometricInterpretation, [photometricCode]))
    directory.set(writer.shorts(.samplesPerPixel, [count]))
    directory.set(writer.shorts(.planarConfiguration, [1]))
    if format.alpha != .none {
      directory.set(writer.shorts(.extraSamples, [format.alpha == .premultiplied ? 1 : 2]))
    }
    if format.sampleType.isFloatingPoint {
      directory.set(writer.shorts(.sampleFormat, [Int](repeating: 3, count: count)))
    }
    if compressor.predictorCode > 1 { directory.set(writer.shorts(.predictor, [compressor.predictorCode])) }
    if bitmap.orientation != .up {
      directory.set(writer.shorts(.orientation, [Int(bitmap.orientation.rawValue)]))
    }
    if grid.isTiled {
      directory.set(writer.longs(.tileWidth, [grid.blockWidth]))
      directory.set(writer.longs(.tileLength, [grid.blockHeight]))
      directory.set(writer.offsets(Tag.tileOffsets.rawValue, offsets))
      directory.set(writer.offsets(Tag.tileByteCounts.rawValue, byteCounts))
    } else {
      directory.set(writer.longs(.rowsPerStrip, [grid.blockHeight]))
      directory.set(writer.offsets(Tag.stripOffsets.rawValue, offsets))
      directory.set(writer.offsets(Tag.stripByteCounts.rawValue, byteCounts))
    }
    if let profile = bitmap.colorSpace.iccProfile { directory.set(writer.bytes(.iccProfile, profile)) }
    return directory
  }

  private var photometricCode: Int {
    if isBilevel { return 0 }
    return switch bitmap.format.colorModel {
    case .gray: 1
    case .rgb, .bgr: 2
    case .cmyk: 5
    }
  }
}

extension TIFFEncoder.Options.Compression {
  /// The code of the compression in a directory.
  var code: Int {
    switch self {
    case .none: 1
    case .packBits: 32773
    case .lzw: 5
    case .deflate: 8
    case .group4: 4
    }
  }
}
