// The public face of the GIF decoder.

@_exported public import ImageCore

/// Decodes GIF87a and GIF89a files, still and animated.
///
/// Pictures have the size of the logical screen. Areas that no image covers are transparent, whatever the background
/// colour, as in browsers. The natural format is always `rgba8`, because any image may leave pixels out.
/// ``ImageInfo/hasAlpha`` tells whether the first frame leaves part of the screen uncovered or uses a transparent
/// colour. Images without a delay are ordinary frames.
///
/// Lenient decoding accepts the following, as browsers do. Strict decoding throws for those marked "strict: error".
/// `LeniencyTests` covers each of them.
///
/// - A missing trailer (strict: error), and any bytes after the trailer.
/// - A byte that does not introduce any block ends the file (strict: error).
/// - A missing initial clear code; a missing end code (strict: error); codes after the table is full.
/// - Image data that ends early or contains an invalid code (strict: error): the pixels before it are kept, the rest
///   remain transparent, and later frames are still shown. Image data that continues after the last pixel.
/// - Code sizes of 1 and of 9…11; with any other the image is lost (strict: error).
/// - A logical screen of zero width or height takes the size of the first image (strict: error).
/// - No image at all: an empty screen (strict: error).
/// - No colour table: a gray ramp is used, as in Pillow and FFmpeg (strict: error). Indices past the end of a table are
///   black (strict: error).
/// - Images that extend beyond the logical screen are clipped; the screen does not grow.
/// - Several graphic control extensions: the last valid one applies. Disposal method 4 is read as 3; unknown methods
///   are read as 0.
/// - Several loop counts: the last one applies. GIF89a frames and extensions in a file with a GIF87a signature.
public struct GIFDecoder: ImageFormatDecoder {
  /// The type identifier `com.compuserve.gif`.
  public static let type: AssetType = "com.compuserve.gif"

  /// Creates a decoder. All settings are in the options of each call.
  public init() {}

  /// Only `com.compuserve.gif`.
  public var types: [AssetType] { [Self.type] }

  /// Checks the six bytes of the signature.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    let count = min(prefix.count, 6)
    let isPossible = LogicalScreen.signatures.contains { signature in
      for index in 0..<count where prefix[index] != signature[index] { return false }
      return true
    }
    guard isPossible else { return .no }
    return count == 6 ? .yes(Self.type) : .needs(byteCount: 6)
  }

  /// Reads up to the first image's header.
  ///
  /// With `indexesFrames`, also counts the frames and adds up their delays, by scanning the whole file without decoding
  /// pixels.
  public func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(CodecError) -> ImageInfo {
    var budget = ResourceBudget(options.limits, format: Self.type)
    var headers = GIFCore(extent: options.indexesFrames ? .index : .headers)
    try headers.readHeaders(bytes, options: DecodingOptions(limits: options.limits), budget: &budget)
    guard let info = headers.info else {
      throw CodecError(.truncated, "the file ends before its image", format: Self.type, byteOffset: bytes.count)
    }
    return info
  }

  /// Reads the comments, the XMP packet, the ICC profile and the pixel aspect ratio, by scanning the whole file without
  /// decoding pixels.
  public func metadata(_ bytes: Span<UInt8>, options: InfoOptions) throws(CodecError) -> ImageMetadata {
    var budget = ResourceBudget(options.limits, format: Self.type)
    var core = GIFCore(extent: .index)
    try core.readHeaders(bytes, options: DecodingOptions(limits: options.limits), budget: &budget)
    return core.metadata
  }

  /// Decodes the first frame onto its canvas.
  public func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    var core = GIFCore()
    return try core.decode(bytes, into: &bitmap, options: options, budget: &budget)
  }

  /// Creates a session that decodes the first frame as it arrives, row by row or pass by pass, and then counts complete
  /// frames.
  public func makeSession(options: DecodingOptions) -> (any IncrementalImageDecoder)? {
    DecodingSession(GIFCore(), options: options)
  }

  /// Returns the frames of an animation, or `nil` for a still image.
  public func animation(
    _ bytes: [UInt8], options: DecodingOptions
  ) throws(CodecError) -> (any AnimatedImageSource)? {
    guard let frames = try GIFAnimation(indexing: bytes, options: options) else { return nil }
    return try ComposedAnimation(frames)
  }
}
