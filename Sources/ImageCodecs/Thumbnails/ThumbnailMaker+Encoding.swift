// Encoded thumbnails, of still pictures and of animations.

internal import GIFCodec
internal import JPEGCodec
internal import PNGCodec
internal import WebPCodec

/// A thumbnail in a file format.
public struct EncodedThumbnail: Sendable {
  /// The file.
  public var bytes: [UInt8]
  /// The format of the file.
  public var type: AssetType
  /// The size of the thumbnail.
  public var size: PixelSize
  /// The number of frames.
  public var frameCount: Int
  /// The information, metadata and diagnostics of the original.
  public var details: DecodingDetails

  /// Creates a thumbnail from a file and its properties.
  package init(
    bytes: [UInt8], type: AssetType, size: PixelSize, frameCount: Int, details: DecodingDetails
  ) {
    self.bytes = bytes
    self.type = type
    self.size = size
    self.frameCount = frameCount
    self.details = details
  }
}

extension ThumbnailMaker {
  /// Makes and encodes the thumbnail of a file in memory: an animation, a picture with its gain map, or a picture. Unless
  /// decoding is strict, the still picture is shown of an animation with frames that are not supported.
  func encoded(
    _ bytes: Span<UInt8>, _ decoder: any ImageFormatDecoder, as format: EncodingFormat, _ budget: inout ResourceBudget
  ) throws(CodecError) -> EncodedThumbnail {
    guard requests[0].frames == .all, format.hasAnimations else {
      return try encodedPicture(bytes, decoder, as: format, &budget)
    }
    let heldByteCount = budget.heldByteCount
    do throws(CodecError) {
      if let encoded = try encodedAnimation(bytes, decoder, as: format, &budget) { return encoded }
    } catch {
      guard error.kind == .unsupported, options.tolerance != .strict else { throw error }
      budget.settle(heldByteCount: heldByteCount)
      var thumbnail = try encodedPicture(bytes, decoder, as: format, &budget)
      thumbnail.details.diagnostics.append(
        ImageDiagnostic(
          .warning, "only a still picture is shown of the animation: \(error.reason)", byteOffset: error.byteOffset))
      return thumbnail
    }
    return try encodedPicture(bytes, decoder, as: format, &budget)
  }

  /// Makes and encodes the thumbnail of a still picture.
  private func encodedPicture(
    _ bytes: Span<UInt8>, _ decoder: any ImageFormatDecoder, as format: EncodingFormat, _ budget: inout ResourceBudget
  ) throws(CodecError) -> EncodedThumbnail {
    let request = requests[0]
    guard request.keepsGainMap, var encoder = format.encoder as? JPEGEncoder else {
      return try encoded(try make(of: bytes, decoder, &budget)[0], as: format, &budget)
    }
    let map = try ThumbnailGainMap(for: self, of: bytes, decoder, encoder: encoder, &budget)
    if let maximum = encoder.options.maximumByteCount {
      encoder.options.maximumByteCount = max(1, maximum - map.byteCount)
    }
    let picture = EncodingFormat(encoder)
    var maker = self
    maker.encoder = rowEncoder(of: picture)
    var thumbnail = try maker.encoded(try maker.make(of: bytes, decoder, &budget)[0], as: picture, &budget)
    thumbnail.bytes = try map.attached(to: thumbnail.bytes, &budget)
    if let diagnostic = map.diagnostic { thumbnail.details.diagnostics.append(diagnostic) }
    return thumbnail
  }

  /// The encoder to which rows can be passed as they are resized; `nil` if a stage needs all of them.
  func rowEncoder(of format: EncodingFormat) -> JPEGEncoder? {
    if case .padded = requests[0].fit { return nil }
    guard requests.count == 1, requests[0].sharpening == 0, options.pixelFormat == nil,
      !ThumbnailFinishing(requests[0], options, colorConversion).convertsColors,
      let encoder = format.encoder as? JPEGEncoder, encoder.options.parallelism == 1
    else { return nil }
    return encoder
  }

  /// Encodes the thumbnail unless that has been done.
  func encoded(
    _ made: Made, as format: EncodingFormat, _ budget: inout ResourceBudget
  ) throws(CodecError) -> EncodedThumbnail {
    if case .file(let bytes, let size) = made.content {
      return EncodedThumbnail(bytes: bytes, type: format.type, size: size, frameCount: 1, details: made.details)
    }
    var image = try finished(made, requests[0], &budget)
    let size = image.bitmap.pixelSize
    let bitmap = image.bitmap
    let file = try budget.encoding { (budget) throws(CodecError) in
      try format.encoder.encode(bitmap, metadata: nil, budget: &budget)
    }
    budget.bufferPool.recycle(&image.bitmap)
    return EncodedThumbnail(bytes: file, type: format.type, size: size, frameCount: 1, details: image.details)
  }

  /// Returns `nil` if the image has a single frame.
  private func encodedAnimation(
    _ bytes: Span<UInt8>, _ decoder: any ImageFormatDecoder, as format: EncodingFormat, _ budget: inout ResourceBudget
  ) throws(CodecError) -> EncodedThumbnail? {
    guard decoder.hasAnimations else { return nil }
    var decoding = options
    decoding.region = nil
    decoding.pixelFormat = nil
    try budget.allocate(bytes.count)
    var opened: (any AnimatedImageSource)?
    do throws(CodecError) {
      decoding.limits = budget.remainingLimits
      opened = try decoder.animation(Array(copying: bytes), options: decoding)
    } catch {
      // Browsers show the still picture of an animation that cannot be played.
      if error.isInterruption || options.tolerance == .strict { throw error }
    }
    guard let animation = opened, animation.frameCount > 1, let writer = AnimationWriter(format, for: animation) else {
      budget.release(bytes.count)
      return nil
    }
    let info = try decoder.info(bytes, options: InfoOptions(limits: options.limits), budget: &budget)
    return try encode(animation, info, to: writer, &budget)
  }

  /// Resizes and encodes the frames of an animation.
  private func encode(
    _ animation: any AnimatedImageSource, _ info: ImageInfo, to writer: AnimationWriter, _ budget: inout ResourceBudget
  ) throws(CodecError) -> EncodedThumbnail {
    let canvas = animation.canvasSize
    try budget.checkFrames(count: animation.frameCount, canvas: canvas)
    let pixelCount = canvas.width * canvas.height
    budget.allowWork(forFrameCount: animation.frameCount, canvas: canvas)
    let finishing = ThumbnailFinishing(requests[0], options, colorConversion)
    var writer = writer
    var cursor = animation.makeCursor()
    var index = 0
    var size = PixelSize(width: 0, height: 0)
    var diagnostics = animation.diagnostics
    while var picture = try cursor.next(budget: &budget) {
      let remaining = DecodingContext.maximumDiagnosticCount - diagnostics.count
      diagnostics += cursor.diagnostics.prefix(max(0, remaining))
      // Resizing checks for each row.
      try budget.chargeWorkInParts(count: pixelCount, unitsEach: 8)
      picture.orientation = info.orientation
      var frame = try requests[0].resized(picture, isDrawing: false, &budget).bitmap
      picture = Bitmap()
      try finishing.apply(to: &frame, &budget)
      size = frame.pixelSize
      let delay = animation.frameInfo(at: index).storedDelay
      try writer.append(AnimationFrame(bitmap: frame, delay: delay), budget: &budget)
      index += 1
    }
    cursor.release(to: &budget)
    let type = writer.type
    return EncodedThumbnail(
      bytes: try writer.finish(budget: &budget), type: type, size: size, frameCount: index,
      details: DecodingDetails(info: info, diagnostics: diagnostics))
  }
}

extension EncodingFormat {
  /// Whether the format has animations.
  var hasAnimations: Bool { encoder is GIFEncoder || encoder is PNGEncoder || encoder is WebPEncoder }
}

extension ImageFormatDecoder {
  /// Whether files of the decoder may be animations, so that it is worthwhile to look.
  fileprivate var hasAnimations: Bool {
    types.contains { $0 != .jpeg && $0 != .svg && $0 != .bmp && $0 != .ico && $0 != .icns && $0 != .tiff }
  }
}
