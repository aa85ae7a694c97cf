// Encoded thumbnails, of still pictures and of animations.

internal import GIFCodec
internal import JPEGCodec
internal import PNGCodec

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
  /// With ``Frames/all`` an animation remains one if the format has animations: GIF and PNG. The pixels of all frames
  /// together are limited by ``DecodingLimits/maximumSourcePixelCount``.
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
    if frames == .all, let writer = AnimationWriter(format),
      let encoded = try animation(bytes, writer, options, formats, &budget)
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
    let file = try format.encoder.encode(image.bitmap, metadata: nil, budget: &budget)
    budget.recycle(&image.bitmap)
    return EncodedThumbnail(bytes: file, type: format.type, size: size, frameCount: 1, details: image.details)
  }

  /// Returns `nil` if the image has a single frame.
  private func animation(
    _ bytes: Span<UInt8>, _ writer: AnimationWriter, _ options: DecodingOptions,
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
      opened = try decoder.animation(Array(copying: bytes), options: decoding)
    } catch {
      // Browsers show the still picture of an animation that cannot be played.
      if error.isInterruption || options.tolerance == .strict { throw error }
    }
    guard let animation = opened, animation.frameCount > 1 else {
      budget.release(bytes.count)
      return nil
    }
    let info = try decoder.info(bytes, options: InfoOptions(limits: options.limits))
    let canvas = animation.canvasSize
    let (pixelCount, overflow) = canvas.width.multipliedReportingOverflow(by: canvas.height)
    try budget.checkSourceSize(width: overflow ? .max : pixelCount, height: animation.frameCount)
    budget.allowWork(forPixelCount: pixelCount * animation.frameCount)
    var writer = writer
    var cursor = animation.makeCursor()
    var index = 0
    var size = PixelSize(width: 0, height: 0)
    // A canvas, and a copy of it for frames that are removed again.
    try budget.allocatePixels(width: canvas.width, height: canvas.height * 2, bytesPerPixel: 8)
    writer.begin(animation)
    while true {
      try budget.chargeWork(count: pixelCount, unitsEach: 8)
      guard var picture = try cursor.next() else { break }
      picture.orientation = info.orientation
      var frame = try resized(picture, isDrawing: false, options, &budget).bitmap
      picture = Bitmap()
      try finish(&frame, options, &budget)
      size = frame.pixelSize
      let delay = animation.frameInfo(at: index).storedDelay
      let frameByteCount = frame.byteCount
      try writer.append(AnimationFrame(bitmap: frame, delay: delay), &budget)
      if !writer.keepsFrames { budget.release(frameByteCount) }
      index += 1
    }
    return EncodedThumbnail(
      bytes: try writer.finish(&budget), type: writer.type, size: size, frameCount: index,
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

/// Encodes frames to one of the formats with animations.
private struct AnimationWriter {
  private enum Encoder {
    case gif(GIFEncoder, GIFFrameEncoder)
    /// The colours of all frames are reduced together.
    case png(PNGEncoder, [AnimationFrame])
    case pngFrames(PNGEncoder, PNGFrameEncoder)
    case webP(WebPEncoder, WebPFrameEncoder)
  }

  private var encoder: Encoder
  private var loopCount = LoopCount.infinite
  private var bytes: [UInt8] = []
  let type: AssetType

  /// Returns `nil` if the format has no animations.
  init?(_ format: EncodingFormat) {
    type = format.type
    if let gif = format.encoder as? GIFEncoder {
      encoder = .gif(gif, GIFFrameEncoder(options: gif.options))
    } else if let png = format.encoder as? PNGEncoder {
      encoder = .png(png, [])
    } else if let webP = format.encoder as? WebPEncoder {
      encoder = .webP(webP, WebPFrameEncoder(options: webP.options))
    } else {
      return nil
    }
  }

  /// Whether all frames are held until the end, because the layout of the file depends on them.
  var keepsFrames: Bool {
    if case .png = encoder { true } else { false }
  }

  mutating func begin(_ animation: any AnimatedImageSource) {
    loopCount = animation.loopCount
    switch encoder {
    case .gif(let gif, _):
      encoder = .gif(gif, GIFFrameEncoder(options: gif.options, loopCount: loopCount))
    case .png(let png, _) where !png.options.reducesColors:
      encoder = .pngFrames(
        png, PNGFrameEncoder(options: png.options, frameCount: animation.frameCount, loopCount: loopCount))
    case .webP(let webP, _):
      encoder = .webP(webP, WebPFrameEncoder(options: webP.options, loopCount: loopCount))
    case .png, .pngFrames: break
    }
  }

  mutating func append(_ frame: AnimationFrame, _ budget: inout ResourceBudget) throws(CodecError) {
    switch encoder {
    case .gif(let gif, var frames):
      try frames.append(frame, budget: &budget)
      let part = frames.takeOutput()
      try budget.allocate(part.count)
      bytes += part
      encoder = .gif(gif, frames)
    case .png(let png, var frames):
      encoder = .png(png, [])
      frames.append(frame)
      encoder = .png(png, frames)
    case .pngFrames(let png, var frames):
      encoder = .png(png, [])
      try frames.append(frame, budget: &budget)
      bytes += frames.takeOutput()
      encoder = .pngFrames(png, frames)
    case .webP(let webP, var frames):
      // The frames would otherwise have two owners, and be copied.
      encoder = .png(PNGEncoder(), [])
      try frames.append(frame, budget: &budget)
      encoder = .webP(webP, frames)
    }
  }

  func finish(_ budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    switch encoder {
    case .gif(_, var frames): return bytes + (try frames.finish(budget: &budget))
    case .png(let png, let frames):
      return try png.encode(animation: frames, loopCount: loopCount, budget: &budget)
    case .pngFrames(_, var frames): return bytes + (try frames.finish(budget: &budget))
    case .webP(_, var frames): return try frames.finish(budget: &budget)
    }
  }
}
