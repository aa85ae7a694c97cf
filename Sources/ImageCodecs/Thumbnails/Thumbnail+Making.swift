// The plan: headers → reduced decode → rows → colour, resizing → the rest of the request on the small result.

internal import JPEGCodec
internal import SVGCodec

extension Thumbnail {
  /// Makes the thumbnail of an image of any known format.
  ///
  /// JPEG is decoded at 1/2, 1/4 or 1/8 of its size if at least twice the size of the thumbnail remains, drawings at the
  /// size of the thumbnail. A smaller picture stored in a HEIF file is used if it is large enough. For an animation, makes
  /// the thumbnail of its still picture.
  ///
  /// - Parameters:
  ///   - options: how the image is decoded. The memory limit is that of all stages together. The pixel format, if there
  ///     is one, is that of the result, and so are the colours to convert to unless they are those of the request. The target size is ignored.
  /// - Returns: the thumbnail, with the information, metadata and diagnostics of the file.
  /// - Throws: ``CodecError/Kind/invalidArgument`` if the request is invalid, and the errors of
  ///   ``DecodedImage/init(decoding:options:formats:)``.
  public func image(
    of bytes: Span<UInt8>, options: DecodingOptions = DecodingOptions(),
    formats: ImageFormatRegistry = .shared
  ) throws(CodecError) -> DecodedImage {
    var budget = ResourceBudget(options)
    return try image(of: bytes, options: options, formats: formats, budget: &budget)
  }

  /// Makes the thumbnail, charging a budget with all stages. On return it holds the result and the metadata.
  package func image(
    of bytes: Span<UInt8>, options: DecodingOptions, formats: ImageFormatRegistry,
    budget: inout ResourceBudget
  ) throws(CodecError) -> DecodedImage {
    try validate()
    let decoder = try formats.decoder(for: bytes)
    let made = try content(of: bytes, decoder, options, encoder: nil, &budget)
    return try finished(made, options, &budget)
  }

  /// A thumbnail before the stages that need all of it, or one that needs none of them.
  struct Made {
    var content: ThumbnailOutput.Content
    var orientation = ImageOrientation.up
    var details: DecodingDetails
  }

  /// Resizes an image.
  ///
  /// - Parameter encoder: encodes rows as they are resized, if nothing remains to be done with them.
  func content(
    of bytes: Span<UInt8>, _ decoder: any ImageFormatDecoder, _ options: DecodingOptions,
    encoder: JPEGEncoder?,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> Made {
    if options.region != nil { return try resizedRegion(of: bytes, decoder, options, &budget) }
    if let decoder = decoder as? SVGDecoder {
      return try drawing(of: bytes, decoder, options, &budget)
    }
    let info = try decoder.info(bytes, options: headerOptions(options))
    return try streamed(info, decoder, options, encoder: encoder, &budget) {
      (decoder, sink, options, budget: inout ResourceBudget) throws(CodecError) in
      try decoder.decode(bytes, to: sink, options: options, budget: &budget)
    }
  }

  /// The options for reading the headers of an image whose pixels are not held.
  func headerOptions(_ options: DecodingOptions) -> InfoOptions {
    var limits = options.limits
    limits.maximumPixelCount = max(limits.maximumPixelCount, limits.maximumSourcePixelCount)
    return InfoOptions(limits: limits)
  }

  /// Applies what remains to be done to the bitmap.
  func finished(
    _ made: Made, _ options: DecodingOptions, _ budget: inout ResourceBudget
  ) throws(CodecError) -> DecodedImage {
    var bitmap = made.content.bitmap
    bitmap.orientation = made.orientation
    var details = made.details
    if let diagnostic = try finish(&bitmap, options, &budget) { details.diagnostics.append(diagnostic) }
    if convertsColors(options) { details.metadata.removeColorSpace() }
    return DecodedImage(bitmap: bitmap, details: details)
  }

  // MARK: Raster images

  /// Resizes rows as they are decoded.
  ///
  /// - Parameter decode: decodes the image with the given decoder and options, and passes its rows to the sink.
  func streamed(
    _ info: ImageInfo, _ decoder: any ImageFormatDecoder, _ options: DecodingOptions,
    encoder: JPEGEncoder?,
    _ budget: inout ResourceBudget,
    decode: (any ImageFormatDecoder, ThumbnailSink, DecodingOptions, inout ResourceBudget)
      throws(CodecError) ->
      DecodingDetails
  ) throws(CodecError) -> Made {
    var orientation = info.orientation
    var decoder = decoder
    if var jpeg = decoder as? JPEGDecoder {
      // What the approximation omits would be averaged away.
      jpeg.approximatesEighths = true
      decoder = jpeg
    }
    var decoding = options
    decoding.orientation = .report
    decoding.pixelFormat = nil
    decoding.colorConversion = .keep
    while true {
      let upright = orientation.swapsAxes ? info.size.transposed : info.size
      decoding.targetSize = decodedSize(
        for: geometry(of: upright, isDrawing: false).scaled, of: info)
      let isFinished = orientation == .up || options.orientation == .report
      let sink = ThumbnailSink(
        self, of: info.size, orientation: orientation, encoder: isFinished ? encoder : nil)
      let heldByteCount = budget.heldByteCount
      var details = try decode(decoder, sink, decoding, &budget)
      let found = details.info.orientation
      // Some formats state the orientation after the pixels.
      if found != orientation {
        orientation = found
        budget.settle(heldByteCount: heldByteCount)
        continue
      }
      details.diagnostics += sink.diagnostics
      let content = try sink.finish(budget: &budget)
      budget.settle(heldByteCount: heldByteCount + details.metadata.byteCount + content.byteCount)
      return Made(content: content, orientation: orientation, details: details)
    }
  }

  /// The size that decoders are asked for. JPEG's reduced sizes are averages of squares, so that twice the size is left
  /// to the filter. The thumbnails in HEIF files have been resized well.
  private func decodedSize(for scaled: PixelSize, of info: ImageInfo) -> PixelSize {
    guard info.type == JPEGDecoder.type else { return scaled }
    return PixelSize(width: scaled.width * 2, height: scaled.height * 2)
  }

  /// Makes the thumbnail of a region, which refers to the image as displayed.
  private func resizedRegion(
    of bytes: Span<UInt8>, _ decoder: any ImageFormatDecoder, _ options: DecodingOptions,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> Made {
    var decoding = options
    decoding.pixelFormat = nil
    decoding.colorConversion = .keep
    var region = Bitmap()
    var details = try decoder.decode(bytes, into: &region, options: decoding, budget: &budget)
    let (bitmap, diagnostics) = try resized(region, isDrawing: false, options, &budget)
    budget.release(region.byteCount)
    details.diagnostics += diagnostics
    return Made(content: .bitmap(bitmap), orientation: bitmap.orientation, details: details)
  }

  // MARK: Drawings

  private func drawing(
    of bytes: Span<UInt8>, _ decoder: SVGDecoder, _ options: DecodingOptions,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> Made {
    try options.checkImageIndex(format: SVGDecoder.type)
    let heldByteCount = budget.heldByteCount
    let picture = try decoder.draw(bytes, options: options, budget: &budget) { own in
      geometry(of: own, isDrawing: true).scaled
    }
    let bitmap = try resized(picture.bitmap, isDrawing: true, options, &budget).bitmap
    budget.settle(heldByteCount: heldByteCount + bitmap.byteCount)
    return Made(content: .bitmap(bitmap), details: picture.details)
  }

  // MARK: Bitmaps

  /// Makes the thumbnail of a decoded image. Its orientation is applied unless the options say otherwise.
  ///
  /// - Parameter options: the limits, the handling of the orientation and the pixel format of the result.
  /// - Throws: ``CodecError/Kind/invalidArgument`` if the request is invalid, ``CodecError/Kind/limitExceeded``,
  ///   ``CodecError/Kind/cancelled`` or ``CodecError/Kind/deadlineExceeded``.
  public func bitmap(of bitmap: Bitmap, options: DecodingOptions = DecodingOptions())
    throws(CodecError) -> Bitmap
  {
    var budget = ResourceBudget(options)
    return try self.bitmap(of: bitmap, options: options, budget: &budget)
  }

  /// Makes the thumbnail of a decoded image, charging a budget with all stages. On return it holds the result too.
  package func bitmap(
    of bitmap: Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> Bitmap {
    try validate()
    var result = try resized(bitmap, isDrawing: false, options, &budget).bitmap
    try finish(&result, options, &budget)
    return result
  }

  /// Converts, resizes and crops a bitmap, and charges the result.
  func resized(
    _ bitmap: Bitmap, isDrawing: Bool, _ options: DecodingOptions, _ budget: inout ResourceBudget
  ) throws(CodecError) -> (bitmap: Bitmap, diagnostics: [ImageDiagnostic]) {
    let sink = ThumbnailSink(
      self, of: bitmap.pixelSize, orientation: bitmap.orientation, isDrawing: isDrawing)
    let heldByteCount = budget.heldByteCount
    try sink.begin(
      StreamedImage(
        width: bitmap.width, height: bitmap.height, format: bitmap.format,
        colorSpace: bitmap.colorSpace), budget: &budget)
    for y in 0..<bitmap.height { try sink.append(bitmap.row(y), budget: &budget) }
    var result = try sink.finish(budget: &budget).bitmap
    budget.settle(heldByteCount: heldByteCount + result.byteCount)
    result.orientation = bitmap.orientation
    result.significantBits = bitmap.significantBits
    return (result, sink.diagnostics)
  }
}

extension ThumbnailOutput.Content {
  /// The bytes of the bitmap or of the file.
  var byteCount: Int {
    switch self {
    case .bitmap(let bitmap): bitmap.byteCount
    case .file(let bytes, _): bytes.count
    }
  }
}
