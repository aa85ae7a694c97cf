// Converts pixels to the zlib stream of an image or frame: passes, packing, filters, DEFLATE. The stream is passed on in
// parts, each of which becomes a chunk.

internal import ByteCompression
internal import ImageCoding

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

  /// Receives parts of a zlib stream, and charges what it keeps of them.
  typealias Receiver = (_ part: [UInt8], _ budget: inout ResourceBudget) throws(CodecError) -> Void

  /// The size from which on a part is passed on. The bytes of most small images are one part.
  static let partByteCount = 256 << 10
  /// No chunk may have more bytes, sequence number included.
  private static let greatestPartByteCount = 0x7FFF_FFFF - 4

  /// Passes on the zlib stream of a bitmap. Afterwards the budget holds nothing for it.
  ///
  /// If the image is compressed with and without filters, one of the streams is held.
  func encode(_ bitmap: Bitmap, _ budget: inout ResourceBudget, to receive: Receiver) throws(CodecError) {
    guard options.filtering == .entropy, isFilterable else {
      return try encode(bitmap, filtering: options.filtering, &budget, to: receive)
    }
    // Drawings often repeat strings that filters would make different.
    let filtered = try collectedParts(of: bitmap, filtering: .entropy, &budget)
    let plain = try collectedParts(of: bitmap, filtering: .none, &budget)
    let filteredByteCount = filtered.reduce(0) { $0 + $1.count }
    let plainByteCount = plain.reduce(0) { $0 + $1.count }
    let isPlain = plainByteCount < filteredByteCount
    budget.release(isPlain ? filteredByteCount : plainByteCount)
    for part in isPlain ? plain : filtered { try receive(part, &budget) }
    budget.release(isPlain ? plainByteCount : filteredByteCount)
  }

  /// Returns the parts of a stream, which the budget holds.
  private func collectedParts(
    of bitmap: Bitmap, filtering: PNGEncoder.Options.Filtering, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    try encode(bitmap, filtering: filtering, &budget) { (part, budget) throws(CodecError) in
      try budget.allocate(part.count)
      parts.append(part)
    }
    return parts
  }

  private func encode(
    _ bitmap: Bitmap, filtering: PNGEncoder.Options.Filtering, _ budget: inout ResourceBudget, to receive: Receiver
  ) throws(CodecError) {
    let header = layout.header(size: bitmap.pixelSize, isInterlaced: options.isInterlaced)
    let passes = InterlacePass.passes(of: header)
    let byteCount = passes.reduce(0) { $0 + $1.height * (1 + header.rowByteCount(width: $1.width)) }
    let rowCount = passes.reduce(0) { $0 + $1.height }
    let workPerRow = Int64(Self.workPerRow) + Int64(bitmap.width) * Int64(Self.workPerPixel)
    try budget.requireWork(Int64(byteCount) * Int64(Self.workPerByte) + Int64(rowCount) * workPerRow)
    let heldByteCount = budget.heldByteCount
    if options.parallelism > 1 { try budget.allocate(byteCount) }
    // Rows before and after filtering. The windows and tables of the compressor have a constant size.
    try budget.allocate(count: header.rowByteCount(width: header.width), bytesEach: 8)
    let bufferByteCount = budget.heldByteCount - heldByteCount
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
        if stream.outputByteCount >= Self.partByteCount {
          try Self.pass(stream.takeOutput(), &budget, to: receive)
          budget.release(chargedByteCount)
          chargedByteCount = 0
        }
        swap(&row, &above)
      }
    }
    guard isSound, let bytes = stream.finish() else {
      throw CodecError(.encodingFailed, "zlib cannot compress the image data", format: PNGDecoder.type)
    }
    if bytes.count > chargedByteCount {
      try budget.allocate(bytes.count - chargedByteCount)
      chargedByteCount = bytes.count
    }
    try Self.pass(bytes, &budget, to: receive)
    budget.release(bufferByteCount + chargedByteCount)
  }

  /// Passes on a part, divided if it is too long for a chunk.
  private static func pass(
    _ bytes: [UInt8], _ budget: inout ResourceBudget, to receive: Receiver
  ) throws(CodecError) {
    guard bytes.count > greatestPartByteCount else {
      // A stream may end with the last part.
      if !bytes.isEmpty { try receive(bytes, &budget) }
      return
    }
    for start in stride(from: 0, to: bytes.count, by: greatestPartByteCount) {
      try receive(Array(bytes[start..<min(bytes.count, start + greatestPartByteCount)]), &budget)
    }
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
