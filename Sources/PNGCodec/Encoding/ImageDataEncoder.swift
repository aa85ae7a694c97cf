// Converts pixels to the zlib stream of an image or frame: passes, packing, filters, DEFLATE.

internal import ByteCompression
internal import ImageCore

/// Encodes the image data of bitmaps that share a layout.
struct ImageDataEncoder {
  let layout: EncodingLayout
  private let options: PNGEncoder.Options
  private let packer: RowPacker

  init(layout: EncodingLayout, options: PNGEncoder.Options) {
    self.layout = layout
    self.options = options
    packer = RowPacker(layout: layout)
  }

  /// The work of filtering and compressing a byte.
  private static let workPerByte = 30
  /// The work of converting and packing a pixel.
  static let workPerPixel = 10

  /// The work of selecting the filter of a row and passing it to the compressor, whatever its length.
  private static let workPerRow = 1_000

  /// The work of preparing the tables of a compressor.
  private static let workPerStream = 50_000
  /// Whether neighbouring samples predict one another: they are not indices and have at least 8 bits.
  private var isFilterable: Bool { layout.colorType != .palette && layout.bitDepth >= 8 }

  /// Returns the zlib stream of a bitmap. On return the budget holds nothing for it.
  func encode(_ bitmap: Bitmap, _ budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    let heldByteCount = budget.heldByteCount
    defer { budget.settle(heldByteCount: heldByteCount) }
    let filtered = try encode(bitmap, filtering: options.filtering, &budget)
    guard options.filtering == .entropy, isFilterable else { return filtered }
    budget.settle(heldByteCount: heldByteCount)
    try budget.allocate(filtered.count)
    // Drawings often repeat strings that filters would make different.
    let plain = try encode(bitmap, filtering: .none, &budget)
    return plain.count < filtered.count ? plain : filtered
  }

  private func encode(
    _ bitmap: Bitmap, filtering: PNGEncoder.Options.Filtering, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    let header = layout.header(size: bitmap.pixelSize, isInterlaced: options.isInterlaced)
    let passes = InterlacePass.passes(of: header)
    let byteCount = passes.reduce(0) { $0 + $1.height * (1 + header.rowByteCount(width: $1.width)) }
    try budget.requireWork(count: byteCount, unitsEach: Self.workPerByte)
    try budget.requireWork(count: passes.reduce(0) { $0 + $1.height }, unitsEach: Self.workPerRow)
    if options.parallelism > 1 { try budget.allocate(byteCount) }
    // Rows before and after filtering. The windows and tables of the compressor have a constant size.
    try budget.allocate(count: header.rowByteCount(width: header.width), bytesEach: 8)
    try budget.chargeWork(Self.workPerStream)
    var chargedByteCount = 0
    var stream = ImageDataCompressor(
      options, isFiltered: isFilterable && filtering != .none, byteCount: byteCount)
    var filters = FilterSelection(
      filtering, distance: header.filterDistance, isFilterable: isFilterable)
    let needsStaging = bitmap.format != layout.rowFormat || clearsColors
    var converter = PixelRowConverter(from: bitmap.format, to: layout.rowFormat)
    var pixels = [UInt8](repeating: 0, count: needsStaging ? bitmap.width * layout.rowFormat.bytesPerPixel : 0)
    var filtered: [UInt8] = []
    var isSound = true
    for pass in passes {
      let rowByteCount = header.rowByteCount(width: pass.width)
      var row = [UInt8](repeating: 0, count: rowByteCount)
      var above = row
      for line in 0..<pass.height {
        try budget.chargeWork(count: rowByteCount, unitsEach: Self.workPerByte)
        try budget.chargeWork(Self.workPerRow)
        try budget.chargeWork(count: bitmap.width, unitsEach: Self.workPerPixel)
        let y = pass.firstRow + line * pass.rowStep
        var packed = row.mutableSpan
        if needsStaging {
          var output = pixels.mutableSpan
          converter.convert(bitmap.row(y), into: &output)
          if clearsColors { clearInvisibleColors(&output) }
          packer.pack(pixels.span, pass: pass, into: &packed)
        } else {
          packer.pack(bitmap.row(y), pass: pass, into: &packed)
        }
        filters.filter(row.span, above: above.span, into: &filtered)
        isSound = isSound && stream.append(filtered.span)
        if stream.outputByteCount > chargedByteCount {
          try budget.allocate(stream.outputByteCount - chargedByteCount)
          chargedByteCount = stream.outputByteCount
        }
        swap(&row, &above)
      }
    }
    guard isSound, let bytes = stream.finish() else {
      throw CodecError(.encodingFailed, "zlib cannot compress the image data", format: PNGDecoder.type)
    }
    guard bytes.count <= 0x7FFF_FFFF - 4 else {
      throw CodecError(.encodingFailed, "the image data exceeds 2³¹ - 1 bytes", format: PNGDecoder.type)
    }
    return bytes
  }

  private var clearsColors: Bool { options.clearsInvisibleColors && layout.rowFormat.hasAlpha }

  /// Sets all samples of fully transparent pixels to zero.
  private func clearInvisibleColors(_ row: inout MutableSpan<UInt8>) {
    let pixelByteCount = layout.rowFormat.bytesPerPixel
    let alphaByteCount = layout.bitDepth == 16 ? 2 : 1
    var start = 0
    while start < row.count {
      let end = start &+ pixelByteCount
      if row[end &- 1] == 0, row[end &- alphaByteCount] == 0 {
        for index in start..<end { row[index] = 0 }
      }
      start = end
    }
  }
}
