// The public interface of the WebP decoder.

@_exported public import ImageCoding
internal import MetadataFormats

/// Decodes WebP files (RFC 9649): lossy, lossless, with alpha planes, and animated. Pixels are identical to those of
/// libwebp with its default options, composed frames to those of its animation decoder.
///
/// The natural format is `rgb8` for lossy images without alpha and `rgba8` for all others. The background colour of
/// animations is ignored, as in browsers: the canvas is initially transparent. The scaling hints, colour space and
/// clamping type of VP8 and the alpha hint of VP8L are ignored, as in libwebp.
///
/// Lenient decoding tolerates the following. Strict decoding throws, as libwebp does, except where noted.
///
/// - Image data that ends early or violates a rule after the first rows. Those rows are kept, the rest is transparent
///   or black. If there is no complete row, an error is thrown in both modes. Chromium also shows such rows.
/// - A damaged alpha plane. The missing rows are opaque. libwebp rejects the image.
/// - A size in the RIFF header that does not match the file, and chunks that are longer than the file or their frame.
/// - An animation with an image outside its frames, with frames outside the canvas, or with frames without an image.
/// - An alpha chunk before a lossless image, which is ignored in both modes.
public struct WebPDecoder: ImageFormatDecoder {
  /// `org.webmproject.webp`.
  public static let type: AssetType = "org.webmproject.webp"

  /// Creates a decoder. It has no options.
  public init() {}

  /// `org.webmproject.webp`.
  public var types: [AssetType] { [Self.type] }

  /// Recognises the format by the twelve bytes of the RIFF header.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    ProbeResult(
      prefix, signatures: [[0x52, 0x49, 0x46, 0x46, nil, nil, nil, nil, 0x57, 0x45, 0x42, 0x50]], type: Self.type)
  }

  /// Reads the first chunk, and in an extended file the chunks up to the image data.
  ///
  /// With `indexesFrames`, all chunks of the file are scanned without reading image data: the frames of an animation
  /// are counted, their durations are added up, and the orientation in an EXIF block is read.
  public func info(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    try budget.reading(options.limits, as: Self.type) { (budget) throws(CodecError) in
      let container = try WebPContainer(parsing: bytes, indexesFrames: options.indexesFrames, budget: &budget)
      var info = container.info
      // The block follows the image data, so that it can only be found by scanning the whole file.
      if container.hasEXIF, options.indexesFrames {
        info.orientation = try webPMetadata(bytes, budget: &budget).orientation
      }
      return info
    }
  }

  /// Returns the ICC profile, the EXIF block and the XMP packet.
  public func metadata(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageMetadata {
    try budget.reading(options.limits, as: Self.type) { (budget) throws(CodecError) in
      try webPMetadata(bytes, budget: &budget)
    }
  }

  /// Returns the frames of an animation; `nil` for a still image.
  public func animation(
    _ bytes: [UInt8], options: DecodingOptions
  ) throws(CodecError) -> (any AnimatedImageSource)? {
    guard let frames = try WebPAnimation(indexing: bytes, options: options) else { return nil }
    return try ComposedAnimation(frames)
  }
}

extension WebPDecoder: CoreDecoder {
  package var readsFilesInParts: Bool { true }

  // The compiler of Swift 6.3.1 crashes if it inlines this in optimised Embedded code.
  @inline(never)
  package func makeCore(_ goal: DecodingGoal, _ options: DecodingOptions) -> any DecodingCoreObject {
    DecodingCoreBox(WebPCore(goal))
  }
}
