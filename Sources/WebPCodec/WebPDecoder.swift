// The public face of the WebP module: what a file says of itself. Pixels are not decoded yet.

@_exported public import ImageCore
internal import MetadataFormats

/// Reads the container of WebP files (RFC 9649): lossy, lossless, extended, animated.
public struct WebPDecoder: ImageFormatDecoder {
  /// `org.webmproject.webp`.
  public static let type: AssetType = "org.webmproject.webp"

  /// A decoder; it has no options of its own.
  public init() {}

  /// `org.webmproject.webp`.
  public var types: [AssetType] { [Self.type] }

  /// Looks at the twelve bytes of the RIFF header.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    let pattern: InlineArray<12, UInt8> = [0x52, 0x49, 0x46, 0x46, 0, 0, 0, 0, 0x57, 0x45, 0x42, 0x50]
    for index in 0..<min(prefix.count, 12) where (index < 4 || index >= 8) && prefix[index] != pattern[index] {
      return .no
    }
    return prefix.count < 12 ? .needs(byteCount: 12) : .yes(Self.type)
  }

  /// Reads the first chunk, and of an extended file what follows up to the image data.
  ///
  /// With `indexesFrames`, the frames of an animation are counted and their durations summed by a walk over the
  /// chunks of the whole file, which skips the image data; the orientation that an EXIF block states is found too.
  public func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(DecodeError) -> ImageInfo {
    let container = try WebPContainer(parsing: bytes, options: options)
    var info = container.info
    // The block stands behind the image data, so that only a walk over the whole file comes by it.
    if container.hasEXIF, options.indexesFrames,
      let exif = try webPMetadata(bytes, limits: options.limits).exif
    {
      info.orientation = ImageOrientation(exif: exif.span) ?? .up
    }
    return info
  }

  /// The ICC profile, the EXIF block and the XMP packet.
  public func metadata(_ bytes: Span<UInt8>, options: InfoOptions) throws(DecodeError) -> ImageMetadata {
    try webPMetadata(bytes, limits: options.limits)
  }

  /// Throws ``DecodeError/Kind/unsupported``, naming the coding.
  public func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions
  ) throws(DecodeError) -> DecodingDetails {
    let container = try WebPContainer(parsing: bytes, options: InfoOptions(limits: options.limits))
    throw DecodeError(
      .unsupported, "WebP images are identified but not decoded (\(container.coding.rawValue))", format: Self.type)
  }
}
