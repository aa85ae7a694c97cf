// The public face of the JPEG decoder: what is read, and the two ways to read it.

@_exported public import ImageCore

/// Reads JPEG: baseline, extended sequential and progressive, Huffman- or arithmetic-coded, of 8-bit samples.
/// ITU-T T.81.
///
/// Pixels are those of libjpeg-turbo's default decode, to the last bit: the accurate integer inverse DCT, triangle
/// filters for chroma of half resolution, replication for other ratios, inter-block smoothing of incomplete
/// progressive images unless that is switched off.
public struct JPEGDecoder: ImageFormatDecoder {
  /// `public.jpeg`.
  public static let type: AssetType = "public.jpeg"

  /// Whether AC coefficients that no scan of a progressive image has given yet are estimated from neighbouring blocks,
  /// as libjpeg-turbo does. Otherwise they are zero, and blocks show. Complete images are the same either way.
  public var smoothsIncompleteScans: Bool

  /// A decoder that shows incomplete progressive images smoothed or as they are.
  public init(smoothsIncompleteScans: Bool = true) {
    self.smoothsIncompleteScans = smoothsIncompleteScans
  }

  /// `public.jpeg`.
  public var types: [AssetType] { [Self.type] }

  /// Looks at the SOI marker and the first byte of the next one.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    let magic: InlineArray<3, UInt8> = [0xFF, 0xD8, 0xFF]
    for index in 0..<min(prefix.count, 3) where prefix[index] != magic[index] { return .no }
    return prefix.count < 3 ? .needs(byteCount: 3) : .yes(Self.type)
  }

  /// Reads the segments before the first scan, and where the frame header leaves the height open also over that scan.
  ///
  /// A prefix that holds the frame header is enough; what other segments say is then known as far as they are there.
  public func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(DecodeError) -> ImageInfo {
    var decoder = CodestreamDecoder(options: DecodingOptions(limits: options.limits))
    return try decoder.readInfo(bytes)
  }

  /// Reads the segments before the first scan: EXIF, XMP, IPTC, the ICC profile, density and comments.
  public func metadata(_ bytes: Span<UInt8>, options: InfoOptions) throws(DecodeError) -> ImageMetadata {
    var decoder = CodestreamDecoder(options: DecodingOptions(limits: options.limits))
    // Damage further on takes nothing from the segments before it.
    _ = try? decoder.readInfo(bytes)
    return decoder.collector.finished()
  }

  /// Decodes the image.
  ///
  /// The natural format is `gray8`, `rgb8` or, for four inks, `cmyk8`. Ink asked for as RGB is converted without a
  /// profile.
  /// - Throws: ``DecodeError/Kind/unsupported`` naming the process for what is not decoded.
  public func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions
  ) throws(DecodeError) -> DecodingDetails {
    var decoder = CodestreamDecoder(options: options, smoothsIncompleteScans: smoothsIncompleteScans)
    try decoder.advance(bytes, baseOffset: 0, isFinal: true, into: &bitmap)
    return try decoder.finish(into: &bitmap)
  }

  /// Starts a decode whose bytes arrive in pieces: rows of sequential images, scans of progressive ones.
  public func makeSession(options: DecodingOptions) -> (any IncrementalImageDecoder)? {
    JPEGSession(options: options, smoothsIncompleteScans: smoothsIncompleteScans)
  }
}
