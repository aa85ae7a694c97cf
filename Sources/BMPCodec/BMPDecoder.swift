// The public interface of the BMP module, which reads properties and metadata. Pixels are not decoded yet.

@_exported public import ImageCore

/// Reads the headers of Windows and OS/2 bitmaps of all versions.
public struct BMPDecoder: ImageFormatDecoder {
  /// `com.microsoft.bmp`.
  public static let type: AssetType = "com.microsoft.bmp"

  /// Creates a decoder. It has no options.
  public init() {}

  /// `com.microsoft.bmp`.
  public var types: [AssetType] { [Self.type] }

  /// Recognises the format by the two letters at the start.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    ProbeResult(prefix, signatures: [[0x42, 0x4D]], type: Self.type)
  }

  /// Reads the file header and the information header. An embedded profile beyond the end of a prefix is left out.
  public func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(CodecError) -> ImageInfo {
    var reader = ByteReader(bytes, format: Self.type)
    try reader.seek(to: 14)
    let header = try BMPHeader(parsing: &reader)
    var info = header.info(type: Self.type)
    if let profile = header.profile(in: bytes, limits: options.limits) { info.colorSpace = .icc(profile) }
    return info
  }

  /// Returns the pixel density and the embedded ICC profile.
  public func metadata(_ bytes: Span<UInt8>, options: InfoOptions) throws(CodecError) -> ImageMetadata {
    var reader = ByteReader(bytes, format: Self.type)
    try reader.seek(to: 14)
    let header = try BMPHeader(parsing: &reader)
    var metadata = ImageMetadata()
    metadata.iccProfile = header.profile(in: bytes, limits: options.limits)
    if let x = header.pixelsPerMeterX, let y = header.pixelsPerMeterY, x > 0, y > 0 {
      metadata.density = .init(x: Double(x), y: Double(y), unit: .perMeter)
    }
    return metadata
  }

  /// Throws ``CodecError/Kind/unsupported``, naming the compression.
  public func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    let info = try info(bytes, options: InfoOptions(limits: options.limits))
    throw CodecError(
      .unsupported, "BMP images are identified but not decoded (\(info.coding ?? "unknown"))", format: Self.type)
  }
}
