// The public interface of the JPEG XL decoder.

@_exported public import ImageCoding

/// Decodes JPEG XL files (ISO/IEC 18181): bare codestreams, and containers with metadata.
///
/// The natural format has the smallest sample type that holds the samples of the file: 8 or 16 bits, or floating
/// point. A picture with a profile for CMYK and a channel of black is CMYK. The size is that of the codestream, and its
/// orientation is applied; that in an EXIF block is ignored.
///
/// A lossy picture of one frame, without alpha, is decoded at an eighth of its size if that is enough for
/// `DecodingOptions.targetSize`, and from as many passes as are enough otherwise; a squeezed one, as responsive encoders
/// make it, at the smallest size of those reduced by powers of two. Of `DecodingOptions.region`, only the groups are
/// decoded that it needs. While a file arrives, a session has previews of the part received so far.
public struct JXLDecoder: ImageFormatDecoder {
  /// `public.jpeg-xl`.
  public static let type: AssetType = "public.jpeg-xl"

  /// Creates a decoder. It has no options.
  public init() {}

  /// `public.jpeg-xl`.
  public var types: [AssetType] { [Self.type] }

  /// Recognises the signature box, or the first two bytes of a codestream.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    ProbeResult(
      prefix, signatures: [JXLContainer.signature.map { $0 }, ImageHeader.signature.map { $0 }], type: Self.type)
  }

  /// Returns the pictures of an animation; `nil` for a still image.
  public func animation(
    _ bytes: [UInt8], options: DecodingOptions
  ) throws(CodecError) -> (any AnimatedImageSource)? {
    guard let frames = try JXLAnimation(indexing: bytes, options: options) else { return nil }
    return try ComposedAnimation(frames)
  }
}

extension JXLDecoder: CoreDecoder {
  // The compiler of Swift 6.3.1 crashes if it inlines this in optimised Embedded code.
  @inline(never)
  package func makeCore(_ goal: DecodingGoal, _ options: DecodingOptions) -> any DecodingCoreObject {
    DecodingCoreBox(JXLCore(goal))
  }
}

extension CodecError {
  /// Creates the error for a defect whose place in the file is not known.
  init(malformed reason: String) {
    self.init(.malformed, reason, format: JXLDecoder.type)
  }
}
