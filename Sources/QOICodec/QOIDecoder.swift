// The public interface of the QOI module.

@_exported public import ImageCoding

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
}

extension QOIDecoder: CoreDecoder {
  package var readsFilesInParts: Bool { true }

  // The compiler of Swift 6.3.1 crashes if it inlines this in optimised Embedded code.
  @inline(never)
  package func makeCore(_ goal: DecodingGoal, _ options: DecodingOptions) -> any DecodingCoreObject {
    DecodingCoreBox(QOICore(goal))
  }
}
