// The public face of the PNG decoder.

@_exported public import ImageCore

/// Reads PNG and APNG.
public struct PNGDecoder: ImageFormatDecoder {
  /// `public.png`.
  public static let type: AssetType = "public.png"

  /// A decoder; it has no options of its own.
  public init() {}

  /// `public.png`.
  public var types: [AssetType] { [Self.type] }

  /// Looks at the eight bytes of the signature.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult { .no }

  /// Reads IHDR and the chunks before the image data.
  public func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(DecodeError) -> ImageInfo {
    throw DecodeError(.unsupported, "not there yet", format: Self.type)
  }

  /// Decodes the image.
  public func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions
  ) throws(DecodeError) -> DecodingDetails {
    throw DecodeError(.unsupported, "not there yet", format: Self.type)
  }
}
