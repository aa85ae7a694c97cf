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
      let expansion = description.expansion(to: context.options.pixelFormat)
      let header = description.header
      if header.isInterlaced {
        try description.checkLimits(context.limits, format: expansion.target)
      } else {
        try context.checkSize(
          width: header.width, height: header.height, format: expansion.target, byteOffset: description.headerOffset)
      }
      context.budget.allowWork(forPixelCount: description.header.width * description.header.height)
      imageData = try ImageDataDecoder(
        header: header, expansion: expansion, isRaw: description.isAppleOptimized,
        isStreaming: context.isStreaming && !header.isInterlaced, budget: &context.budget)
    }
    guard goal == .pixels else { return .skip }
    return .decode
  }

  mutating func decodeImageData(
    _ part: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard isImageDataOpen, let description, var decoder = imageData else { return }
    // Moved out of the property, so that its strip is mutated in place.
    imageData = nil
    defer { imageData = decoder }
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
    } while position < part.count && isImageDataOpen
  }

  private var isImageDataOpen: Bool {
    if case .open = imageDataState { return true }
    return false
  }

  /// - Parameter endOffset: the file offset of the first byte that was not consumed.
  private mutating func note(
    _ status: ImageDataDecoder.Status, endOffset: Int, _ context: inout DecodingContext
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
