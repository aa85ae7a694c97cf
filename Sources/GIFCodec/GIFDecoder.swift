// The public face of the GIF decoder.

@_exported public import ImageCoding

/// Decodes GIF87a and GIF89a files, still and animated.
///
/// Pictures have the size of the logical screen. Areas that no image covers are transparent, whatever the background
/// colour, as in browsers. The natural format is always `rgba8`, because any image may leave pixels out.
/// `ImageInfo.hasAlpha` tells whether the first frame leaves part of the screen uncovered or uses a transparent
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

  /// Returns the frames of an animation, or `nil` for a still image.
  public func animation(
    _ bytes: [UInt8], options: DecodingOptions
  ) throws(CodecError) -> (any AnimatedImageSource)? {
    guard let frames = try GIFAnimation(indexing: bytes, options: options) else { return nil }
    return try ComposedAnimation(frames)
  }
}

extension GIFDecoder: CoreDecoder {
  // The compiler of Swift 6.3.1 crashes if it inlines this in optimised Embedded code.
  @inline(never)
  package func makeCore(_ goal: DecodingGoal, _ options: DecodingOptions) -> any DecodingCoreObject {
    DecodingCoreBox(GIFCore(goal))
  }
}
