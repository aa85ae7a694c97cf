// From bytes to the facts of the headers in one line.

extension ImageInfo {
  /// Reads the headers of an image of any known format, decoded or not. Allocates no pixels.
  ///
  /// `bytes` may be a prefix of the file.
  /// - Throws: ``CodecError/Kind/unrecognizedFormat``, ``CodecError/Kind/truncated`` while the prefix is too short.
  public init(
    reading bytes: Span<UInt8>, options: InfoOptions = InfoOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    self = try formats.decoder(for: bytes).info(bytes, options: options)
  }

  /// Reads the headers of an image of any known format, decoded or not. Allocates no pixels.
  public init(
    reading bytes: [UInt8], options: InfoOptions = InfoOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    try self.init(reading: bytes.span, options: options, formats: formats)
  }
}
