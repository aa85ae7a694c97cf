// Reading metadata in one call.

extension ImageMetadata {
  /// Reads the EXIF, XMP and IPTC data, the ICC profile, texts and comments of an image of any known format. Decodes no
  /// pixels.
  ///
  /// - Throws: ``CodecError/Kind/unrecognizedFormat``, and the errors of the format's decoder for damaged headers.
  public init(
    reading bytes: Span<UInt8>, options: InfoOptions = InfoOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    self = try formats.decoder(for: bytes).metadata(bytes, options: options)
  }

  /// Reads the EXIF, XMP and IPTC data, the ICC profile, texts and comments of an image of any known format. Decodes no
  /// pixels. Throws the same errors as the initialiser for spans.
  public init(
    reading bytes: [UInt8], options: InfoOptions = InfoOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    try self.init(reading: bytes.span, options: options, formats: formats)
  }
}
