// The plan: headers → reduced decode → rows → colour, resizing → the rest of the request on the small result.

internal import ImageCoding
internal import JPEGCodec
internal import SVGCodec

/// Makes thumbnails of one image: decodes it once, and resizes its rows for each of them.
struct ThumbnailMaker {
  /// A thumbnail before the stages that need all of it, or one that needs none of them.
  struct Made {
    var content: ThumbnailOutput.Content
    var orientation = ImageOrientation.up
    var details: DecodingDetails
  }

  let requests: [Thumbnail]
  let options: DecodingOptions
  /// The conversion of colours, unless a request has its own.
  let colorConversion: ColorConversion
  /// Encodes rows as they are resized, if nothing remains to be done with them.
  var encoder: JPEGEncoder?

  /// - Throws: `CodecError.Kind.invalidArgument` if a request is invalid.
  init(
    _ requests: [Thumbnail], _ options: DecodingOptions, _ colorConversion: ColorConversion
  ) throws(CodecError) {
    for request in requests { try request.validate() }
    self.requests = requests
    self.options = options
    self.colorConversion = colorConversion
  }

  /// Decodes an image and resizes it for all requests. The budget then holds the results.
  func make(
    of bytes: Span<UInt8>, _ decoder: any ImageFormatDecoder, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [Made] {
    guard !requests.isEmpty else { return [] }
    if options.region != nil { return try makeOfRegion(bytes, decoder, &budget) }
    if let decoder = decoder as? SVGDecoder { return try draw(bytes, decoder, &budget) }
    let info = try decoder.info(bytes, options: headerOptions, budget: &budget)
    return try makeOfRows(info, decoder, &budget) { (decoder, sink, options, budget) throws(CodecError) in
      try decoder.decode(bytes, to: sink, options: options, budget: &budget)
    }
  }

  /// Decodes a file while it is read. Returns `nil` if the file must be in memory as a whole.
  func make(
    readingPartsOf path: String, _ decoder: any ImageFormatDecoder, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [Made]? {
    guard options.region == nil, let parted = decoder as? any CoreDecoder, parted.readsFilesInParts else { return nil }
    guard var file = FileParts(path: path) else {
      throw CodecError(.fileAccessFailed, "\(path) cannot be read, or is not a regular file")
    }
    // The headers are in the first part of nearly all files.
    let info: ImageInfo
    do throws(CodecError) {
      info = try decoder.info(file.part.span, options: headerOptions, budget: &budget)
    } catch {
      if error.kind == .truncated { return nil }
      throw error
    }
    return try makeOfRows(info, decoder, &budget) { (decoder, sink, options, budget) throws(CodecError) in
      guard let decoder = decoder as? any CoreDecoder else {
        throw CodecError(.unsupported, "the decoder does not read files in parts")
      }
      try file.rewind()
      var decode = ImageDecode(decoder.makeCore(.pixels, options))
      return try decode.decode(&file, to: sink, options: options, budget: &budget)
    }
  }

  /// The options for reading the headers of an image whose pixels are not held.
  var headerOptions: InfoOptions {
    var limits = options.limits
    limits.maximumPixelCount = max(limits.maximumPixelCount, limits.maximumSourcePixelCount)
    return InfoOptions(limits: limits)
  }

  /// The options for decoding: pixels as they are in the file.
  var decodingOptions: DecodingOptions {
    var decoding = options
    decoding.orientation = .report
    decoding.pixelFormat = nil
    return decoding
  }

  // MARK: Raster images

  /// Resizes rows as they are decoded.
  ///
  /// - Parameter decode: decodes the image with the given decoder and options, and passes its rows to the sink.
  private func makeOfRows(
    _ info: ImageInfo, _ decoder: any ImageFormatDecoder, _ budget: inout ResourceBudget,
    decode: (any ImageFormatDecoder, any ImageRowSink, DecodingOptions, inout ResourceBudget)
      throws(CodecError) -> DecodingDetails
  ) throws(CodecError) -> [Made] {
    var orientation = info.orientation
    let decoder = Self.reducing(decoder)
    while true {
      let sink = ThumbnailSinks(of: info, orientation: orientation, for: self)
      let heldByteCount = budget.heldByteCount
      let details = try decode(decoder, sink, sink.decodingOptions, &budget)
      // Some formats state the orientation after the pixels.
      if details.info.orientation == orientation {
        let made = try sink.finish(details, &budget)
        let byteCount = made.reduce(details.metadata.byteCount) { $0 + $1.content.byteCount }
        budget.settle(heldByteCount: heldByteCount + byteCount)
        return made
      }
      orientation = details.info.orientation
      budget.settle(heldByteCount: heldByteCount)
    }
  }

  /// Returns the decoder for images that are resized.
  static func reducing(_ decoder: any ImageFormatDecoder) -> any ImageFormatDecoder {
    guard var jpeg = decoder as? JPEGDecoder else { return decoder }
    // Resizing averages away the detail that the approximation omits.
    jpeg.approximatesEighths = true
    return jpeg
  }

  /// Makes the thumbnails of a region, which refers to the image as displayed.
  private func makeOfRegion(
    _ bytes: Span<UInt8>, _ decoder: any ImageFormatDecoder, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [Made] {
    var decoding = options
    decoding.pixelFormat = nil
    var region = Bitmap()
    let details = try decoder.decode(bytes, into: &region, options: decoding, budget: &budget)
    var made: [Made] = []
    for request in requests {
      var details = details
      let (bitmap, diagnostics) = try request.resized(region, isDrawing: false, &budget)
      details.diagnostics += diagnostics
      made.append(Made(content: .bitmap(bitmap), orientation: bitmap.orientation, details: details))
    }
    budget.release(region.byteCount)
    return made
  }

  // MARK: Drawings

  /// Draws a drawing for each request, because it has no resolution.
  private func draw(
    _ bytes: Span<UInt8>, _ decoder: SVGDecoder, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [Made] {
    try options.checkImageIndex(format: SVGDecoder.type)
    try options.checkKeyFrame(format: SVGDecoder.type)
    var made: [Made] = []
    for request in requests {
      let heldByteCount = budget.heldByteCount
      let picture = try decoder.draw(bytes, options: options, budget: &budget) { own in
        request.geometry(of: own, isDrawing: true).scaled
      }
      let bitmap = try request.resized(picture.bitmap, isDrawing: true, &budget).bitmap
      budget.settle(heldByteCount: heldByteCount + bitmap.byteCount)
      made.append(Made(content: .bitmap(bitmap), details: picture.details))
    }
    return made
  }

  // MARK: The last stages

  /// Applies what remains to be done to the bitmaps.
  func finished(_ made: [Made], _ budget: inout ResourceBudget) throws(CodecError) -> [DecodedImage] {
    var images: [DecodedImage] = []
    for (index, made) in made.enumerated() { images.append(try finished(made, requests[index], &budget)) }
    return images
  }

  func finished(
    _ made: Made, _ request: Thumbnail, _ budget: inout ResourceBudget
  ) throws(CodecError) -> DecodedImage {
    var bitmap = made.content.bitmap
    bitmap.orientation = made.orientation
    var details = made.details
    let finishing = ThumbnailFinishing(request, options, colorConversion)
    if let diagnostic = try finishing.apply(to: &bitmap, &budget) { details.diagnostics.append(diagnostic) }
    if finishing.convertsColors { details.metadata.removeColorSpace() }
    return DecodedImage(bitmap: bitmap, details: details)
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
