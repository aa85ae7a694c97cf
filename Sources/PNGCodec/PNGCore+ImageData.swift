// The image data: where it may begin, the zlib stream that spans the IDAT chunks, and where it ends.

internal import ImageCore

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
      if extent == .headers { return .skip }
      if description.header.colorType == .palette, description.palette == nil {
        throw error(.malformed, "PLTE is missing")
      }
      let expansion = description.expansion(to: context.options.pixelFormat)
      try description.checkLimits(context.limits, format: expansion.target)
      context.budget.allowWork(forPixelCount: description.header.width * description.header.height)
      imageData = try ImageDataDecoder(
        header: description.header, expansion: expansion, isRaw: description.isAppleOptimized,
        budget: &context.budget)
    }
    return .decode
  }

  mutating func decodeImageData(
    _ part: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard case .open = imageDataState else { return }
    guard let result = try imageData?.consume(part, into: &bitmap, budget: &context.budget) else { return }
    let byteOffset = result.consumedCount.map { chunks.byteOffset - part.count + $0 } ?? chunks.chunkOffset
    switch result.status {
    case .needsMore: break
    case .finished: imageDataState = .finished
    case .excess:
      imageDataState = .finished
      context.note(.warning, "the image data is longer than the image", byteOffset: byteOffset)
    case .damaged(let reason):
      let error = CodecError(.malformed, reason, format: PNGDecoder.type, byteOffset: byteOffset)
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
