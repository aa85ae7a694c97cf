// The public interface of the WebP decoder.

@_exported public import ImageCore
internal import MetadataFormats

/// Decodes WebP files (RFC 9649): lossy, lossless, with alpha planes, animated. Pixels are identical to those of libwebp
/// with its default options, composed frames to those of its animation decoder.
///
/// The natural format is `rgb8` for lossy images without alpha and `rgba8` for all others. The background colour of
/// animations is ignored, as in browsers: the canvas starts transparent. Scaling hints, the colour space and the clamping
/// type of VP8, and the alpha hint of VP8L are ignored, as in libwebp.
///
/// Lenient decoding tolerates the following. Strict decoding throws, as libwebp does, except where noted.
///
/// - Image data that ends early or breaks a rule after the first rows: those rows are kept, the rest is transparent or
///   black. Without any complete row it is an error in both modes. Chromium shows such rows, too.
/// - A damaged alpha plane: the missing rows are opaque. libwebp rejects the image.
/// - A size in the RIFF header that does not match the file, and chunks that are longer than the file or their frame.
/// - An animation with an image outside of its frames, with frames outside of the canvas, or with frames without an
///   image.
/// - An alpha chunk before a lossless image is ignored (both modes).
public struct WebPDecoder: ImageFormatDecoder {
  /// `org.webmproject.webp`.
  public static let type: AssetType = "org.webmproject.webp"

  /// A decoder; it has no options of its own.
  public init() {}

  /// `org.webmproject.webp`.
  public var types: [AssetType] { [Self.type] }

  /// Looks at the twelve bytes of the RIFF header.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    ProbeResult(
      prefix, signatures: [[0x52, 0x49, 0x46, 0x46, nil, nil, nil, nil, 0x57, 0x45, 0x42, 0x50]], type: Self.type)
  }

  /// Reads the first chunk, and of an extended file what follows up to the image data.
  ///
  /// With `indexesFrames`, the frames of an animation are counted and their durations summed by a walk over the
  /// chunks of the whole file, which skips the image data; the orientation that an EXIF block states is found too.
  public func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(CodecError) -> ImageInfo {
    var budget = ResourceBudget(options.limits, format: Self.type)
    let container = try WebPContainer(parsing: bytes, indexesFrames: options.indexesFrames, budget: &budget)
    var info = container.info
    // The block follows the image data, so that only a walk over the whole file finds it.
    if container.hasEXIF, options.indexesFrames, let exif = try webPMetadata(bytes, budget: &budget).exif {
      info.orientation = ImageOrientation(exif: exif.span) ?? .up
    }
    return info
  }

  /// The ICC profile, the EXIF block and the XMP packet.
  public func metadata(_ bytes: Span<UInt8>, options: InfoOptions) throws(CodecError) -> ImageMetadata {
    var budget = ResourceBudget(options.limits, format: Self.type)
    return try webPMetadata(bytes, budget: &budget)
  }

  /// Decodes the image; of an animation the first frame on its canvas.
  public func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    var core = WebPCore()
    return try core.decode(bytes, into: &bitmap, options: options, budget: &budget)
  }

  /// Decodes the image, passing its rows to a sink as they are decoded.
  public func decode(
    _ bytes: Span<UInt8>, to sink: any ImageRowSink, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    var core = WebPCore()
    return try core.decode(bytes, to: sink, options: options, budget: &budget)
  }

  /// The image, or the first frame, row by row; then the number of frames that are complete.
  public func makeSession(options: DecodingOptions) -> (any IncrementalImageDecoder)? {
    DecodingSession(WebPCore(), options: options)
  }

  /// The frames of an animation; `nil` for a still image.
  public func animation(
    _ bytes: [UInt8], options: DecodingOptions
  ) throws(CodecError) -> (any AnimatedImageSource)? {
    guard let frames = try WebPAnimation(indexing: bytes, options: options) else { return nil }
    return try ComposedAnimation(frames)
  }
}
