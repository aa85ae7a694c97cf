// The public face of the JPEG decoder: the formats it reads, and the one-shot and incremental ways to decode.

@_exported public import ImageCoding

/// Decodes JPEG (ITU-T T.81): baseline, extended sequential and progressive, Huffman- or arithmetic-coded, with 8-bit
/// samples.
///
/// Pixels are bit-identical to libjpeg-turbo's default decode: accurate integer inverse DCT, triangle filters for
/// chroma of half resolution, replication for other ratios, and inter-block smoothing of incomplete progressive images
/// unless disabled.
///
/// The natural format is `gray8`, `rgb8` or, for four inks, `cmyk8`. CMYK requested as RGB is converted without a
/// profile. The headers are the segments before the first scan; if the frame header leaves the height open, that scan
/// is read too. A prefix that contains the frame header suffices for them: facts from other segments are known as far
/// as they are present. Sessions deliver the rows of sequential images, and the scans of progressive ones, as they
/// arrive.
public struct JPEGDecoder: ImageFormatDecoder {
  /// The type identifier `public.jpeg`.
  public static let type: AssetType = "public.jpeg"

  /// Whether AC coefficients that an incomplete progressive image lacks are estimated from neighbouring blocks, as in
  /// libjpeg-turbo. Otherwise they are zero, and block edges are visible. Complete images are the same either way.
  public var smoothsIncompleteScans: Bool

  /// Whether progressive images that `DecodingOptions.targetSize` reduces to an eighth are decoded from their DC
  /// coefficients only: scans of AC coefficients are skipped, which takes a fraction of the time and memory. Subsampled
  /// chroma then has a lower resolution than in libjpeg-turbo's decode, and damage in those scans is not found. Other
  /// pixels are the same. The default is `false`.
  public var approximatesEighths = false

  /// Creates a decoder that shows incomplete progressive images either smoothed or as received.
  public init(smoothsIncompleteScans: Bool = true) {
    self.smoothsIncompleteScans = smoothsIncompleteScans
  }

  /// Only `public.jpeg`.
  public var types: [AssetType] { [Self.type] }

  /// Checks the SOI marker and the first byte of the next marker.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    let magic: InlineArray<3, UInt8> = [0xFF, 0xD8, 0xFF]
    for index in 0..<min(prefix.count, 3) where prefix[index] != magic[index] { return .no }
    return prefix.count < 3 ? .needs(byteCount: 3) : .yes(Self.type)
  }
}

extension JPEGDecoder: CoreDecoder {
  package var readsFilesInParts: Bool { true }

  // The compiler of Swift 6.3.1 crashes if it inlines this in optimised Embedded code.
  @inline(never)
  package func makeCore(_ goal: DecodingGoal, _ options: DecodingOptions) -> any DecodingCoreObject {
    let core = JPEGCore(
      goal, options: options, smoothsIncompleteScans: smoothsIncompleteScans, approximatesEighths: approximatesEighths)
    return DecodingCoreBox(core)
  }
}
