// The plan: headers → reduced decode → rows → resizing → orientation, colour, background and sharpening of the result.

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
  ///   - options: how the image is decoded. Memory, work and time are limits of all stages together. The pixel format,
  ///     if there is one, is that of the result. The target size is ignored.
  /// - Returns: the thumbnail, with the information, metadata and diagnostics of the file.
  /// - Throws: ``CodecError/Kind/invalidArgument`` if the request is invalid, and the errors of
  ///   ``DecodedImage/init(decoding:options:formats:)``.
  public func image(
    of bytes: Span<UInt8>, options: DecodingOptions = DecodingOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) -> DecodedImage {
    var budget = ResourceBudget(options)
    return try image(of: bytes, options: options, formats: formats, budget: &budget)
  }

  /// Makes the thumbnail, charging a budget with all stages. On return it holds the result and the metadata.
  package func image(
    of bytes: Span<UInt8>, options: DecodingOptions, formats: ImageFormatRegistry, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodedImage {
    try validate()
    let decoder = try formats.decoder(for: bytes)
    var image: DecodedImage
    if options.region != nil {
      image = try resizedRegion(of: bytes, decoder, options, &budget)
    } else if let decoder = decoder as? SVGDecoder {
      image = try drawing(of: bytes, decoder, options, &budget)
    } else {
      image = try streamed(bytes, decoder, options, &budget)
    }
    image.details.diagnostics += try finish(&image.bitmap, options, &budget)
    return image
  }

  // MARK: Raster images

  private func streamed(
    _ bytes: Span<UInt8>, _ decoder: any ImageFormatDecoder, _ options: DecodingOptions, _ budget: inout ResourceBudget
  ) throws(CodecError) -> DecodedImage {
    let info = try decoder.info(bytes, options: InfoOptions(limits: options.limits))
    var orientation = info.orientation
    var decoder = decoder
    if var jpeg = decoder as? JPEGDecoder {
      // At least half of the pixels that the approximation affects are averaged away.
      jpeg.approximatesEighths = true
      decoder = jpeg
    }
    while true {
      let upright = orientation.swapsAxes ? info.size.transposed : info.size
      let geometry = geometry(of: upright, isDrawing: false)
      var decoding = options
      decoding.orientation = .report
      decoding.pixelFormat = nil
      decoding.targetSize = decodedSize(for: geometry.scaled, of: info)
      let sink = ThumbnailSink(self, of: info.size, orientation: orientation, budget: stageBudget(options))
      let heldByteCount = budget.heldByteCount
      var details = try decoder.decode(bytes, to: sink, options: decoding, budget: &budget)
      let found = details.info.orientation
      // Some formats state the orientation after the pixels.
      if found != orientation, isAffected(by: orientation, found, of: info.size) {
        orientation = found
        budget.settle(heldByteCount: heldByteCount)
        continue
      }
      details.diagnostics += sink.diagnostics
      var bitmap = sink.finish()
      try budget.allocate(bitmap.byteCount)
      bitmap.orientation = found
      return DecodedImage(bitmap: bitmap, details: details)
    }
  }

  /// Whether the orientation of an image changes how its rows are resized and cropped.
  private func isAffected(by a: ImageOrientation, _ b: ImageOrientation, of size: PixelSize) -> Bool {
    func stored(_ orientation: ImageOrientation) -> ThumbnailGeometry {
      geometry(of: orientation.swapsAxes ? size.transposed : size, isDrawing: false).stored(as: orientation)
    }
    return stored(a) != stored(b)
  }

  /// The size that decoders are asked for. JPEG's reduced sizes are averages of squares, so that twice the size is left
  /// to the filter. The thumbnails in HEIF files have been resized well.
  private func decodedSize(for scaled: PixelSize, of info: ImageInfo) -> PixelSize {
    guard info.type == JPEGDecoder.type else { return scaled }
    return PixelSize(width: scaled.width * 2, height: scaled.height * 2)
  }

  private func stageBudget(_ options: DecodingOptions) -> ResourceBudget {
    ResourceBudget(options)
  }

  /// Makes the thumbnail of a region, which refers to the image as displayed.
  private func resizedRegion(
    of bytes: Span<UInt8>, _ decoder: any ImageFormatDecoder, _ options: DecodingOptions,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> DecodedImage {
    var decoding = options
    decoding.pixelFormat = nil
    var region = Bitmap()
    let details = try decoder.decode(bytes, into: &region, options: decoding, budget: &budget)
    let bitmap = try resized(region, isDrawing: false, options, &budget)
    budget.release(region.byteCount)
    return DecodedImage(bitmap: bitmap, details: details)
  }

  // MARK: Drawings

  private func drawing(
    of bytes: Span<UInt8>, _ decoder: SVGDecoder, _ options: DecodingOptions, _ budget: inout ResourceBudget
  ) throws(CodecError) -> DecodedImage {
    try options.checkImageIndex(format: SVGDecoder.type)
    let heldByteCount = budget.heldByteCount
    let picture = try decoder.draw(bytes, options: options, budget: &budget) { own in
      geometry(of: own, isDrawing: true).scaled
    }
    let bitmap = try resized(picture.bitmap, isDrawing: true, options, &budget)
    budget.settle(heldByteCount: heldByteCount + bitmap.byteCount)
    return DecodedImage(bitmap: bitmap, details: picture.details)
  }

  // MARK: Bitmaps

  /// Makes the thumbnail of a decoded image. Its orientation is applied unless the options say otherwise.
  ///
  /// - Parameter options: the limits, the handling of the orientation and the pixel format of the result.
  /// - Throws: ``CodecError/Kind/invalidArgument`` if the request is invalid, ``CodecError/Kind/limitExceeded``,
  ///   ``CodecError/Kind/cancelled`` or ``CodecError/Kind/deadlineExceeded``.
  public func bitmap(
    of bitmap: Bitmap, options: DecodingOptions = DecodingOptions()
  ) throws(CodecError) -> Bitmap {
    try validate()
    var budget = ResourceBudget(options)
    var result = try resized(bitmap, isDrawing: false, options, &budget)
    _ = try finish(&result, options, &budget)
    return result
  }

  /// Resizes and crops a bitmap, and charges the result.
  func resized(
    _ bitmap: Bitmap, isDrawing: Bool, _ options: DecodingOptions, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Bitmap {
    let sink = ThumbnailSink(
      self, of: bitmap.pixelSize, orientation: bitmap.orientation, isDrawing: isDrawing, budget: stageBudget(options))
    try sink.begin(
      StreamedImage(
        width: bitmap.width, height: bitmap.height, format: bitmap.format, colorSpace: bitmap.colorSpace))
    try budget.allocate(sink.heldByteCount)
    let sinkByteCount = sink.heldByteCount
    for y in 0..<bitmap.height { try sink.append(bitmap.row(y)) }
    var result = sink.finish()
    budget.release(sinkByteCount - result.byteCount)
    result.orientation = bitmap.orientation
    result.significantBits = bitmap.significantBits
    return result
  }
}
