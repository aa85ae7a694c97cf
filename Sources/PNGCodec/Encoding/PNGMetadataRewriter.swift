// Metadata of a file exchanged, with every byte of its pixels as it was.

internal import ByteCompression
public import ImageCore

/// Writes a PNG again with other metadata. Chunks of pixels are copied, not decoded.
public struct PNGMetadataRewriter: Sendable {
  /// Creates a rewriter.
  public init() {}

  /// The file with its EXIF block, XMP packet, texts and time exchanged for those of `metadata`.
  ///
  /// What colours mean (profile, gamma, code points …), density and background stay as they are.
  /// - Parameter orientation: what the EXIF block is to say of the pixels.
  /// - Throws: ``DecodeError/Kind/malformed`` where the file is no PNG or has no image data,
  ///   ``DecodeError/Kind/encodingFailed`` for texts that PNG cannot hold.
  public func rewrite(
    _ bytes: Span<UInt8>, metadata: ImageMetadata, orientation: ImageOrientation
  ) throws(DecodeError) -> [UInt8] {
    guard case .yes = PNGDecoder().probe(bytes) else {
      throw DecodeError(.malformed, "the PNG signature is damaged", format: PNGDecoder.type, byteOffset: 0)
    }
    var output = ChunkWriter()
    var position = ChunkReader.signature.count
    var isWritten = false
    while let chunk = FramedChunk(bytes, at: position) {
      if chunk.type == .imageData, !isWritten {
        try output.appendDescriptiveMetadata(metadata, orientation: orientation)
        isWritten = true
      }
      switch chunk.type {
      case .exif, .text, .compressedText, .internationalText, .time: break
      default: output.append(copying: bytes.extracting(chunk.range))
      }
      position = chunk.range.upperBound
    }
    guard isWritten else {
      throw DecodeError(.malformed, "there is no image data", format: PNGDecoder.type, byteOffset: position)
    }
    // What follows damage, or IEND, is nobody's to change.
    output.append(copying: bytes.extracting(position..<bytes.count))
    return output.bytes
  }
}
