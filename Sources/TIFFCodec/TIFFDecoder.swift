// The public face of the TIFF module: what a file says of itself. Pixels are not decoded yet.

@_exported public import ImageCore
internal import MetadataFormats

/// Reads the directories of TIFF and BigTIFF files, in both byte orders (TIFF 6.0).
public struct TIFFDecoder: ImageFormatDecoder {
  /// `public.tiff`.
  public static let type: AssetType = "public.tiff"

  /// A decoder; it has no options of its own.
  public init() {}

  /// `public.tiff`.
  public var types: [AssetType] { [Self.type] }

  /// Looks at the byte order and the version.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    let signatures: [[UInt8]] = [
      [0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42], [0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 43],
    ]
    let count = min(prefix.count, 4)
    let matches = signatures.contains { signature in (0..<count).allSatisfy { prefix[$0] == signature[$0] } }
    return !matches ? .no : count == 4 ? .yes(Self.type) : .needs(byteCount: 4)
  }

  /// Reads the first directory, which may stand anywhere in the file.
  ///
  /// With `indexesFrames`, pages are counted by a walk from directory to directory. Where there are several pages and
  /// they were not counted, `frameCount` is `nil`. A profile that lies behind the end of a prefix is left out.
  public func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(DecodeError) -> ImageInfo {
    try TIFFContainer(parsing: bytes, options: options).info(bytes, limits: options.limits)
  }

  /// The first page's resolution, ICC profile, XMP packet, IPTC-IIM records, and its descriptive tags as an EXIF block.
  public func metadata(_ bytes: Span<UInt8>, options: InfoOptions) throws(DecodeError) -> ImageMetadata {
    try TIFFContainer(parsing: bytes, options: InfoOptions(limits: options.limits))
      .metadata(bytes, limits: options.limits)
  }

  /// Throws ``DecodeError/Kind/unsupported``, naming the compression.
  public func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions
  ) throws(DecodeError) -> DecodingDetails {
    let container = try TIFFContainer(parsing: bytes, options: InfoOptions(limits: options.limits))
    throw DecodeError(
      .unsupported, "TIFF images are identified but not decoded (\(container.compressionName))", format: Self.type)
  }
}
