// From bytes to what a file carries beside its pixels in one line.

extension ImageMetadata {
  /// Reads EXIF, XMP, IPTC, the ICC profile, texts and comments of an image of any known format. Decodes no pixels.
  ///
  /// - Throws: ``CodecError/Kind/unrecognizedFormat``, or what the format's decoder throws for damaged headers.
  public init(
    reading bytes: Span<UInt8>, options: InfoOptions = InfoOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    self = try formats.decoder(for: bytes).metadata(bytes, options: options)
  }

  /// Reads EXIF, XMP, IPTC, the ICC profile, texts and comments of an image of any known format. Decodes no pixels.
  public init(
    reading bytes: [UInt8], options: InfoOptions = InfoOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    try self.init(reading: bytes.span, options: options, formats: formats)
  }
}
