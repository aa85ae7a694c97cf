// Metadata of a file exchanged or removed without decoding a pixel.

internal import MetadataFormats

extension ImageMetadata {
  /// A file without EXIF, XMP, IPTC, texts, comments, thumbnails, private data of applications and whatever follows the
  /// image, such as further pictures. Its pixels' bytes stay as they are, as do the colour profile and the orientation,
  /// without which the picture would look different.
  ///
  /// - Parameter file: a JPEG, PNG or WebP file.
  /// - Throws: ``CodecError/Kind/unsupported`` for other formats, naming the format.
  public static func stripped(
    from file: [UInt8], limits: DecodingLimits = .default, formats: ImageFormatRegistry = .shared
  ) throws(CodecError) -> [UInt8] {
    try ImageMetadata().rewrite(file, isStrip: true, limits: limits, formats: formats)
  }

  /// A file with its EXIF, XMP, IPTC, texts and comments exchanged for these. Its pixels' bytes stay as they are, and so
  /// do profile and orientation: the EXIF block says what holds for the file's pixels. What follows the image, such as
  /// further pictures with metadata of their own, is dropped.
  ///
  /// - Parameter file: a JPEG, PNG or WebP file.
  /// - Throws: ``CodecError/Kind/unsupported`` for other formats, naming the format;
  ///   ``CodecError/Kind/encodingFailed`` for what the format cannot hold.
  public func replacing(
    in file: [UInt8], limits: DecodingLimits = .default, formats: ImageFormatRegistry = .shared
  ) throws(CodecError) -> [UInt8] {
    try rewrite(file, isStrip: false, limits: limits, formats: formats)
  }

  private func rewrite(
    _ file: [UInt8], isStrip: Bool, limits: DecodingLimits, formats: ImageFormatRegistry
  ) throws(CodecError) -> [UInt8] {
    let decoder = try formats.decoder(for: file.span)
    let type = formats.type(of: file.span)
    let options = InfoOptions(limits: limits)
    switch type {
    case .jpeg:
      return try JPEGMetadataRewriter(keepsUnknownSegments: !isStrip)
        .rewrite(file.span, metadata: self, orientation: decoder.info(file.span, options: options).orientation)
    case .png:
      return try PNGMetadataRewriter(keepsUnknownChunks: !isStrip)
        .rewrite(file.span, metadata: self, orientation: decoder.info(file.span, options: options).orientation)
    case .webp:
      // The EXIF block follows the pixels, where headers do not reach.
      let exif = try decoder.metadata(file.span, options: options).exif
      return try WebPMetadataRewriter(keepsUnknownChunks: !isStrip)
        .rewrite(file.span, metadata: self, orientation: exif.flatMap { ImageOrientation(exif: $0.span) } ?? .up)
    default:
      let operation = isStrip ? "removed from" : "replaced in"
      throw CodecError(
        .unsupported, "metadata cannot be \(operation) \(type?.formatName ?? "unknown") files", format: type)
    }
  }
}
