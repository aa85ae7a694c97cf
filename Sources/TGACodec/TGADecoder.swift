// The public interface of the TGA module.

@_exported public import ImageCoding

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
}

extension TGADecoder: CoreDecoder {
  package var readsFilesInParts: Bool { true }

  // The compiler of Swift 6.3.1 crashes if it inlines this in optimised Embedded code.
  @inline(never)
  package func makeCore(_ goal: DecodingGoal, _ options: DecodingOptions) -> any DecodingCoreObject {
    DecodingCoreBox(TGACore(goal))
  }
}
