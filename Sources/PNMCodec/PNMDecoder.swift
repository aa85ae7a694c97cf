// The public interface of decoding in the PNM module.

@_exported public import ImageCoding

/// Decodes Netpbm's formats PBM, PGM and PPM, plain and raw, PAM, and PFM.
///
/// Samples are scaled from their maximum to 255, or to 65,535 if it is above 255, rounded to nearest. The natural
/// formats are `gray8`, `rgb8`, `grayAlpha8` and `rgba8`, the same with 16 bits, and for PFM gray or RGB in single
/// precision. Only the first image of a file is decoded.
///
/// Lenient decoding accepts samples above the maximum, which become full samples, and missing rows, which are zero.
/// Strict decoding throws an error for both.
public struct PNMDecoder: ImageFormatDecoder {
  /// `public.pbm`, the identifier of all of these formats.
  public static let type: AssetType = "public.pbm"

  /// Creates a decoder. It has no options.
  public init() {}

  /// `public.pbm`.
  public var types: [AssetType] { [Self.type] }

  /// Recognises the formats by the letter P, a digit or F, and white space.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    for index in 0..<min(prefix.count, 3) {
      let byte = prefix[index]
      switch index {
      case 0: guard byte == UInt8(ascii: "P") else { return .no }
      case 1:
        let isKind = (byte >= UInt8(ascii: "1") && byte <= UInt8(ascii: "7")) || byte == 0x46 || byte == 0x66
        guard isKind else { return .no }
      default: guard byte.isSpace || byte == UInt8(ascii: "#") else { return .no }
      }
    }
    return prefix.count >= 3 ? .yes(Self.type) : .needs(byteCount: 3)
  }
}

extension PNMDecoder: CoreDecoder {
  package var readsFilesInParts: Bool { true }

  // The compiler of Swift 6.3.1 crashes if it inlines this in optimised Embedded code.
  @inline(never)
  package func makeCore(_ goal: DecodingGoal, _ options: DecodingOptions) -> any DecodingCoreObject {
    DecodingCoreBox(PNMCore(goal))
  }
}
