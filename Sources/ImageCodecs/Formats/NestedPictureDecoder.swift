// Images inside other files: thumbnails, tiles, covers, images in drawings. They are decoded by the decoders of the
// outer file's registry and charged to its budget.

internal import ImageCoding

/// Decodes raster images that are embedded in another file.
package struct NestedPictureDecoder: ImageFormatDecoder {
  let formats: ImageFormatRegistry
  /// The only type to decode; `nil` for all raster formats.
  var type: AssetType?

  package init(formats: ImageFormatRegistry, type: AssetType? = nil) {
    (self.formats, self.type) = (formats, type)
  }

  package var types: [AssetType] { type.map { [$0] } ?? [] }

  package func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    (try? decoder(for: prefix)).map { $0.probe(prefix) } ?? .no
  }

  package func info(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    try decoder(for: bytes).info(bytes, options: options, budget: &budget)
  }

  package func metadata(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageMetadata {
    try decoder(for: bytes).metadata(bytes, options: options, budget: &budget)
  }

  /// Decodes an embedded image, one nesting level below its file.
  ///
  /// - Throws: `CodecError.Kind.unsupported` for vector images and videos.
  package func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    try decoder(for: bytes).decode(bytes, into: &bitmap, options: options, budget: &budget)
  }

  package func metadataRewriter(of type: AssetType) -> (any MetadataRewriter)? { formats.metadataRewriter(of: type) }

  private func decoder(for bytes: Span<UInt8>) throws(CodecError) -> any ImageFormatDecoder {
    for decoder in formats.decoders {
      guard case .yes(let found) = decoder.probe(bytes) else { continue }
      if let type, found != type { continue }
      guard found != .svg, !found.isVideo else {
        throw CodecError(.unsupported, "\(found.formatName) files are not decoded inside other files", format: found)
      }
      return decoder
    }
    throw CodecError(.unrecognizedFormat, "the format of an embedded image is not known")
  }
}
