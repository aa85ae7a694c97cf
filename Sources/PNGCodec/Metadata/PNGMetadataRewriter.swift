// Replaces the metadata of a file and leaves its pixels unchanged.

internal import ByteCompression
public import ImageCoding
internal import MetadataFormats

/// Rewrites a PNG with other metadata. Image data is copied.
///
/// The result ends with the image. Anything after IEND is dropped, and so is anything after damage, except for image
/// data that is cut off by the end of the file.
///
/// If metadata is stripped, the name of the ICC profile is dropped, and bytes after the zlib streams of the profile and
/// of the image data, for which these are inflated, but not decoded to pixels.
package struct PNGMetadataRewriter: MetadataRewriter {
  /// ``PNGDecoder/type``.
  package static var type: AssetType { PNGDecoder.type }
  /// Whether unknown chunks are copied. Set to `false` to strip metadata.
  package var keepsUnknownParts: Bool

  /// Creates a rewriter. By default it copies unknown chunks.
  package init(keepsUnknownParts: Bool = true) {
    self.keepsUnknownParts = keepsUnknownParts
  }

  /// Returns the file with its EXIF block, XMP packet, texts and time replaced by those of `metadata`, without the
  /// thumbnail of the EXIF block.
  ///
  /// The meaning of colours (profile, gamma, code points …), the density and the background are left unchanged.
  /// - Throws: `CodecError.Kind.malformed` if the file is not a PNG, has no image data or separates it by other chunks,
  ///   `CodecError.Kind.encodingFailed` for texts that PNG cannot represent, `CodecError.Kind.limitExceeded`.
  package func rewrite(
    _ bytes: Span<UInt8>, metadata: ImageMetadata, orientation: ImageOrientation?, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    guard case .yes = PNGDecoder().probe(bytes) else {
      throw CodecError(.malformed, "the PNG signature is damaged", format: PNGDecoder.type, byteOffset: 0)
    }
    // The EXIF block may follow the pixels, so that reading the headers does not reach it.
    let options = InfoOptions(limits: budget.limits)
    let orientation =
      if let orientation { orientation } else {
        try PNGDecoder().metadata(bytes, options: options, budget: &budget).orientation
      }
    try budget.allocate(bytes.count)
    try budget.chargeWork(bytes.count)
    var metadata = metadata
    metadata.exif = metadata.exif.map(exifBlockRemovingThumbnail)
    var output = ChunkWriter()
    var copier = PictureChunkCopier()
    var position = ChunkReader.signature.count
    var isWritten = false
    var isBetween = false
    while let chunk = FramedChunk(bytes, at: position) {
      try budget.chargeWork(PNGCore.workPerChunk, byteOffset: position)
      if chunk.type == .imageData {
        if !isWritten { try output.appendDescriptiveMetadata(metadata, orientation: orientation) }
        // Without the chunks between them they would become one stream.
        guard !isWritten || !isBetween else {
          throw CodecError(
            .malformed, "the IDAT chunks are not consecutive", format: PNGDecoder.type, byteOffset: position)
        }
        (isWritten, isBetween) = (true, false)
      } else if isWritten {
        isBetween = true
      }
      let isImageData = chunk.type == .imageData || chunk.type == .frameData
      if chunk.isComplete ? stays(chunk.type) : isImageData {
        if keepsUnknownParts {
          output.append(copying: bytes.extracting(chunk.range))
        } else {
          try copier.copy(chunk, bytes, to: &output, &budget)
        }
      }
      position = chunk.range.upperBound
      if chunk.type == .imageEnd { break }
    }
    guard isWritten else {
      throw CodecError(.malformed, "there is no image data", format: PNGDecoder.type, byteOffset: position)
    }
    return output.bytes
  }

  private func stays(_ type: ChunkType) -> Bool {
    switch type {
    case .exif, .text, .compressedText, .internationalText, .time: false
    default: keepsUnknownParts || pictureChunks.contains(type)
    }
  }
}

extension PNGDecoder {
  /// Returns a rewriter that copies parts of unknown kinds.
  public func metadataRewriter(of type: AssetType) -> AnyMetadataRewriter? { PNGMetadataRewriter().erased }
}

/// The chunks that define the picture, the meaning of its colours, and its animation.
private let pictureChunks: Set<ChunkType> = [
  .appleOptimized, .imageHeader, .palette, .imageData, .imageEnd, .transparency, .gamma, .chromaticities, .standardRGB,
  .iccProfile, .codePoints, .masteringDisplay, .contentLightLevel, .significantBits, .background,
  .physicalPixelDimensions, .animationControl, .frameControl, .frameData,
]
