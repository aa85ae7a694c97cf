// Metadata on its own: chunks may stand before and behind the image data, which is skipped unseen.

internal import ByteCompression
public import ImageCore

extension PNGDecoder {
  /// Reads the chunks with metadata, wherever they stand. A damaged file has those before the damage.
  public func metadata(_ bytes: Span<UInt8>, options: InfoOptions) throws(DecodeError) -> ImageMetadata {
    // A file without its pixels, so that its chunks are read by the code that reads all others.
    var file = ChunkWriter()
    var position = ChunkReader.signature.count
    while let chunk = FramedChunk(bytes, at: position) {
      if metadataChunks.contains(chunk.type), chunk.data.count <= options.limits.maximumMetadataChunkByteCount {
        file.append(copying: bytes.extracting(chunk.range))
      }
      position = chunk.range.upperBound
    }
    file.append(.imageData, [])
    let session = PNGSession(options: DecodingOptions(limits: options.limits), readsHeadersOnly: true)
    try session.append(file.bytes.span)
    return session.description?.metadata ?? ImageMetadata()
  }
}

/// Those that are read for metadata, and those that must come before them.
private let metadataChunks: Set<ChunkType> = [
  .appleOptimized, .imageHeader, .palette, .gamma, .chromaticities, .standardRGB, .iccProfile, .codePoints,
  .significantBits, .background, .physicalPixelDimensions, .exif, .text, .compressedText, .internationalText, .time,
]

/// Where a whole chunk stands in a file that is all there.
struct FramedChunk {
  let type: ChunkType
  /// Length, type, data and CRC.
  let range: Range<Int>
  /// The data.
  let data: Range<Int>

  /// `nil` where the file ends before the chunk does.
  init?(_ bytes: Span<UInt8>, at position: Int) {
    guard let length = FourCharacterCode(bytes, at: position), let code = FourCharacterCode(bytes, at: position + 4)
    else { return nil }
    let end = position + 12 + Int(length.rawValue)
    guard end <= bytes.count else { return nil }
    type = ChunkType(code: code.rawValue)
    range = position..<end
    data = position + 8..<end - 4
  }
}
