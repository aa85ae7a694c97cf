// The public face of the PNG decoder.

@_exported public import ImageCore

/// Decodes PNG (3rd edition, W3C) with all colour types, APNG, and files optimised by Apple's tools (CgBI).
///
/// Pixels match those of libpng: palettes and tRNS are expanded, samples of less than 8 bits are scaled to 8, and
/// 16-bit samples are kept. Neither gamma nor colour management is applied; the colour space is attached instead. The
/// natural formats are `gray8`, `grayAlpha8`, `rgb8`, `rgba8` and their 16-bit counterparts.
///
/// Lenient decoding keeps the rows before damage in the image data, accepts wrong CRCs and a missing IEND, and skips
/// malformed ancillary chunks. Strict decoding throws on every violation in a critical chunk.
public struct PNGDecoder: ImageFormatDecoder {
  /// The type identifier `public.png`.
  public static let type: AssetType = "public.png"

  /// Creates a decoder. All settings are in the options of each call.
  public init() {}

  /// Only `public.png`.
  public var types: [AssetType] { [Self.type] }

  /// Checks the eight bytes of the signature.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    let signature = ChunkReader.signature
    let count = min(prefix.count, signature.count)
    for index in 0..<count where prefix[index] != signature[index] { return .no }
    return count == signature.count ? .yes(Self.type) : .needs(byteCount: signature.count)
  }

  /// Reads the chunks before the image data.
  ///
  /// With `indexesFrames`, also counts the frames of an APNG and adds up their durations, by scanning the whole file
  /// without decoding pixels.
  public func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(CodecError) -> ImageInfo {
    let decodingOptions = DecodingOptions(limits: options.limits)
    var budget = ResourceBudget(options.limits, format: Self.type)
    var headers = PNGCore(extent: .headers)
    try headers.readHeaders(bytes, options: decodingOptions, budget: &budget)
    guard var info = headers.info else {
      throw CodecError(
        .truncated, "the file ends before the image data", format: Self.type, byteOffset: bytes.count)
    }
    if info.isAnimated, options.indexesFrames {
      let animation = try animation(Array(copying: bytes), options: decodingOptions)
      info.frameCount = animation?.frameCount ?? 1
      info.duration = animation?.duration(rule: .raw)
      if animation == nil { info.loopCount = nil }
    }
    return info
  }

  /// Decodes the image. For an APNG this is the default image, as in libpng, even if it is not one of the frames.
  public func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    var core = PNGCore()
    return try core.decode(bytes, into: &bitmap, options: options, budget: &budget)
  }

  /// Decodes the image, passing its rows to a sink as they are decoded.
  public func decode(
    _ bytes: Span<UInt8>, to sink: any ImageRowSink, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    var core = PNGCore()
    return try core.decode(bytes, to: sink, options: options, budget: &budget)
  }

  /// Creates a session that delivers rows as they arrive. Interlaced images are previewed pass by pass.
  public func makeSession(options: DecodingOptions) -> (any IncrementalImageDecoder)? {
    DecodingSession(PNGCore(), options: options)
  }

  /// Returns the frames of an APNG, or `nil` for other files.
  public func animation(
    _ bytes: [UInt8], options: DecodingOptions
  ) throws(CodecError) -> (any AnimatedImageSource)? {
    guard let frames = try PNGAnimation(indexing: bytes, options: options) else { return nil }
    return try ComposedAnimation(frames)
  }
}

extension PNGDecoder: RowStreamingDecoder {
  /// Creates a session that passes rows to a sink as they are decoded.
  package func makeSession(
    to sink: any ImageRowSink, options: DecodingOptions, budget: ResourceBudget
  ) -> any RowStreamingSession {
    DecodingSession(PNGCore(), to: sink, options: options, budget: budget)
  }
}
