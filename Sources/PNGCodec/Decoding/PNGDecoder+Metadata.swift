// Reads only the metadata: the chunks before and after the image data, which is skipped.

internal import ByteCompression
public import ImageCore

extension PNGDecoder {
  /// Reads the chunks with metadata, before and after the image data. From a damaged file, those before the damage are
  /// returned.
  public func metadata(_ bytes: Span<UInt8>, options: InfoOptions) throws(CodecError) -> ImageMetadata {
    // A file without pixels, so that its chunks are parsed by the same code as all others.
    var file = ChunkWriter()
    var budget = ResourceBudget(options.limits, format: Self.type)
    var copiedByteCount = 0
    var position = ChunkReader.signature.count
    while let chunk = FramedChunk(bytes, at: position), chunk.isComplete {
      position = chunk.range.upperBound
      try budget.chargeWork(PNGCore.workPerChunk)
      guard metadataChunks.contains(chunk.type), chunk.data.count <= options.limits.maximumMetadataChunkByteCount,
        chunk.data.count <= options.limits.maximumMetadataByteCount - copiedByteCount
      else { continue }
      copiedByteCount += chunk.data.count
      file.append(copying: bytes.extracting(chunk.range))
    }
    file.append(.imageData, [])
    try budget.allocate(file.bytes.count)
    var headers = PNGCore(extent: .headers)
    try headers.readHeaders(file.bytes.span, options: DecodingOptions(limits: options.limits), budget: &budget)
    return headers.description?.metadata ?? ImageMetadata()
  }
}

/// The chunk types parsed for metadata, and those that must precede them.
private let metadataChunks: Set<ChunkType> = [
  .appleOptimized, .imageHeader, .palette, .gamma, .chromaticities, .standardRGB, .iccProfile, .codePoints,
  .masteringDisplay, .contentLightLevel, .significantBits, .background, .physicalPixelDimensions, .exif, .text,
  .compressedText, .internationalText, .time,
]
