// The public interface of the QOI module.

@_exported public import ImageCore

/// Decodes QOI files ("The Quite OK Image Format", version 1.0). The natural format is `rgb8` or `rgba8`.
///
/// Lenient decoding accepts the following. Strict decoding throws an error for each of them.
///
/// - A number of channels other than 3 and 4, which is read as 4; an unknown colour space.
/// - Missing pixels: zero. A missing or damaged end marker.
public struct QOIDecoder: ImageFormatDecoder {
  /// `org.qoiformat.qoi`.
  public static let type: AssetType = "org.qoiformat.qoi"

  /// Creates a decoder. It has no options.
  public init() {}

  /// `org.qoiformat.qoi`.
  public var types: [AssetType] { [Self.type] }

  /// Recognises the format by its signature.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    ProbeResult(prefix, signatures: [[0x71, 0x6F, 0x69, 0x66]], type: Self.type)
  }

  /// Reads the header.
  public func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(CodecError) -> ImageInfo {
    var reader = ByteReader(bytes, format: Self.type)
    return try QOIHeader(parsing: &reader).info
  }

  /// Decodes the image.
  public func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    var core = QOICore()
    return try core.decode(bytes, into: &bitmap, options: options, budget: &budget)
  }

  /// Decodes the image and passes its rows to a sink. Only a few rows are held in memory.
  public func decode(
    _ bytes: Span<UInt8>, to sink: any ImageRowSink, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    var core = QOICore()
    return try core.decode(bytes, to: sink, options: options, budget: &budget)
  }

  /// Creates a session that decodes rows as they arrive.
  public func makeSession(options: DecodingOptions) -> (any IncrementalImageDecoder)? {
    DecodingSession(QOICore(), options: options)
  }
}

extension QOIDecoder: RowStreamingDecoder {
  /// Creates a session that passes rows to a sink as they are decoded.
  package func makeSession(
    to sink: any ImageRowSink, options: DecodingOptions, budget: ResourceBudget
  ) -> any RowStreamingSession {
    DecodingSession(QOICore(), to: sink, options: options, budget: budget)
  }
}
