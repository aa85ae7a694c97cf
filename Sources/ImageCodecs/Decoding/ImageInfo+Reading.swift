// Reading headers in one call.

extension ImageInfo {
  /// Reads the headers of an image of any known format, including formats that are not decoded. Allocates no pixels.
  ///
  /// `bytes` may be a prefix of the file.
  /// - Throws: ``CodecError/Kind/unrecognizedFormat``; ``CodecError/Kind/truncated`` if the prefix is too short.
  public init(
    reading bytes: Span<UInt8>, options: InfoOptions = InfoOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    self = try formats.decoder(for: bytes).info(bytes, options: options)
  }

  /// Reads the headers of an image of any known format, including formats that are not decoded. Allocates no pixels.
  /// Throws the same errors as the initialiser for spans.
  public init(
    reading bytes: [UInt8], options: InfoOptions = InfoOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    try self.init(reading: bytes.span, options: options, formats: formats)
  }
}
