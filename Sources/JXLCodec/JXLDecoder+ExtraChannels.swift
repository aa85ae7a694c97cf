// Depth, masks, inks and other channels in addition to the colours, decoded on request.

public import ImageCoding

extension JXLDecoder {
  /// Returns the channels in addition to the colours, in the order of the file. Decodes no pixels.
  ///
  /// - Throws: `CodecError.Kind.malformed`; `CodecError.Kind.truncated` if the headers are not complete;
  ///   `CodecError.Kind.limitExceeded`.
  public func extraChannels(
    _ bytes: Span<UInt8>, limits: DecodingLimits = .default
  ) throws(CodecError) -> [JXLExtraChannel] {
    var budget = ResourceBudget(limits)
    return try headers(bytes, &budget).image.extraChannels.map { JXLExtraChannel($0) }
  }

  /// Decodes a channel of the first picture as grey samples, upright, at the size of the image.
  ///
  /// Of the options, limits, tolerance, orientation and parallelism apply. Samples of up to 8 bits become 8-bit ones,
  /// those of up to 16 bits 16-bit ones, deeper and floating-point ones remain floating point.
  ///
  /// - Parameters:
  ///   - index: the index in ``extraChannels(_:limits:)``.
  ///   - bytes: the file.
  ///   - options: the decoding options.
  /// - Throws: `CodecError.Kind.invalidArgument` if there is no such channel; the errors of decoding.
  public func extraChannel(
    _ index: Int, of bytes: Span<UInt8>, options: DecodingOptions = DecodingOptions()
  ) throws(CodecError) -> Bitmap {
    var budget = ResourceBudget(options)
    return try DecodingContext.spending(&budget, options, format: Self.type) { (context) throws(CodecError) in
      let headers = try headers(bytes, &context.budget)
      let count = headers.image.extraChannels.count
      guard (0..<count).contains(index) else {
        throw CodecError(
          .invalidArgument, "there is no extra channel \(index); the image has \(count)", format: Self.type)
      }
      var bitmap = Bitmap()
      try headers.codestream.withBytes(of: bytes) { (codestream) throws(CodecError) in
        try decode(index, headers, codestream, into: &bitmap, &context)
      }
      bitmap.orientation = headers.image.orientation
      try bitmap.applyOrientation(options.orientation, budget: &context.budget)
      return bitmap
    }
  }

  private func headers(_ bytes: Span<UInt8>, _ budget: inout ResourceBudget) throws(CodecError) -> JXLHeaders {
    var container = try JXLContainer(scanning: bytes, budget: &budget)
    return try JXLHeaders(parsing: bytes, &container, budget: &budget)
  }

  private func decode(
    _ index: Int, _ headers: JXLHeaders, _ codestream: Span<UInt8>, into bitmap: inout Bitmap,
    _ context: inout DecodingContext
  ) throws(CodecError) {
    let size = headers.image.size
    let output = PictureOutput(headers.image, extraChannel: index)
    try context.checkSize(width: size.width, height: size.height, format: output.natural, byteOffset: 0)
    context.budget.allowWork(forPixelCount: size.width * size.height)
    var frames = FrameSequence(headers)
    frames.toleratesDamage = !context.isStrict
    frames.needsExtraChannels = true
    let parallelism = context.options.parallelism
    let picture = try frames.nextPicture(codestream, parallelism: parallelism, budget: &context.budget)
    try bitmap.reset(width: size.width, height: size.height, format: output.natural, budget: &context.budget)
    for y in 0..<size.height {
      try context.budget.chargeWork(count: size.width, unitsEach: 2)
      var row = bitmap.mutableRow(y)
      output.write(picture, row: y, columns: 0..<size.width, into: &row)
    }
  }
}
