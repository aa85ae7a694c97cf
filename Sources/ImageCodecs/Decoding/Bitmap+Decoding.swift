// From bytes to pixels in one line: the decoder is found by what the bytes start like.

extension Bitmap {
  /// Decodes an image of any known format; of an animation the first frame.
  ///
  /// - Throws: ``CodecError/Kind/unrecognizedFormat``, ``CodecError/Kind/unsupported`` naming a format that is known
  ///   but not decoded, or what the format's decoder throws.
  public init(
    decoding bytes: Span<UInt8>, options: DecodingOptions = DecodingOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    self = try DecodedImage(decoding: bytes, options: options, formats: formats).bitmap
  }

  /// Decodes an image of any known format; of an animation the first frame.
  public init(
    decoding bytes: [UInt8], options: DecodingOptions = DecodingOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    try self.init(decoding: bytes.span, options: options, formats: formats)
  }
}

extension DecodedImage {
  /// Decodes an image of any known format, with its metadata and diagnostics.
  ///
  /// - Throws: ``CodecError/Kind/unrecognizedFormat``, ``CodecError/Kind/unsupported`` naming a format that is known
  ///   but not decoded, or what the format's decoder throws.
  public init(
    decoding bytes: Span<UInt8>, options: DecodingOptions = DecodingOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    self = try formats.decoder(for: bytes).decode(bytes, options: options)
  }

  /// Decodes an image of any known format, with its metadata and diagnostics.
  public init(
    decoding bytes: [UInt8], options: DecodingOptions = DecodingOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    try self.init(decoding: bytes.span, options: options, formats: formats)
  }
}

extension ImageFormatRegistry {
  /// Opens the frames of an animation of any known format; `nil` when the image is a still one.
  public func animation(
    _ bytes: [UInt8], options: DecodingOptions = DecodingOptions()
  ) throws(CodecError) -> (any AnimatedImageSource)? {
    try decoder(for: bytes.span).animation(bytes, options: options)
  }
}
