// The image data: where it may begin, the zlib stream that spans the IDAT chunks, and where it ends.

internal import ImageCoding

extension PNGCore {
  /// The state of the zlib stream of the default image.
  enum ImageDataState {
    /// More data may follow.
    case open
    /// The stream is complete; any further data is ignored.
    case finished
    /// The stream cannot be decoded any further, for this reason.
    case damaged(CodecError)
  }

  var damage: CodecError? {
    if case .damaged(let error) = imageDataState { return error }
    return nil
  }

  mutating func beginImageData(_ context: inout DecodingContext) throws(CodecError) -> ChunkUse {
    guard let description, stage != .afterImageData else {
      try context.tolerate(error(.malformed, "the IDAT chunks are not consecutive"), as: .warning)
      return .skip
    }
    if stage == .beforeImageData {
      stage = .imageData
      guard goal == .pixels else { return .skip }
      if description.header.colorType == .palette, description.palette == nil {
        throw error(.malformed, "PLTE is missing")
      }
      imageData = try makeImageData(description, &context)
    }
    guard goal == .pixels else { return .skip }
    return .decode
  }

  /// Checks the size of the image, and prepares to decode it.
  private func makeImageData(
    _ description: ImageDescription, _ context: inout DecodingContext
  ) throws(CodecError) -> ImageData {
    let (header, expansion) = (description.header, description.expansion(to: context.options.pixelFormat))
    let isRaw = description.isAppleOptimized
    let isSearched = context.isStreaming && InterlacedRows.areWorthwhile(for: header, expansion.target)
    if header.isInterlaced, !isSearched {
      try description.checkLimits(context.limits, format: expansion.target)
    } else {
      try context.checkSize(
        width: header.width, height: header.height, format: expansion.target, byteOffset: description.headerOffset)
    }
    context.budget.allowWork(forPixelCount: header.width * header.height)
    if isSearched {
      return .passes(
        try InterlacedRows(
          header: header, expansion: expansion, isRaw: isRaw, startOffset: chunks.byteOffset, budget: &context.budget))
    }
    return .rows(
      try ImageDataDecoder(
        header: header, expansion: expansion, isRaw: isRaw, isStreaming: context.isStreaming && !header.isInterlaced,
        budget: &context.budget))
  }

  mutating func decodeImageData(
    _ part: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard isImageDataOpen, let description, let data = imageData else { return }
    // Moved out of the property, so that its strip is mutated in place.
    imageData = nil
    switch consume data {
    case .rows(var decoder):
      defer { imageData = .rows(decoder) }
      try decodeRows(part, description, &decoder, into: &bitmap, &context)
    case .passes(var rows):
      defer { imageData = .passes(rows) }
      try searchPasses(part, &rows, &context)
    }
  }

  private mutating func decodeRows(
    _ part: Span<UInt8>, _ description: ImageDescription, _ decoder: inout ImageDataDecoder, into bitmap: inout Bitmap,
    _ context: inout DecodingContext
  ) throws(CodecError) {
    if !decoder.isBitmapReady, !decoder.isInterlaced, context.isStreaming {
      try context.prepareRows(
        of: &bitmap, size: description.info.size, natural: description.naturalFormat,
        bandRowCount: decoder.stripRowCount, colorSpace: description.metadata.colorSpace)
      decoder.isBitmapReady = true
    }
    var position = 0
    repeat {
      let status = try decoder.consumeStrip(part, from: &position, into: &bitmap, budget: &context.budget)
      try context.deliverRows(of: &bitmap, upTo: decoder.completedRowCount)
      try note(status, endOffset: chunks.byteOffset - part.count + position, &context)
    } while isImageDataOpen && (position < part.count || decoder.hasPendingBytes)
  }

  private mutating func searchPasses(
    _ part: Span<UInt8>, _ rows: inout InterlacedRows, _ context: inout DecodingContext
  ) throws(CodecError) {
    let place = ImageDataPosition(
      byteOffset: chunks.byteOffset - part.count, remainingByteCount: part.count + chunks.remainingByteCount)
    var position = 0
    repeat {
      let status = try rows.consume(
        part, from: &position, at: place.advanced(by: position), budget: &context.budget)
      try note(status, endOffset: place.byteOffset + position, &context)
    } while isImageDataOpen && (position < part.count || rows.hasPendingBytes)
  }

  /// Passes the rows of an interlaced image to the sink once no more of them follow.
  mutating func deliverPasses(
    _ input: borrowing InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard case .passes(var rows) = imageData, let description else { return }
    guard input.isFinal || stage != .imageData || !isImageDataOpen else { return }
    defer { imageData = .passes(rows) }
    try rows.deliver(input, description, into: &bitmap, &context)
  }

  private var isImageDataOpen: Bool {
    if case .open = imageDataState { return true }
    return false
  }

  /// - Parameter endOffset: the file offset of the first byte that was not consumed.
  private mutating func note(
    _ status: ImageDataStatus, endOffset: Int, _ context: inout DecodingContext
  ) throws(CodecError) {
    switch status {
    case .needsMore: break
    case .finished: imageDataState = .finished
    case .excess:
      imageDataState = .finished
      // How far zlib has read by then depends on how the input was divided.
      context.note(.warning, "the image data is longer than the image", byteOffset: chunks.chunkOffset)
    case .damaged(let reason, let isInRow):
      let error = error(.malformed, reason, at: isInRow ? chunks.chunkOffset : endOffset)
      imageDataState = .damaged(error)
      try context.tolerate(error, as: .damage)
    }
  }

  /// Ends the image data when another chunk begins.
  mutating func endImageData(_ context: inout DecodingContext) throws(CodecError) {
    stage = .afterImageData
    guard let imageData, case .open = imageDataState else { return }
    guard !imageData.isImageComplete else {
      return try context.tolerate(error(.malformed, "the image data has no checksum"), as: .warning)
    }
    let error = error(.malformed, "the image data ends before the last row")
    imageDataState = .damaged(error)
    try context.tolerate(error, as: .damage)
  }
}
