// The public interface of the TGA module.

@_exported public import ImageCore

/// Decodes Truevision TGA files: palettes, colours of 15 to 32 bits and gray levels, uncompressed and run-length coded.
///
/// The natural format is `gray8`, `grayAlpha8`, `rgb8` or `rgba8`. Colours of 32 bits have alpha if the header states
/// alpha bits; the attribute bit of 16-bit colours is ignored. Run-length packets may cross rows.
///
/// Lenient decoding accepts the following. Strict decoding throws an error for each of them.
///
/// - An index without a colour in the map: zero. Missing pixels: zero.
/// - Interleaved rows, which are decoded as if they were not.
public struct TGADecoder: ImageFormatDecoder {
  /// `com.truevision.tga-image`.
  public static let type: AssetType = "com.truevision.tga-image"

  /// Creates a decoder. It has no options.
  public init() {}

  /// `com.truevision.tga-image`.
  public var types: [AssetType] { [Self.type] }

  /// Recognises a header whose values agree with each other: the format has no signature, so this decoder should be the
  /// last one that is asked.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    if prefix.count > 1, prefix[1] > 1 { return .no }
    if prefix.count > 2, !(1...3).contains(prefix[2] & ~8) { return .no }
    guard prefix.count >= TGAHeader.byteCount else { return .needs(byteCount: TGAHeader.byteCount) }
    var reader = ByteReader(prefix, format: Self.type)
    guard let header = try? TGAHeader(parsing: &reader), header.isPlausible else { return .no }
    return .yes(Self.type)
  }

  /// Reads the header.
  public func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(CodecError) -> ImageInfo {
    var reader = ByteReader(bytes, format: Self.type)
    return try TGAHeader(parsing: &reader).info
  }

  /// Decodes the image.
  public func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    var core = TGACore()
    return try core.decode(bytes, into: &bitmap, options: options, budget: &budget)
  }

  /// Decodes the image and passes its rows to a sink. Images that are stored from top to bottom are not held in memory.
  public func decode(
    _ bytes: Span<UInt8>, to sink: any ImageRowSink, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    var core = TGACore()
    return try core.decode(bytes, to: sink, options: options, budget: &budget)
  }

  /// Creates a session that decodes rows as they arrive.
  public func makeSession(options: DecodingOptions) -> (any IncrementalImageDecoder)? {
    DecodingSession(TGACore(), options: options)
  }
}

extension TGADecoder: RowStreamingDecoder {
  /// Creates a session that passes rows to a sink as they are decoded.
  package func makeSession(
    to sink: any ImageRowSink, options: DecodingOptions, budget: ResourceBudget
  ) -> any RowStreamingSession {
    DecodingSession(TGACore(), to: sink, options: options, budget: budget)
  }
}
