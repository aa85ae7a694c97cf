// The public interface of the JPEG 2000 decoder.

@_exported public import ImageCoding

/// Decodes JPEG 2000 (ITU-T T.800) and HTJ2K (ITU-T T.814): bare codestreams, and JP2, JPX and JPH files.
///
/// Samples of up to 8 bits become 8-bit samples, deeper ones 16-bit samples. Palettes are expanded, sYCC
/// and CMY become RGB, CIELab becomes sRGB.
/// Enumerated colour spaces and profiles are tags of the result. The orientation in an EXIF block is that of the image, as
/// in PNG and WebP; headers state it if the block precedes the codestream. If `DecodingOptions.targetSize` is smaller
/// than the image, its highest resolutions are not decoded. Of a region, only the tiles, the code-blocks and the rows and
/// columns of resolutions that it depends on are decoded.
public struct JPEG2000Decoder: ImageFormatDecoder {
  /// `public.jpeg-2000`.
  public static let type: AssetType = "public.jpeg-2000"

  /// Creates a decoder. It has no options.
  public init() {}

  /// `public.jpeg-2000`.
  public var types: [AssetType] { [Self.type] }

  /// Recognises the signature box, or the first two markers of a codestream.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    ProbeResult(
      prefix, signatures: [JP2Container.signature.map { $0 }, [0xFF, 0x4F, 0xFF, 0x51]], type: Self.type)
  }
}

extension JPEG2000Decoder: CoreDecoder {
  // The compiler of Swift 6.3.1 crashes if it inlines this in optimised Embedded code.
  @inline(never)
  package func makeCore(_ goal: DecodingGoal, _ options: DecodingOptions) -> any DecodingCoreObject {
    DecodingCoreBox(JPEG2000Core(goal))
  }
}

extension CodecError {
  /// Creates an error of the format.
  static func jpeg2000(_ kind: Kind, _ reason: String, at byteOffset: Int? = nil) -> CodecError {
    CodecError(kind, reason, format: JPEG2000Decoder.type, byteOffset: byteOffset)
  }
}
