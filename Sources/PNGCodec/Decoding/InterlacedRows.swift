// The rows of an interlaced image from top to bottom, for which all passes are decoded side by side: no more of the
// image is held than a band of rows.

internal import ByteCompression
internal import ImageCoding

/// Decodes an interlaced image whose rows go to a sink, in two steps: the passes are found as the file is read; then
/// their rows are decoded, each from a copy of the decompressor at the start of its pass.
struct InterlacedRows {
  private let header: ImageHeader
  private let expansion: SampleExpansion
  private var search: PassSearch
  /// The file offset of the image data, from which the file must be kept.
  private let startOffset: Int
  /// The file offset of the end of the bytes that were searched.
  private var endOffset: Int
  private var isDelivered = false
  /// Whether a palette index without an entry was found.
  private(set) var sawUnknownIndex = false

  /// The size of the image in bytes from which the decompressors of seven passes need less memory.
  private static let worthwhileByteCount = 1 << 20
  /// The approximate number of bytes in a band.
  private static let bandByteCount = 256 << 10

  /// Whether the rows of an image should be decoded in this way.
  static func areWorthwhile(for header: ImageHeader, _ target: PixelFormat) -> Bool {
    let (rowByteCount, isWide) = header.width.multipliedReportingOverflow(by: target.bytesPerPixel)
    let (byteCount, isLarge) = rowByteCount.multipliedReportingOverflow(by: header.height)
    return header.isInterlaced && (isWide || isLarge || byteCount >= worthwhileByteCount)
  }

  /// Prepares for the image data that starts at an offset in the file.
  init(
    header: ImageHeader, expansion: SampleExpansion, isRaw: Bool, startOffset: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    self.header = header
    self.expansion = expansion
    (self.startOffset, endOffset) = (startOffset, startOffset)
    search = try PassSearch(header: header, isRaw: isRaw, budget: &budget)
  }

  /// Whether all rows are there.
  var isImageComplete: Bool { search.isImageComplete }
  /// Whether any row is there.
  var hasPixels: Bool { search.hasRows }
  /// Whether the decompressor may have more bytes without more input.
  var hasPendingBytes: Bool { search.hasPendingBytes }
  /// The number of rows that were delivered.
  var completedRowCount: Int { isDelivered ? header.height : 0 }
  /// The number of passes found, including empty ones.
  var completedPassCount: Int { search.completedPassCount }
  /// The file offset of the bytes that are read again; `nil` if none are.
  var retainedOffset: Int? { isDelivered ? nil : startOffset }

  mutating func recycleBuffers(_ pool: BufferPool?) {
    search.recycleBuffers(pool)
  }

  /// Finds passes in the next bytes of the image data.
  mutating func consume(
    _ input: Span<UInt8>, from position: inout Int, at place: ImageDataPosition, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageDataStatus {
    endOffset = place.byteOffset + input.count - position
    return try search.consume(input, from: &position, at: place, budget: &budget)
  }

  /// Decodes the rows of the passes found, once all image data was read, and passes them to the sink. Pixels of missing
  /// rows are zero.
  mutating func deliver(
    _ input: borrowing InputWindow, _ description: ImageDescription, into bitmap: inout Bitmap,
    _ context: inout DecodingContext
  ) throws(CodecError) {
    guard !isDelivered, hasPixels else { return }
    isDelivered = true
    let rowByteCount = header.width * expansion.target.bytesPerPixel
    // Bands of whole periods of Adam7, so that each has the same number of rows of a pass.
    let bandRowCount = max(1, Self.bandByteCount / rowByteCount / 8) * 8
    try context.prepareRows(
      of: &bitmap, size: description.info.size, natural: description.naturalFormat, bandRowCount: bandRowCount,
      colorSpace: description.metadata.colorSpace)
    var passes: [PassRows] = []
    for start in search.starts {
      let rowCount = bandRowCount / start.pass.rowStep
      let decoder = try ImageDataDecoder(
        start.pass, of: header, expansion: expansion, inflater: start.inflater, rowCount: rowCount,
        budget: &context.budget)
      passes.append(PassRows(pass: start.pass, decoder: decoder, position: start.position))
    }
    var top = 0
    while top < header.height {
      let bottom = min(header.height, top + bandRowCount)
      if !isImageComplete { bitmap.zeroPixels(rows: top..<bottom) }
      for index in passes.indices {
        try passes[index].decode(above: bottom, input, upTo: endOffset, into: &bitmap, budget: &context.budget)
      }
      try context.deliverRows(of: &bitmap, upTo: bottom)
      top = bottom
    }
    for index in passes.indices {
      sawUnknownIndex = sawUnknownIndex || passes[index].decoder.sawUnknownIndex
      passes[index].decoder.recycleBuffers(context.budget.bufferPool)
    }
  }
}

/// The rows of one pass.
private struct PassRows {
  let pass: InterlacePass
  var decoder: ImageDataDecoder
  var position: ImageDataPosition
  private var isEnded = false

  init(pass: InterlacePass, decoder: ImageDataDecoder, position: ImageDataPosition) {
    self.pass = pass
    self.decoder = decoder
    self.position = position
  }

  /// Decodes the rows above a row of the image, as far as they are there.
  mutating func decode(
    above bottom: Int, _ input: borrowing InputWindow, upTo endOffset: Int, into bitmap: inout Bitmap,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    let wanted = min(pass.height, max(0, (bottom - pass.firstRow + pass.rowStep - 1) / pass.rowStep))
    while !isEnded, decoder.passRowCount < wanted {
      let range = try position.nextPart(of: input, upTo: endOffset, &budget)
      guard range != nil || decoder.hasPendingBytes else { return isEnded = true }
      let part = input.bytes.extracting(range ?? 0..<0)
      var consumedCount = 0
      let status = try decoder.consumeStrip(part, from: &consumedCount, into: &bitmap, budget: &budget)
      position = position.advanced(by: consumedCount)
      // Damage was reported when the passes were searched.
      isEnded = status != .needsMore || decoder.isImageComplete
    }
  }
}
