// The public interface of the TIFF module, which reads properties and metadata. Pixels are not decoded yet.

@_exported public import ImageCore
internal import MetadataFormats

/// Reads the directories of TIFF and BigTIFF files, in both byte orders (TIFF 6.0).
public struct TIFFDecoder: ImageFormatDecoder {
  /// `public.tiff`.
  public static let type: AssetType = "public.tiff"

  /// Creates a decoder. It has no options.
  public init() {}

  /// `public.tiff`.
  public var types: [AssetType] { [Self.type] }

  /// Recognises the format by the byte order and the version.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    ProbeResult(
      prefix,
      signatures: [[0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42], [0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 43]],
      type: Self.type)
  }

  /// Reads the first directory, which may be anywhere in the file.
  ///
  /// With `indexesFrames`, pages are counted by following the links between directories. If there are several pages and
  /// they were not counted, `imageCount` is `nil`. A profile beyond the end of a prefix is left out.
  public func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(CodecError) -> ImageInfo {
    var budget = ResourceBudget(options.limits, format: Self.type)
    let container = try TIFFContainer(parsing: bytes, indexesPages: options.indexesFrames, budget: &budget)
    return container.info(bytes, budget: &budget)
  }

  /// Returns the first page's resolution, ICC profile, XMP packet and IPTC-IIM records, and its descriptive tags as an
  /// EXIF block.
  public func metadata(_ bytes: Span<UInt8>, options: InfoOptions) throws(CodecError) -> ImageMetadata {
    var budget = ResourceBudget(options.limits, format: Self.type)
    let container = try TIFFContainer(parsing: bytes, budget: &budget)
    return try container.metadata(bytes, budget: &budget)
  }

  /// Throws ``CodecError/Kind/unsupported``, naming the compression.
  public func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    let container = try TIFFContainer(parsing: bytes, options: InfoOptions(limits: options.limits))
    throw CodecError(
      .unsupported, "TIFF images are identified but not decoded (\(container.compressionName))", format: Self.type)
  }
}
