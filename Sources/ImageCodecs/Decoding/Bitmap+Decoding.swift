// Decoding in one call: the decoder is selected by the signature of the bytes.

extension Bitmap {
  /// Decodes an image of any known format. For an animation, decodes the first frame.
  ///
  /// - Throws: ``CodecError/Kind/unrecognizedFormat``, ``CodecError/Kind/unsupported`` for a format that is recognised
  ///   but not decoded, and the errors of the format's decoder.
  public init(
    decoding bytes: Span<UInt8>, options: DecodingOptions = DecodingOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    self = try DecodedImage(decoding: bytes, options: options, formats: formats).bitmap
  }

  /// Decodes an image of any known format. For an animation, decodes the first frame. Throws the same errors as the
  /// initialiser for spans.
  public init(
    decoding bytes: [UInt8], options: DecodingOptions = DecodingOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    try self.init(decoding: bytes.span, options: options, formats: formats)
  }
}

extension DecodedImage {
  /// Decodes an image of any known format, with its metadata and diagnostics.
  ///
  /// - Throws: ``CodecError/Kind/unrecognizedFormat``, ``CodecError/Kind/unsupported`` for a format that is recognised
  ///   but not decoded, and the errors of the format's decoder.
  public init(
    decoding bytes: Span<UInt8>, options: DecodingOptions = DecodingOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    var budget = ResourceBudget(options)
    try self.init(decoding: bytes, options: options, formats: formats, budget: &budget)
  }

  /// Decodes an image of any known format within a budget, which holds the pixels and the metadata afterwards.
  package init(
    decoding bytes: Span<UInt8>, options: DecodingOptions, formats: ImageFormatRegistry = .shared,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    self = try formats.decoder(for: bytes).decodeConvertingColors(bytes, options: options, budget: &budget)
    try budget.checkpoint()
  }

  /// Decodes an image of any known format, with its metadata and diagnostics. Throws the same errors as the initialiser
  /// for spans.
  public init(
    decoding bytes: [UInt8], options: DecodingOptions = DecodingOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    try self.init(decoding: bytes.span, options: options, formats: formats)
  }
}

extension ImageFormatRegistry {
  /// Returns the frames of an animation of any known format, or `nil` for a still image.
  ///
  /// - Throws: ``CodecError/Kind/unrecognizedFormat``, and the errors of the format's decoder.
  public func animation(
    _ bytes: [UInt8], options: DecodingOptions = DecodingOptions()
  ) throws(CodecError) -> (any AnimatedImageSource)? {
    let animation = try decoder(for: bytes.span).animation(bytes, options: options.beforeColorConversion)
    guard options.convertsColors, let animation else { return animation }
    return ColorConvertingAnimation(base: animation, options: options)
  }

  /// Returns the frames of an animation of any known format, or `nil` for a still image, as a part of a call with a budget.
  /// Indexing the frames may cost what is left of it, and the file is charged.
  package func animation(
    _ bytes: [UInt8], options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> (any AnimatedImageSource)? {
    try budget.allocate(bytes.count)
    var options = options
    options.limits = budget.remainingLimits
    let animation = try animation(bytes, options: options)
    try budget.checkpoint()
    if animation == nil { budget.release(bytes.count) }
    return animation
  }
}
