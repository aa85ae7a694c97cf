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
  public init(
    bytes: [UInt8], type: AssetType, size: PixelSize, frameCount: Int, details: DecodingDetails
  ) {
    self.bytes = bytes
    self.type = type
    self.size = size
    self.frameCount = frameCount
    self.details = details
  }
}

extension Thumbnail {
  /// Makes and encodes the thumbnail of an image of any known format. Its metadata is not written.
  ///
  /// With ``Frames/all`` an animation remains one if the format has animations: GIF, PNG and WebP. The pixels of all frames
  /// together are limited by ``DecodingLimits/maximumSourcePixelCount``.
  ///
  /// The limits are those of the whole call: decoding and resizing of all frames, and encoding.
  ///
  /// - Parameters:
  ///   - format: the format to encode to.
  ///   - options: as for ``image(of:options:formats:)``.
  /// - Throws: the errors of ``image(of:options:formats:)`` and of the encoder.
  public func encoded(
    _ bytes: Span<UInt8>, as format: EncodingFormat, options: DecodingOptions = DecodingOptions(),
    formats: ImageFormatRegistry = .shared
  ) throws(CodecError) -> EncodedThumbnail {
    var budget = ResourceBudget(options)
    return try encoded(bytes, as: format, options: options, formats: formats, budget: &budget)
  }

  /// Makes and encodes the thumbnail, charging a budget with all stages.
  package func encoded(
    _ bytes: Span<UInt8>, as format: EncodingFormat, options: DecodingOptions,
    formats: ImageFormatRegistry,
    budget: inout ResourceBudget
  ) throws(CodecError) -> EncodedThumbnail {
    try validate()
    budget.allowEncoding(ofByteCount: bytes.count)
    if frames == .all, format.hasAnimations,
      let encoded = try animation(bytes, format, options, formats, &budget)
    {
      return encoded
    }
    let decoder = try formats.decoder(for: bytes)
    guard keepsGainMap, var encoder = format.encoder as? JPEGEncoder else {
      let made = try content(
        of: bytes, decoder, options, encoder: rowEncoder(of: format, options), &budget)
      return try encoded(made, as: format, options, &budget)
    }
    let map = try ThumbnailGainMap(for: self, of: bytes, decoder, options, encoder: encoder, &budget)
    if let maximum = encoder.options.maximumByteCount {
      encoder.options.maximumByteCount = max(1, maximum - map.byteCount)
    }
    let picture = EncodingFormat(encoder)
    let made = try content(
      of: bytes, decoder, options, encoder: rowEncoder(of: picture, options), &budget)
    var thumbnail = try encoded(made, as: picture, options, &budget)
    thumbnail.bytes = try map.attached(to: thumbnail.bytes, &budget)
    if let diagnostic = map.diagnostic { thumbnail.details.diagnostics.append(diagnostic) }
    return thumbnail
  }

  /// The encoder to which rows can be passed as they are resized; `nil` if a stage needs all of them.
  func rowEncoder(of format: EncodingFormat, _ options: DecodingOptions) -> JPEGEncoder? {
    guard sharpening == 0, options.pixelFormat == nil, !convertsColors(options),
      let encoder = format.encoder as? JPEGEncoder,
      encoder.options.parallelism == 1
    else { return nil }
    return encoder
  }

  /// Encodes the thumbnail unless that has been done.
  func encoded(
    _ made: Made, as format: EncodingFormat, _ options: DecodingOptions,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> EncodedThumbnail {
    if case .file(let bytes, let size) = made.content {
      return EncodedThumbnail(
        bytes: bytes, type: format.type, size: size, frameCount: 1, details: made.details)
    }
    var image = try finished(made, options, &budget)
    let size = image.bitmap.pixelSize
    let bitmap = image.bitmap
    let file = try budget.encoding { (budget) throws(CodecError) in
      try format.encoder.encode(bitmap, metadata: nil, budget: &budget)
    }
    budget.bufferPool.recycle(&image.bitmap)
    return EncodedThumbnail(bytes: file, type: format.type, size: size, frameCount: 1, details: image.details)
  }

  /// Returns `nil` if the image has a single frame.
  private func animation(
    _ bytes: Span<UInt8>, _ format: EncodingFormat, _ options: DecodingOptions,
    _ formats: ImageFormatRegistry,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> EncodedThumbnail? {
    var options = options
    options.region = nil
    var decoding = options
    decoding.pixelFormat = nil
    decoding.colorConversion = .keep
    let decoder = try formats.decoder(for: bytes)
    guard decoder.hasAnimations else { return nil }
    try budget.allocate(bytes.count)
    var opened: (any AnimatedImageSource)?
    do throws(CodecError) {
      decoding.limits = budget.remainingLimits
      opened = try decoder.animation(Array(copying: bytes), options: decoding)
    } catch {
      // Browsers show the still picture of an animation that cannot be played.
      if error.isInterruption || options.tolerance == .strict { throw error }
    }
    guard let animation = opened, animation.frameCount > 1,
      var writer = AnimationWriter(format, for: animation)
    else {
      budget.release(bytes.count)
      return nil
    }
    let info = try decoder.info(bytes, options: InfoOptions(limits: options.limits))
    let canvas = animation.canvasSize
    try budget.checkFrames(count: animation.frameCount, canvas: canvas)
    let pixelCount = canvas.width * canvas.height
    budget.allowWork(forFrameCount: animation.frameCount, canvas: canvas)
    var cursor = animation.makeCursor()
    var index = 0
    var size = PixelSize(width: 0, height: 0)
    while var picture = try cursor.next(budget: &budget) {
      // Resizing checks for each row.
      try budget.chargeWorkInParts(count: pixelCount, unitsEach: 8)
      picture.orientation = info.orientation
      var frame = try resized(picture, isDrawing: false, options, &budget).bitmap
      picture = Bitmap()
      try finish(&frame, options, &budget)
      size = frame.pixelSize
      let delay = animation.frameInfo(at: index).storedDelay
      try writer.append(AnimationFrame(bitmap: frame, delay: delay), budget: &budget)
      index += 1
    }
    cursor.release(to: &budget)
    let type = writer.type
    return EncodedThumbnail(
      bytes: try writer.finish(budget: &budget), type: type, size: size, frameCount: index,
      details: DecodingDetails(info: info))
  }
}

extension EncodingFormat {
  /// Whether the format has animations.
  var hasAnimations: Bool { encoder is GIFEncoder || encoder is PNGEncoder || encoder is WebPEncoder }
}

extension ImageFormatDecoder {
  /// Whether files of the decoder may be animations, so that it is worthwhile to look.
  fileprivate var hasAnimations: Bool {
    types.contains { $0 != .jpeg && $0 != .svg && $0 != .bmp && $0 != .ico && $0 != .tiff }
  }
}
